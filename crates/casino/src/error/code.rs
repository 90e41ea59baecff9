//! Classifies refusals by kind and by a stable code.

use glasshouse_domain::{WithdrawalTermsError, codes};
use glasshouse_games::bet::BetError;

use self::RefusalCode as Code;
use super::{ClosureRefusal, Refusal};

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// The request is malformed.
    Invalid,
    /// The caller is not authenticated.
    Unauthorized,
    /// The caller is not allowed to do this.
    Forbidden,
    /// The resource does not exist or belongs to somebody else.
    NotFound,
    /// The current state does not allow this.
    Conflict,
    /// Too many attempts; the caller can try again later.
    TooManyAttempts,
    /// The house does not do this at the moment.
    Unavailable,
    /// The request is well-formed but breaks a rule.
    Unprocessable,
}

codes! {
    /// A stable code of a refusal. Refusals that callers need not distinguish share one.
    pub enum RefusalCode {
        InvalidUsername = "invalid_username",
        InvalidPassword = "invalid_password",
        PasswordTooCommon = "password_too_common",
        OneTimePasswordExpired = "one_time_password_expired",
        PasswordUnchanged = "password_unchanged",
        CurrentSession = "current_session",
        SessionEnded = "session_ended",
        PasswordBreached = "password_breached",
        SecondFactorRequired = "second_factor_required",
        InvalidSecondFactor = "invalid_second_factor",
        NoSecondFactor = "no_second_factor",
        EnrolmentExpired = "enrolment_expired",
        SecondFactorMandatory = "second_factor_mandatory",
        InvalidPasskey = "invalid_passkey",
        PasskeyCeremonyExpired = "passkey_ceremony_expired",
        PasskeysUnavailable = "passkeys_unavailable",
        TooManyPasskeys = "too_many_passkeys",
        NoPasskey = "no_passkey",
        InvalidPasskeyName = "invalid_passkey_name",
        UsernameTaken = "username_taken",
        InvalidCredentials = "invalid_credentials",
        RateLimited = "rate_limited",
        AccountBanned = "account_banned",
        AccountClosed = "account_closed",
        AccountNotClosed = "account_not_closed",
        AccountPseudonymised = "account_pseudonymised",
        RoundsUnfinished = "rounds_unfinished",
        WithdrawalPending = "withdrawal_pending",
        InvoicePayable = "invoice_payable",
        BalanceLeft = "balance_left",
        RemainderLeft = "remainder_left",
        LastOwner = "last_owner",
        InvalidBet = "invalid_bet",
        BetExceedsLimit = "bet_exceeds_limit",
        InvalidTarget = "invalid_target",
        InvalidAutoCashout = "invalid_auto_cashout",
        InvalidAutoSell = "invalid_auto_sell",
        RoundOpen = "round_open",
        RoundOver = "round_over",
        NoOpenRound = "no_open_round",
        NotYetSellable = "not_yet_sellable",
        TooEarly = "too_early",
        ProfitExceedsLimit = "profit_exceeds_limit",
        ExposureReached = "exposure_reached",
        InvalidGameLimit = "invalid_game_limit",
        GamePaused = "game_paused",
        GameAnnounced = "game_announced",
        Maintenance = "maintenance",
        DepositsPaused = "deposits_paused",
        WithdrawalsPaused = "withdrawals_paused",
        RegistrationPaused = "registration_paused",
        BettingBlocked = "betting_blocked",
        WithdrawingBlocked = "withdrawing_blocked",
        InvalidHolds = "invalid_holds",
        InvalidMultiplier = "invalid_multiplier",
        InsufficientBalance = "insufficient_balance",
        AmountOutOfRange = "amount_out_of_range",
        InvalidAmount = "invalid_amount",
        InvalidSeed = "invalid_seed",
        NextSeedChanged = "next_seed_changed",
        SeedPairUsed = "seed_pair_used",
        IdempotencyConflict = "idempotency_conflict",
        InvalidSignature = "invalid_signature",
        MalformedCallback = "malformed_callback",
        InvalidCurrency = "invalid_currency",
        DepositInProgress = "deposit_in_progress",
        TooManyDeposits = "too_many_deposits",
        DepositRefused = "deposit_refused",
        DepositNotSetUp = "deposit_not_set_up",
        BelowMinimum = "below_minimum",
        AboveMaximum = "above_maximum",
        CoinNotTaken = "coin_not_taken",
        InvalidAddress = "invalid_address",
        WithdrawalLimit = "withdrawal_limit",
        BanReasonRequired = "ban_reason_required",
        AdministratorNotBannable = "administrator_not_bannable",
        ReasonRequired = "reason_required",
        OwnWithdrawal = "own_withdrawal",
        OwnPayment = "own_payment",
        SecondPersonRequired = "second_person_required",
        NoSecondPerson = "no_second_person",
        OwnAccount = "own_account",
        OwnProposal = "own_proposal",
        OthersProposal = "others_proposal",
        NotPermitted = "not_permitted",
        ProposerNotPermitted = "proposer_not_permitted",
        AlreadyProposed = "already_proposed",
        ProposalDecided = "proposal_decided",
        ProposalExpired = "proposal_expired",
        RoleUnchanged = "role_unchanged",
        RoleChanged = "role_changed",
        AlreadyDecided = "already_decided",
        WithdrawalDelayed = "withdrawal_delayed",
        OpenReview = "open_review",
        NotApproved = "not_approved",
        PayoutState = "payout_state",
        PaidByProvider = "paid_by_provider",
        PayoutUnderWay = "payout_under_way",
        InvalidTransactionId = "invalid_transaction_id",
        OtherPersonRequired = "other_person_required",
        AddressKnown = "address_known",
        AddressBookFull = "address_book_full",
        InvalidLabel = "invalid_label",
        ResolutionRequired = "resolution_required",
        NoteRequired = "note_required",
        AlreadyResolved = "already_resolved",
        AlreadyAcknowledged = "already_acknowledged",
        UnknownPayment = "unknown_payment",
        AmbiguousId = "ambiguous_id",
        NoPayment = "no_payment",
        PaymentChanged = "payment_changed",
        PaymentRefunded = "payment_refunded",
        BalanceChanged = "balance_changed",
        SeveralPayments = "several_payments",
        OtherUser = "other_user",
        AlreadyProcessed = "already_processed",
        TextTooLong = "text_too_long",
        NotFound = "not_found",
        NotInLogYet = "not_in_log_yet",
        StakeLimitReached = "stake_limit_reached",
        LossLimitReached = "loss_limit_reached",
        DepositLimitReached = "deposit_limit_reached",
        SessionTimeReached = "session_time_reached",
        Excluded = "excluded",
        AlreadyExcluded = "already_excluded",
        InvalidExclusion = "invalid_exclusion",
        InvalidLimit = "invalid_limit",
        NoLimit = "no_limit",
        NoPendingChange = "no_pending_change",
        NotYetConfirmable = "not_yet_confirmable",
        InvalidInterval = "invalid_interval",
        InvalidEmail = "invalid_email",
        NoEmail = "no_email",
        LinkUnusable = "link_unusable",
        EmailRefused = "email_refused",
        TermsNotAccepted = "terms_not_accepted",
        TermsChanged = "terms_changed",
    }
}

