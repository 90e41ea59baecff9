//! Status, code and text of every error, as clients know them: no change goes unnoticed.

use std::collections::BTreeSet;
use std::time::Duration;

use actix_web::body::MessageBody as _;
use glasshouse_casino::{AccountRefusal as Account, Fault, LimitRefusal};
use glasshouse_domain::{
    AddressLabelError, Currency, LimitKind, LimitPeriod, LimitReached, Money, PERMANENT,
    ParseMoneyError, ParseMultiplierError, PasswordError, RoundId, Timestamp, UsernameError,
    WithdrawalStatus, WithdrawalTermsError,
};
use glasshouse_games::bet::BetError;
use glasshouse_games::fairness::ClientSeedError;
use glasshouse_games::video_poker::HoldsError;
use serde_json::{Value, json};

use super::*;

mod approval;
mod closures;
mod emails;
mod operating;
mod passkeys;
mod payouts;

/// The responses by error name, generated from the errors themselves. The front end uses the same
/// texts for the checks it makes before sending a request.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/errors.json");
/// If this variable is set, the file is written instead of compared.
const WRITE_VARIABLE: &str = "GLASSHOUSE_WRITE_ERRORS";
const DOLLARS: Money = Money::from_cents(123_450);
const LATE: LateCashOut = LateCashOut {
    round: RoundId::new(7),
    late_by: Duration::from_millis(640),
    crash_point: None,
    claim: None,
};

fn errors() -> Vec<(&'static str, ApiError)> {
    let mut errors = Vec::new();
    for refusals in [
        accounts(),
        approval::refusals(),
        payouts::refusals(),
        operating::refusals(),
        closures::refusals(),
        passkeys::refusals(),
        emails::refusals(),
        rounds(),
        money(),
        limits(),
        administration(),
    ] {
        errors.extend(
            refusals
                .into_iter()
                .map(|(name, refusal)| (name, ApiError::from(refusal))),
        );
    }
    errors.extend(request_errors());
    errors.extend(faults());
    errors
}

fn accounts() -> Vec<(&'static str, Refusal)> {
    vec![
        ("usernameTooShort", UsernameError::TooShort.into()),
        ("usernameTooLong", UsernameError::TooLong.into()),
        (
            "usernameForbiddenCharacter",
            UsernameError::ForbiddenCharacter.into(),
        ),
        ("passwordTooShort", PasswordError::TooShort.into()),
        ("passwordTooLong", PasswordError::TooLong.into()),
        ("passwordTooCommon", Account::PasswordTooCommon.into()),
        ("passwordBreached", Account::PasswordBreached.into()),
        (
            "administratorPassword",
            Account::AdministratorPassword.into(),
        ),
        ("usernameTaken", Account::UsernameTaken.into()),
        (
            "oneTimePasswordExpired",
            Account::OneTimePasswordExpired.into(),
        ),
        ("passwordUnchanged", Account::PasswordUnchanged.into()),
        ("currentSession", Account::CurrentSession.into()),
        ("sessionEnded", Account::SessionEnded.into()),
        ("secondFactorRequired", Account::SecondFactorRequired.into()),
        ("invalidSecondFactor", Account::InvalidSecondFactor.into()),
        ("noSecondFactor", Account::NoSecondFactor.into()),
        ("enrolmentExpired", Account::EnrolmentExpired.into()),
        (
            "secondFactorMandatory",
            Account::SecondFactorMandatory.into(),
        ),
        ("termsNotAccepted", Account::TermsNotAccepted.into()),
        ("termsChanged", Account::TermsChanged.into()),
        ("invalidCredentials", Refusal::InvalidCredentials),
        (
            "tooManyAttempts",
            Refusal::TooManyAttempts(Duration::from_millis(1_500)),
        ),
        (
            "banned",
            Refusal::Banned {
                reason: "cheating".to_owned(),
            },
        ),
        ("notFound", Refusal::NotFound),
        ("notInLogYet", Refusal::NotInLogYet),
        ("idempotencyConflict", Refusal::IdempotencyConflict),
    ]
}

