//! The refusals of all business rules.

use std::time::Duration;

use glasshouse_domain::{
    AddressLabelError, Currency, Money, Multiplier, ParseMoneyError, ParseMultiplierError,
    PasswordError, RoundId, Timestamp, UsernameError, WithdrawalStatus, WithdrawalTermsError,
};
use glasshouse_games::bet::BetError;
use glasshouse_games::fairness::ClientSeedError;
use glasshouse_games::video_poker::HoldsError;

use crate::error::AccountRefusal;
use crate::error::amount_text::dollars;
use crate::error::approval_refusal::ApprovalRefusal;
use crate::error::closure_refusal::ClosureRefusal;
use crate::error::email_refusal::EmailRefusal;
use crate::error::limit_refusal::LimitRefusal;
use crate::error::limit_text::minute_text;
use crate::error::operating_refusal::OperatingRefusal;
use crate::error::passkey_refusal::PasskeyRefusal;
use crate::error::payout_refusal::PayoutRefusal;

/// A request that a business rule refuses. The texts are shown to the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The account, or what protects it, cannot be so.
    #[error(transparent)]
    Account(#[from] AccountRefusal),
    /// It needs a second person, or cannot be proposed or approved.
    #[error(transparent)]
    Approval(#[from] ApprovalRefusal),
    /// What has to do with the payment of withdrawals.
    #[error(transparent)]
    Payout(#[from] PayoutRefusal),
    /// The operator has stopped it, for the whole house or for one player.
    #[error(transparent)]
    Operating(#[from] OperatingRefusal),
    /// The account cannot be closed yet.
    #[error(transparent)]
    Closure(#[from] ClosureRefusal),
    /// A passkey cannot be added or used.
    #[error(transparent)]
    Passkey(#[from] PasskeyRefusal),
    /// Unknown user or wrong password. The text does not say which, because that would reveal which
    /// usernames exist.
    #[error("Invalid username or password")]
    InvalidCredentials,
    /// Too many attempts; the value is the time to wait.
    #[error("Too many requests. Please try again in {} s.", whole_seconds(*.0))]
    TooManyAttempts(Duration),
    /// The user is banned.
    #[error("Your account has been banned: {reason}")]
    Banned {
        /// The reason that the administrator gave.
        reason: String,
    },
    /// The bet breaks a rule of its game.
    #[error(transparent)]
    Bet(#[from] BetError),
    /// The balance does not cover the stake.
    #[error("You don't have enough funds to place this bet")]
    InsufficientBalance,
    /// The amount does not fit into an account's balance.
    #[error("The amount is out of range")]
    AmountOutOfRange,
    /// Invalid amount.
    #[error(transparent)]
    Amount(#[from] ParseMoneyError),
    /// Invalid client seed.
    #[error(transparent)]
    Seed(#[from] ClientSeedError),
    /// The hash is not one of a server seed.
    #[error("A server seed hash is 64 hexadecimal digits in lower case")]
    SeedHash,
    /// The next server seed is not the one whose hash the player knows.
    #[error("The next server seed has changed. Please check its hash and try again.")]
    NextSeedChanged,
    /// A round was played with the active seed pair, so its client seed stays.
    #[error("A round was already played with these seeds. Rotate them to change the client seed.")]
    SeedPairUsed,
    /// The idempotency key was used for a different request.
    #[error("This Idempotency-Key was already used for a different request")]
    IdempotencyConflict,
    /// The player already has an open round of this game.
    #[error("A round is already in play")]
    RoundOpen {
        /// The ID of the open round.
        id: RoundId,
    },
    /// The round ended before the request arrived.
    #[error("The round is already over")]
    RoundOver,
    /// The round crashed before the cash-out request arrived.
    #[error("The round is already over: this arrived {} ms after the crash", .0.late_by.as_millis())]
    LeftTooLate(LateCashOut),
    /// The player has no open round of this game.
    #[error("There is no round in play")]
    NoOpenRound,
    /// The first price of the market has not been published yet.
    #[error("Nothing can be sold before the first price")]
    NothingPublished,
    /// The move is not possible yet; the value says why.
    #[error("{0}")]
    TooEarly(&'static str),
    /// The operator has paused the game.
    #[error("This game is paused at the moment. Please try again later.")]
    GamePaused,
    /// The game has not been opened yet.
    #[error("This game is coming soon")]
    GameAnnounced,
    /// Invalid held positions.
    #[error(transparent)]
    Holds(#[from] HoldsError),
    /// Invalid multiplier.
    #[error(transparent)]
    Multiplier(#[from] ParseMultiplierError),
    /// The callback's signature is missing or wrong.
    #[error("The signature is missing or wrong")]
    CallbackSignature,
    /// The callback does not name a payment.
    #[error("The callback does not name a payment")]
    CallbackMalformed,
    /// Invalid deposit amount.
    #[error("Please enter a valid deposit amount")]
    DepositAmount,
    /// Unknown or missing deposit currency.
    #[error("Please select a cryptocurrency")]
    DepositCurrency,
    /// The first request with this key is still being processed.
    #[error("This deposit is being set up. Please try again in a moment.")]
    DepositInProgress,
    /// The player has the maximum number of unpaid invoices.
    #[error(
        "You have three unpaid deposits. Please pay one of them, or wait until one of them expires."
    )]
    TooManyDeposits,
    /// Below the operator's minimum deposit.
    #[error("The minimum deposit is {}.", dollars(*.0))]
    DepositBelowMinimum(Money),
    /// Above the operator's maximum deposit.
    #[error("The maximum deposit is {}.", dollars(*.0))]
    DepositAboveMaximum(Money),
    /// Below the provider's minimum for this coin.
    #[error("The minimum deposit in {} is {} at the moment.", .0.label(), dollars(*.1))]
    DepositBelowCoinMinimum(Currency, Money),
    /// The provider does not accept this coin at the moment.
    #[error(
        "{} cannot be deposited at the moment. Please choose another cryptocurrency.",
        .0.label()
    )]
    CoinNotTaken(Currency),
    /// The first request with this key failed, so no deposit was created.
    #[error("This deposit could not be set up. Please try again.")]
    DepositNotSetUp,
    /// The provider refused the deposit.
    #[error(
        "The payment provider does not accept this deposit. The amount may be too small or too \
         large for the cryptocurrency: please try another."
    )]
    DepositRefused,
    /// Invalid withdrawal amount.
    #[error("Please enter a valid withdrawal amount.")]
    WithdrawalAmount,
    /// The amount is not positive or is below the minimum withdrawal.
    #[error(transparent)]
    WithdrawalTerms(#[from] WithdrawalTermsError),
    /// Above the operator's maximum withdrawal.
    #[error("The maximum withdrawal amount is {}.", dollars(*.0))]
    WithdrawalAboveMaximum(Money),
    /// Unknown or missing withdrawal currency.
    #[error("Please select a cryptocurrency for withdrawal")]
    WithdrawalCurrency,
    /// The wallet address is missing.
    #[error("Please enter a valid wallet address")]
    AddressMissing,
    /// The wallet address is not valid for its currency.
    #[error("This is not a valid {} address", .0.label())]
    AddressInvalid(Currency),
    /// The amount exceeds the balance.
    #[error("Your withdrawal amount exceeds your available balance.")]
    WithdrawalAboveBalance,
    /// The round's entry has no place in the public log yet.
    #[error("This round is not in the public log yet. Please try again in a few seconds.")]
    NotInLogYet,
    /// The deposits have not been wagered yet.
    #[error("You can only withdraw funds that have been wagered. Please play more games first.")]
    NotWagered,
    /// A ban needs a reason.
    #[error("Ban reason is required")]
    BanReasonRequired,
    /// Administrators cannot be banned.
    #[error("Administrators cannot be banned")]
    AdministratorNotBannable,
    /// A rejected withdrawal needs a reason.
    #[error("Please provide a reason for rejection")]
    RejectionReasonRequired,
    /// A change of a game's status needs a reason.
    #[error("Please provide a reason")]
    StatusReasonRequired,
    /// The withdrawal was already approved, rejected or cancelled.
    #[error("This withdrawal was already {}", .0.as_str())]
    AlreadyDecided(WithdrawalStatus),
    /// The withdrawal is delayed until then.
    #[error("This withdrawal is delayed and can be approved from {}", minute_text(*.0))]
    WithdrawalDelayed(Timestamp),
    /// The player's address book has this address.
    #[error("This address is already in your address book")]
    AddressKnown,
    /// The player's address book is full.
    #[error("Your address book is full. Please remove an address first.")]
    AddressBookFull,
    /// Invalid label of an address.
    #[error(transparent)]
    AddressLabel(#[from] AddressLabelError),
    /// A review cannot be resolved without a description of the outcome.
    #[error("Please describe the outcome")]
    ResolutionRequired,
    /// A note about a player without a text.
    #[error("Please write the note")]
    NoteRequired,
    /// The review was already resolved.
    #[error("This was already resolved")]
    AlreadyResolved,
    /// Somebody has acknowledged the alert before.
    #[error("This alert was already acknowledged")]
    AlreadyAcknowledged,
    /// Neither the provider nor our records know this payment.
    #[error("Payment not found")]
    UnknownPayment,
    /// A payment and an invoice have the same ID.
    #[error("Both a payment and an invoice have this ID. Please choose one of them.")]
    AmbiguousId,
    /// The invoice has no known payment.
    #[error("This invoice has no known payment. Check the payment by its own ID instead.")]
    NoPayment,
    /// The invoice has several known payments.
    #[error("This invoice has several payments. Confirm one of them by its own ID.")]
    SeveralPayments,
    /// The payment was matched to its deposit while it was being confirmed.
    #[error("This payment has just changed. Please check it again.")]
    PaymentChanged,
    /// The provider has returned the payment's money.
    #[error("The provider has refunded this payment. It can no longer be credited.")]
    PaymentRefunded,
    /// The balance is not the one that the administrator saw.
    #[error("The balance has changed and is now {0}. Please check it and try again.")]
    BalanceChanged(Money),
    /// The payment belongs to another player's deposit.
    #[error("This payment belongs to another user")]
    OtherPlayer,
    /// The payment was already credited.
    #[error("This payment was already processed: ${0} was credited")]
    AlreadyProcessed(Money),
    /// Administrators cannot credit payments to their own accounts.
    #[error("You cannot credit your own account")]
    OwnPayment,
    /// The confirmed amount is missing or not positive.
    #[error("Please enter a valid amount (> 0)")]
    ConfirmedAmount,
    /// A reason or note exceeds the maximum length.
    #[error("Maximum 500 characters")]
    NoteTooLong,
    /// The resource does not exist or belongs to somebody else.
    #[error("Not found")]
    NotFound,
    /// What has to do with the player's own limits, exclusion and reality check.
    #[error(transparent)]
    Limits(#[from] LimitRefusal),
    /// What has to do with e-mail addresses and links from mails.
    #[error(transparent)]
    Email(#[from] EmailRefusal),
}

impl From<UsernameError> for Refusal {
    fn from(error: UsernameError) -> Self {
        AccountRefusal::Username(error).into()
    }
}

impl From<PasswordError> for Refusal {
    fn from(error: PasswordError) -> Self {
        AccountRefusal::Password(error).into()
    }
}

/// A cash-out request that arrived after the crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LateCashOut {
    /// The round's ID.
    pub round: RoundId,
    /// How long after the crash the request arrived, by the house's clock. A repeated request is
    /// measured by its own arrival.
    pub late_by: Duration,
    /// The crash point; only in crash.
    pub crash_point: Option<Multiplier>,
    /// The multiplier that the player claims to have seen; only in crash.
    pub claim: Option<Multiplier>,
}

/// A wait in whole seconds for a client: rounded up, and at least 1.
#[must_use]
pub const fn whole_seconds(wait: Duration) -> u64 {
    let partial = if wait.subsec_nanos() > 0 { 1 } else { 0 };
    let seconds = wait.as_secs().saturating_add(partial);
    if seconds == 0 { 1 } else { seconds }
}
