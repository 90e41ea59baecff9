//! Each error's status and code.

use actix_web::http::StatusCode;
use glasshouse_casino::{Fault, Refusal, whole_seconds};
use glasshouse_domain::WithdrawalTermsRefused;
use glasshouse_games::bet::BetRefused;

use super::Outage;

pub(super) const TRY_AGAIN_SOON_SECONDS: u64 = 1;
pub(super) const TRY_AGAIN_LATER_SECONDS: u64 = 5;
pub(super) const TRY_AGAIN_MUCH_LATER_SECONDS: u64 = 60;
/// What a fault says on the wire, whatever its cause.
pub(super) const FAULT_MESSAGE: &str = "Something went wrong";
pub(super) const PROVIDER_UNAVAILABLE_MESSAGE: &str = "The payment provider cannot be reached right now. \
    Nothing was charged. Please try again in a few minutes.";
pub(super) const PROVIDER_UNCLEAR_MESSAGE: &str = "The payment provider gave no clear answer. Nothing was \
    charged. Please try again in a few minutes.";
pub(super) const BUSY_MESSAGE: &str = "The house is busy. Please try again in a moment.";

/// How one error is answered.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) retry_after_seconds: Option<u64>,
    /// What to tell the user where the error itself is not to be told.
    pub(super) message: Option<&'static str>,
}

pub(super) const fn answer(status: StatusCode, code: &'static str) -> Answer {
    Answer {
        status,
        code,
        retry_after_seconds: None,
        message: None,
    }
}

/// What is broken is nobody's business; the log has it.
pub(super) const FAULT: Answer = Answer {
    status: StatusCode::INTERNAL_SERVER_ERROR,
    code: "fault",
    retry_after_seconds: None,
    message: Some(FAULT_MESSAGE),
};

pub(super) const fn unavailable(
    code: &'static str,
    retry_after_seconds: u64,
    message: &'static str,
) -> Answer {
    Answer {
        status: StatusCode::SERVICE_UNAVAILABLE,
        code,
        retry_after_seconds: Some(retry_after_seconds),
        message: Some(message),
    }
}

pub(super) const fn rate_limited(retry_after_seconds: u64) -> Answer {
    Answer {
        retry_after_seconds: Some(retry_after_seconds),
        ..answer(StatusCode::TOO_MANY_REQUESTS, "rate_limited")
    }
}

pub(super) const fn busy(retry_after_seconds: u64) -> Answer {
    unavailable("overloaded", retry_after_seconds, BUSY_MESSAGE)
}

pub(super) const fn bad_request(code: &'static str) -> Answer {
    answer(StatusCode::BAD_REQUEST, code)
}

pub(super) const fn conflict(code: &'static str) -> Answer {
    answer(StatusCode::CONFLICT, code)
}

pub(super) const fn unprocessable(code: &'static str) -> Answer {
    answer(StatusCode::UNPROCESSABLE_ENTITY, code)
}