fn rounds() -> Vec<(&'static str, Refusal)> {
    vec![
        ("stakeNotPositive", BetError::StakeNotPositive.into()),
        (
            "stakeBelowMinimum",
            BetError::StakeBelowMinimum(DOLLARS).into(),
        ),
        (
            "stakeAboveMaximum",
            BetError::StakeAboveMaximum(DOLLARS).into(),
        ),
        ("stakeNotWhole", BetError::StakeNotWhole(DOLLARS).into()),
        ("notTheMaximum", BetError::NotTheMaximum(DOLLARS).into()),
        ("invalidTarget", BetError::InvalidTarget.into()),
        ("invalidAutoCashout", BetError::InvalidAutoCashout.into()),
        ("invalidClaim", BetError::InvalidClaim.into()),
        ("invalidAutoSell", BetError::InvalidAutoSell.into()),
        ("insufficientBalance", Refusal::InsufficientBalance),
        (
            "roundOpen",
            Refusal::RoundOpen {
                id: RoundId::new(7),
            },
        ),
        ("roundOver", Refusal::RoundOver),
        ("leftTooLate", Refusal::LeftTooLate(LATE)),
        ("noOpenRound", Refusal::NoOpenRound),
        ("nothingPublished", Refusal::NothingPublished),
        ("tooEarly", Refusal::TooEarly("Not yet")),
        ("gamePaused", Refusal::GamePaused),
        ("gameAnnounced", Refusal::GameAnnounced),
        ("invalidTerms", BetError::InvalidTerms("Not so").into()),
        ("holdsInvalid", HoldsError.into()),
        ("multiplierMalformed", ParseMultiplierError.into()),
        ("seedServer", ClientSeedError::Server.into()),
        ("seedClient", ClientSeedError::Client.into()),
        ("seedHash", Refusal::SeedHash),
        ("nextSeedChanged", Refusal::NextSeedChanged),
        ("seedPairUsed", Refusal::SeedPairUsed),
    ]
}

fn limits() -> Vec<(&'static str, Refusal)> {
    let midnight = Timestamp::start_of_day(19_676);
    let reached = |kind, period, limit| {
        Refusal::from(LimitRefusal::LimitReached(LimitReached {
            kind,
            period,
            limit,
            resets_at: midnight,
        }))
    };
    vec![
        (
            "stakeLimitReached",
            reached(LimitKind::Stake, LimitPeriod::Day, 123_450),
        ),
        (
            "lossLimitReached",
            reached(LimitKind::Loss, LimitPeriod::Week, 123_450),
        ),
        (
            "depositLimitReached",
            reached(LimitKind::Deposit, LimitPeriod::Month, 123_450),
        ),
        (
            "sessionTimeReached",
            reached(LimitKind::SessionTime, LimitPeriod::Day, 90),
        ),
        ("excluded", LimitRefusal::Excluded(midnight).into()),
        (
            "excludedPermanently",
            LimitRefusal::Excluded(PERMANENT).into(),
        ),
        (
            "alreadyExcluded",
            LimitRefusal::AlreadyExcluded(midnight).into(),
        ),
        ("exclusionDuration", LimitRefusal::ExclusionDuration.into()),
        ("limitMinutes", LimitRefusal::LimitMinutes(1_440).into()),
        ("noLimit", LimitRefusal::NoLimit.into()),
        ("noPendingChange", LimitRefusal::NoPendingChange.into()),
        (
            "notYetConfirmable",
            LimitRefusal::NotYetConfirmable(midnight).into(),
        ),
        (
            "realityCheckInterval",
            LimitRefusal::RealityCheckInterval.into(),
        ),
    ]
}