impl Refusal {
    /// The kind of this refusal.
    #[expect(clippy::too_many_lines, reason = "a line for each refusal")]
    #[must_use]
    pub const fn kind(&self) -> RefusalKind {
        match self {
            Self::Account(refusal) => refusal.kind(),
            Self::Approval(refusal) => refusal.kind(),
            Self::Payout(refusal) => refusal.kind(),
            Self::Operating(refusal) => refusal.kind(),
            Self::Closure(_) => ClosureRefusal::KIND,
            Self::Passkey(refusal) => refusal.kind(),
            Self::Multiplier(_)
            | Self::Amount(_)
            | Self::Seed(_)
            | Self::SeedHash
            | Self::CallbackMalformed
            | Self::DepositAmount
            | Self::WithdrawalAmount
            | Self::ConfirmedAmount
            | Self::WithdrawalTerms(WithdrawalTermsError::NotPositive)
            | Self::DepositCurrency
            | Self::WithdrawalCurrency
            | Self::AddressLabel(_)
            | Self::NoteTooLong => RefusalKind::Invalid,
            Self::InvalidCredentials | Self::CallbackSignature => RefusalKind::Unauthorized,
            Self::Banned { .. } | Self::AdministratorNotBannable | Self::OwnPayment => {
                RefusalKind::Forbidden
            }
            Self::UnknownPayment | Self::NotFound | Self::NotInLogYet => RefusalKind::NotFound,
            Self::RoundOpen { .. }
            | Self::RoundOver
            | Self::LeftTooLate(_)
            | Self::NoOpenRound
            | Self::GamePaused
            | Self::GameAnnounced
            | Self::NextSeedChanged
            | Self::SeedPairUsed
            | Self::IdempotencyConflict
            | Self::DepositInProgress
            | Self::AlreadyDecided(_)
            | Self::WithdrawalDelayed(_)
            | Self::AddressKnown
            | Self::AddressBookFull
            | Self::AlreadyResolved
            | Self::AlreadyAcknowledged
            | Self::AmbiguousId
            | Self::NoPayment
            | Self::PaymentChanged
            | Self::PaymentRefunded
            | Self::BalanceChanged(_)
            | Self::SeveralPayments
            | Self::AlreadyProcessed(_) => RefusalKind::Conflict,
            Self::Limits(refusal) => refusal.kind(),
            Self::Email(refusal) => refusal.kind(),
            Self::TooManyAttempts(_) => RefusalKind::TooManyAttempts,
            Self::NothingPublished
            | Self::TooEarly(_)
            | Self::Holds(_)
            | Self::InsufficientBalance
            | Self::WithdrawalAboveBalance
            | Self::AmountOutOfRange
            | Self::TooManyDeposits
            | Self::DepositRefused
            | Self::DepositNotSetUp
            | Self::DepositBelowMinimum(_)
            | Self::DepositBelowCoinMinimum(..)
            | Self::WithdrawalTerms(WithdrawalTermsError::BelowMinimum)
            | Self::DepositAboveMaximum(_)
            | Self::WithdrawalAboveMaximum(_)
            | Self::CoinNotTaken(_)
            | Self::AddressMissing
            | Self::AddressInvalid(_)
            | Self::NotWagered
            | Self::BanReasonRequired
            | Self::RejectionReasonRequired
            | Self::StatusReasonRequired
            | Self::ResolutionRequired
            | Self::NoteRequired
            | Self::OtherPlayer
            | Self::Bet(_) => RefusalKind::Unprocessable,
        }
    }