/// 400 is what is not of the form that the OpenAPI document describes; 422 is what has the form and is
/// against a rule.
pub(super) const fn refusal_answer(refusal: &Refusal) -> Answer {
    match refusal {
        Refusal::Username(_) => bad_request("invalid_username"),
        Refusal::Password(_) => unprocessable("invalid_password"),
        Refusal::PasswordTooCommon | Refusal::AdministratorPassword => {
            unprocessable("password_too_common")
        }
        Refusal::UsernameTaken => conflict("username_taken"),
        Refusal::InvalidCredentials => answer(StatusCode::UNAUTHORIZED, "invalid_credentials"),
        Refusal::TooManyAttempts(wait) => rate_limited(whole_seconds(*wait)),
        Refusal::Banned { .. } => answer(StatusCode::FORBIDDEN, "account_banned"),
        Refusal::Bet(refusal) => unprocessable(bet_code(*refusal)),
        Refusal::RoundOpen { .. }
        | Refusal::RoundOver
        | Refusal::LeftTooLate(_)
        | Refusal::NoOpenRound
        | Refusal::NothingPublished
        | Refusal::TooEarly(_)
        | Refusal::GamePaused
        | Refusal::GameAnnounced => not_now(refusal),
        Refusal::Holds(_) => unprocessable("invalid_holds"),
        Refusal::Multiplier(_) => bad_request("invalid_multiplier"),
        Refusal::InsufficientBalance | Refusal::WithdrawalAboveBalance => {
            unprocessable("insufficient_balance")
        }
        Refusal::AmountOutOfRange => unprocessable("amount_out_of_range"),
        Refusal::Amount(_) => bad_request("invalid_amount"),
        Refusal::Seed(_) => bad_request("invalid_seed"),
        Refusal::IdempotencyConflict => conflict("idempotency_conflict"),
        Refusal::CallbackSignature => answer(StatusCode::UNAUTHORIZED, "invalid_signature"),
        Refusal::CallbackMalformed => bad_request("malformed_callback"),
        Refusal::DepositAmount
        | Refusal::WithdrawalAmount
        | Refusal::ConfirmedAmount
        | Refusal::WithdrawalTerms(WithdrawalTermsRefused::NotPositive) => {
            bad_request("invalid_amount")
        }
        Refusal::DepositCurrency | Refusal::WithdrawalCurrency => bad_request("invalid_currency"),
        Refusal::DepositInProgress => conflict("deposit_in_progress"),
        Refusal::TooManyDeposits => unprocessable("too_many_deposits"),
        Refusal::DepositRefused => unprocessable("deposit_refused"),
        Refusal::DepositNotSetUp => unprocessable("deposit_not_set_up"),
        Refusal::DepositBelowMinimum(_)
        | Refusal::DepositBelowCoinMinimum(..)
        | Refusal::WithdrawalTerms(WithdrawalTermsRefused::BelowMinimum) => {
            unprocessable("below_minimum")
        }
        Refusal::DepositAboveMaximum(_) | Refusal::WithdrawalAboveMaximum(_) => {
            unprocessable("above_maximum")
        }
        Refusal::CoinNotTaken(_) => unprocessable("coin_not_taken"),
        Refusal::AddressMissing | Refusal::AddressInvalid(_) => unprocessable("invalid_address"),
        Refusal::NotWagered => unprocessable("withdrawal_limit"),
        Refusal::BanReasonRequired => unprocessable("ban_reason_required"),
        Refusal::AdministratorNotBannable => {
            answer(StatusCode::FORBIDDEN, "administrator_not_bannable")
        }
        Refusal::RejectionReasonRequired | Refusal::StatusReasonRequired => {
            unprocessable("reason_required")
        }
        Refusal::OwnWithdrawal => answer(StatusCode::FORBIDDEN, "own_withdrawal"),
        Refusal::OwnPayment => answer(StatusCode::FORBIDDEN, "own_payment"),
        Refusal::AlreadyDecided(_) => conflict("already_decided"),
        Refusal::ResolutionRequired => unprocessable("resolution_required"),
        Refusal::AlreadyResolved => conflict("already_resolved"),
        Refusal::UnknownPayment => answer(StatusCode::NOT_FOUND, "unknown_payment"),
        Refusal::AmbiguousId => conflict("ambiguous_id"),
        Refusal::NoPayment => conflict("no_payment"),
        Refusal::PaymentChanged => conflict("payment_changed"),
        Refusal::PaymentRefunded => conflict("payment_refunded"),
        Refusal::BalanceChanged(_) => conflict("balance_changed"),
        Refusal::SeveralPayments => conflict("several_payments"),
        Refusal::OtherPlayer => unprocessable("other_user"),
        Refusal::AlreadyProcessed(_) => conflict("already_processed"),
        Refusal::NoteTooLong => bad_request("text_too_long"),
        Refusal::NotFound => answer(StatusCode::NOT_FOUND, "not_found"),
    }
}

/// Of what may be possible later.
const fn not_now(refusal: &Refusal) -> Answer {
    match refusal {
        Refusal::RoundOpen { .. } => conflict("round_open"),
        Refusal::RoundOver | Refusal::LeftTooLate(_) => conflict("round_over"),
        Refusal::NoOpenRound => conflict("no_open_round"),
        Refusal::GamePaused => conflict("game_paused"),
        Refusal::GameAnnounced => conflict("game_announced"),
        Refusal::NothingPublished => unprocessable("not_yet_sellable"),
        _ => unprocessable("too_early"),
    }
}

pub(super) const fn bet_code(refusal: BetRefused) -> &'static str {
    match refusal {
        BetRefused::StakeNotPositive
        | BetRefused::StakeBelowMinimum(_)
        | BetRefused::StakeNotWhole(_)
        | BetRefused::NotTheMaximum(_)
        | BetRefused::InvalidTerms(_) => "invalid_bet",
        BetRefused::StakeAboveMaximum(_) => "bet_exceeds_limit",
        BetRefused::InvalidTarget => "invalid_target",
        BetRefused::InvalidAutoCashout => "invalid_auto_cashout",
        BetRefused::InvalidClaim => "invalid_multiplier",
        BetRefused::InvalidAutoSell => "invalid_auto_sell",
    }
}

pub(super) const fn fault_answer(fault: &Fault) -> Answer {
    match fault {
        Fault::Overloaded => busy(TRY_AGAIN_SOON_SECONDS),
        Fault::Provider(error) if error.may_have_been_done() => unavailable(
            "payments_unclear",
            TRY_AGAIN_MUCH_LATER_SECONDS,
            PROVIDER_UNCLEAR_MESSAGE,
        ),
        Fault::Provider(_) => unavailable(
            "payments_unavailable",
            TRY_AGAIN_MUCH_LATER_SECONDS,
            PROVIDER_UNAVAILABLE_MESSAGE,
        ),
        Fault::Database(error) => match Outage::of(error) {
            Some(outage) => outage.answer(),
            None => FAULT,
        },
        Fault::Entropy(_) | Fault::Interrupted(_) | Fault::Hashing(_) | Fault::Corrupt(_) => FAULT,
    }
}