fn money() -> Vec<(&'static str, Refusal)> {
    vec![
        ("addressKnown", Refusal::AddressKnown),
        ("addressBookFull", Refusal::AddressBookFull),
        (
            "addressLabelTooLong",
            Refusal::AddressLabel(AddressLabelError::TooLong),
        ),
        (
            "addressLabelControlCharacter",
            Refusal::AddressLabel(AddressLabelError::ControlCharacter),
        ),
        ("amountOutOfRange", Refusal::AmountOutOfRange),
        ("amountMalformed", ParseMoneyError::Malformed.into()),
        (
            "amountTooManyDecimals",
            ParseMoneyError::TooManyDecimals.into(),
        ),
        ("callbackSignature", Refusal::CallbackSignature),
        ("callbackMalformed", Refusal::CallbackMalformed),
        ("depositAmount", Refusal::DepositAmount),
        ("depositCurrency", Refusal::DepositCurrency),
        ("depositInProgress", Refusal::DepositInProgress),
        ("tooManyDeposits", Refusal::TooManyDeposits),
        ("depositBelowMinimum", Refusal::DepositBelowMinimum(DOLLARS)),
        ("depositAboveMaximum", Refusal::DepositAboveMaximum(DOLLARS)),
        (
            "depositBelowCoinMinimum",
            Refusal::DepositBelowCoinMinimum(Currency::Btc, DOLLARS),
        ),
        ("coinNotTaken", Refusal::CoinNotTaken(Currency::Btc)),
        ("depositNotSetUp", Refusal::DepositNotSetUp),
        ("depositRefused", Refusal::DepositRefused),
        ("withdrawalAmount", Refusal::WithdrawalAmount),
        (
            "withdrawalNotPositive",
            WithdrawalTermsError::NotPositive.into(),
        ),
        (
            "withdrawalBelowMinimum",
            WithdrawalTermsError::BelowMinimum.into(),
        ),
        (
            "withdrawalAboveMaximum",
            Refusal::WithdrawalAboveMaximum(DOLLARS),
        ),
        ("withdrawalCurrency", Refusal::WithdrawalCurrency),
        ("addressMissing", Refusal::AddressMissing),
        ("addressInvalid", Refusal::AddressInvalid(Currency::Btc)),
        ("withdrawalAboveBalance", Refusal::WithdrawalAboveBalance),
        ("notWagered", Refusal::NotWagered),
    ]
}

fn administration() -> Vec<(&'static str, Refusal)> {
    vec![
        ("banReasonRequired", Refusal::BanReasonRequired),
        (
            "administratorNotBannable",
            Refusal::AdministratorNotBannable,
        ),
        ("rejectionReasonRequired", Refusal::RejectionReasonRequired),
        ("statusReasonRequired", Refusal::StatusReasonRequired),
        ("ownPayment", Refusal::OwnPayment),
        (
            "alreadyDecided",
            Refusal::AlreadyDecided(WithdrawalStatus::Approved),
        ),
        (
            "withdrawalDelayed",
            Refusal::WithdrawalDelayed(Timestamp::start_of_day(19_676)),
        ),
        ("resolutionRequired", Refusal::ResolutionRequired),
        ("noteRequired", Refusal::NoteRequired),
        ("alreadyResolved", Refusal::AlreadyResolved),
        ("alreadyAcknowledged", Refusal::AlreadyAcknowledged),
        ("unknownPayment", Refusal::UnknownPayment),
        ("ambiguousId", Refusal::AmbiguousId),
        ("noPayment", Refusal::NoPayment),
        ("severalPayments", Refusal::SeveralPayments),
        ("paymentChanged", Refusal::PaymentChanged),
        ("paymentRefunded", Refusal::PaymentRefunded),
        ("balanceChanged", Refusal::BalanceChanged(DOLLARS)),
        ("otherPlayer", Refusal::OtherPlayer),
        ("alreadyProcessed", Refusal::AlreadyProcessed(DOLLARS)),
        ("confirmedAmount", Refusal::ConfirmedAmount),
        ("noteTooLong", Refusal::NoteTooLong),
    ]
}