    /// The stable code of this refusal.
    #[expect(clippy::too_many_lines, reason = "a line for each refusal")]
    #[must_use]
    pub const fn code(&self) -> RefusalCode {
        match self {
            Self::Bet(refusal) => bet_code(*refusal),
            Self::Account(refusal) => refusal.code(),
            Self::Approval(refusal) => refusal.code(),
            Self::Payout(refusal) => refusal.code(),
            Self::Operating(refusal) => refusal.code(),
            Self::Closure(refusal) => refusal.code(),
            Self::Passkey(refusal) => refusal.code(),
            Self::InvalidCredentials => Code::InvalidCredentials,
            Self::TooManyAttempts(_) => Code::RateLimited,
            Self::Banned { .. } => Code::AccountBanned,
            Self::RoundOpen { .. } => Code::RoundOpen,
            Self::RoundOver | Self::LeftTooLate(_) => Code::RoundOver,
            Self::NoOpenRound => Code::NoOpenRound,
            Self::NothingPublished => Code::NotYetSellable,
            Self::TooEarly(_) => Code::TooEarly,
            Self::GamePaused => Code::GamePaused,
            Self::GameAnnounced => Code::GameAnnounced,
            Self::Holds(_) => Code::InvalidHolds,
            Self::Multiplier(_) => Code::InvalidMultiplier,
            Self::InsufficientBalance | Self::WithdrawalAboveBalance => Code::InsufficientBalance,
            Self::AmountOutOfRange => Code::AmountOutOfRange,
            Self::Seed(_) | Self::SeedHash => Code::InvalidSeed,
            Self::NextSeedChanged => Code::NextSeedChanged,
            Self::SeedPairUsed => Code::SeedPairUsed,
            Self::IdempotencyConflict => Code::IdempotencyConflict,
            Self::CallbackSignature => Code::InvalidSignature,
            Self::CallbackMalformed => Code::MalformedCallback,
            Self::Amount(_)
            | Self::DepositAmount
            | Self::WithdrawalAmount
            | Self::ConfirmedAmount
            | Self::WithdrawalTerms(WithdrawalTermsError::NotPositive) => Code::InvalidAmount,
            Self::DepositCurrency | Self::WithdrawalCurrency => Code::InvalidCurrency,
            Self::DepositInProgress => Code::DepositInProgress,
            Self::TooManyDeposits => Code::TooManyDeposits,
            Self::DepositRefused => Code::DepositRefused,
            Self::DepositNotSetUp => Code::DepositNotSetUp,
            Self::DepositBelowMinimum(_)
            | Self::DepositBelowCoinMinimum(..)
            | Self::WithdrawalTerms(WithdrawalTermsError::BelowMinimum) => Code::BelowMinimum,
            Self::DepositAboveMaximum(_) | Self::WithdrawalAboveMaximum(_) => Code::AboveMaximum,
            Self::CoinNotTaken(_) => Code::CoinNotTaken,
            Self::AddressMissing | Self::AddressInvalid(_) => Code::InvalidAddress,
            Self::NotWagered => Code::WithdrawalLimit,
            Self::BanReasonRequired => Code::BanReasonRequired,
            Self::AdministratorNotBannable => Code::AdministratorNotBannable,
            Self::RejectionReasonRequired | Self::StatusReasonRequired => Code::ReasonRequired,
            Self::OwnPayment => Code::OwnPayment,
            Self::AlreadyDecided(_) => Code::AlreadyDecided,
            Self::WithdrawalDelayed(_) => Code::WithdrawalDelayed,
            Self::AddressKnown => Code::AddressKnown,
            Self::AddressBookFull => Code::AddressBookFull,
            Self::AddressLabel(_) => Code::InvalidLabel,
            Self::ResolutionRequired => Code::ResolutionRequired,
            Self::NoteRequired => Code::NoteRequired,
            Self::AlreadyResolved => Code::AlreadyResolved,
            Self::AlreadyAcknowledged => Code::AlreadyAcknowledged,
            Self::UnknownPayment => Code::UnknownPayment,
            Self::AmbiguousId => Code::AmbiguousId,
            Self::NoPayment => Code::NoPayment,
            Self::PaymentChanged => Code::PaymentChanged,
            Self::PaymentRefunded => Code::PaymentRefunded,
            Self::BalanceChanged(_) => Code::BalanceChanged,
            Self::SeveralPayments => Code::SeveralPayments,
            Self::OtherPlayer => Code::OtherUser,
            Self::AlreadyProcessed(_) => Code::AlreadyProcessed,
            Self::NoteTooLong => Code::TextTooLong,
            Self::NotFound => Code::NotFound,
            Self::NotInLogYet => Code::NotInLogYet,
            Self::Limits(refusal) => refusal.code(),
            Self::Email(refusal) => refusal.code(),
        }
    }
}

const fn bet_code(refusal: BetError) -> RefusalCode {
    match refusal {
        BetError::StakeNotPositive
        | BetError::StakeBelowMinimum(_)
        | BetError::StakeNotWhole(_)
        | BetError::NotTheMaximum(_)
        | BetError::InvalidTerms(_) => Code::InvalidBet,
        BetError::StakeAboveMaximum(_) => Code::BetExceedsLimit,
        BetError::InvalidTarget => Code::InvalidTarget,
        BetError::InvalidAutoCashout => Code::InvalidAutoCashout,
        BetError::InvalidClaim => Code::InvalidMultiplier,
        BetError::InvalidAutoSell => Code::InvalidAutoSell,
    }
}