fn request_errors() -> Vec<(&'static str, ApiError)> {
    vec![
        ("notSignedIn", ApiError::NotSignedIn),
        ("forbidden", ApiError::Forbidden),
        ("roleForbidden", ApiError::RoleForbidden),
        ("stepUpRequired", ApiError::StepUpRequired),
        ("passwordChangeRequired", ApiError::PasswordChangeRequired),
        (
            "secondFactorEnrolmentRequired",
            ApiError::SecondFactorEnrolmentRequired,
        ),
        ("foreignOrigin", ApiError::ForeignOrigin),
        ("foreignHost", ApiError::ForeignHost),
        ("malformed", ApiError::Malformed("no".to_owned())),
        ("idempotencyKeyInvalid", ApiError::from(IdempotencyKeyError)),
        ("fieldMissing", ApiError::FieldMissing("reason")),
        ("cursorOfAnotherOrder", ApiError::CursorOfAnotherOrder),
        ("bodyTooLarge", ApiError::BodyTooLarge),
        ("bodyTimeout", ApiError::BodyTimeout),
        ("tooManyConnections", ApiError::TooManyConnections),
        ("notJson", ApiError::NotJson),
        ("unknownCall", ApiError::UnknownCall),
        ("otherMethod", ApiError::OtherMethod("GET")),
        (
            "rateLimited",
            ApiError::RateLimited {
                retry_after_seconds: 3,
            },
        ),
        ("session", ApiError::Session(String::new())),
        ("export", ApiError::Export(String::new())),
    ]
}

fn faults() -> Vec<(&'static str, ApiError)> {
    vec![
        ("tooMuchWork", fault(Fault::Overloaded)),
        ("corruptData", fault(Fault::Corrupt(String::new()))),
        ("publicLogUnavailable", fault(Fault::PublicLogUnavailable)),
        ("outageOverloaded", ApiError::Outage(Outage::Overloaded)),
        ("outageContended", ApiError::Outage(Outage::Contended)),
        ("outageDatabaseDown", ApiError::Outage(Outage::DatabaseDown)),
        ("outageStorageFull", ApiError::Outage(Outage::StorageFull)),
        (
            "outageOutcomeUnknown",
            ApiError::Outage(Outage::OutcomeUnknown),
        ),
    ]
}

fn fault(fault: Fault) -> ApiError {
    ApiError::from(CasinoError::from(fault))
}

/// The status, code and text of the response to an error.
fn response_to(error: &ApiError) -> Value {
    let response = error.error_response();
    let status = response.status().as_u16();
    let body = response.into_body().try_into_bytes().unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    json!({ "status": status, "code": body["code"], "text": body["message"] })
}

/// The file's text: one line per error.
fn document() -> String {
    let lines: Vec<String> = errors()
        .iter()
        .map(|(name, error)| format!("  {}: {}", json!(name), response_to(error)))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn expected_responses() -> Value {
    serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap()
}

#[test]
fn every_error_keeps_its_status_code_and_text() {
    if std::env::var_os(WRITE_VARIABLE).is_some() {
        std::fs::write(FILE, document()).unwrap();
    }
    let expected = expected_responses();
    let errors = errors();
    assert_eq!(errors.len(), expected.as_object().unwrap().len());
    for (name, error) in errors {
        assert_eq!(response_to(&error), expected[name], "{name}");
    }
}

#[test]
fn every_error_code_is_covered() {
    // The codes of provider failures are tested over HTTP with a provider that fails.
    let provider_codes = ["payments_unavailable", "payments_unclear"];
    let expected = expected_responses();
    let responses = expected.as_object().unwrap().values();
    let codes = responses.map(|answer| answer["code"].as_str().unwrap());
    let codes: BTreeSet<&str> = codes.chain(provider_codes).collect();
    assert_eq!(codes, ErrorCode::all().map(ErrorCode::as_str).collect());
}
