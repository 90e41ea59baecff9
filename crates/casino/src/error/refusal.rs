//! Everything that a rule of the house can say no to.

use std::time::Duration;

use glasshouse_domain::{
    Currency, Money, Multiplier, ParseMoneyError, ParseMultiplierError, PasswordError, RoundId,
    UsernameError, WithdrawalStatus, WithdrawalTermsError,
};
use glasshouse_games::bet::BetError;
use glasshouse_games::fairness::ClientSeedError;
use glasshouse_games::video_poker::HoldsError;

/// What a rule says no to; the texts are what the player reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The name is no username.
    #[error(transparent)]
    Username(#[from] UsernameError),
    /// The password is no password.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Others would guess it.
    #[error("This password is among the most common ones. Please choose another.")]
    PasswordTooCommon,
    /// Not good enough for somebody who decides over money.
    #[error(
        "An administrator's password must have at least 12 characters and be hard to guess. Please \
         choose another."
    )]
    AdministratorPassword,
    /// Somebody has that name.
    #[error("Username already exists")]
    UsernameTaken,
    /// Unknown user or wrong password: which, is nobody's business.
    #[error("Invalid username or password")]
    InvalidCredentials,
    /// Too many attempts: again after so long.
    #[error("Too many requests. Please try again in {} s.", whole_seconds(*.0))]
    TooManyAttempts(Duration),
    /// The user is banned.
    #[error("Your account has been banned: {reason}")]
    Banned {
        /// Why, in the administrator's words.
        reason: String,
    },
    /// The bet breaks a rule of its game.
    #[error(transparent)]
    Bet(#[from] BetError),
    /// The player does not have that much.
    #[error("You don't have enough funds to place this bet")]
    InsufficientBalance,
    /// The amount cannot be put on an account.
    #[error("The amount is out of range")]
    AmountOutOfRange,
    /// An amount that is none.
    #[error(transparent)]
    Amount(#[from] ParseMoneyError),
    /// A seed that is none.
    #[error(transparent)]
    Seed(#[from] ClientSeedError),
    /// The idempotency key has answered another call.
    #[error("This Idempotency-Key was already used for a different request")]
    IdempotencyConflict,
    /// A round of the game is in play already.
    #[error("A round is already in play")]
    RoundOpen {
        /// Which.
        id: RoundId,
    },
    /// The round ended before the call.
    #[error("The round is already over")]
    RoundOver,
    /// The round had crashed when the player's call to leave it arrived.
    #[error("The round is already over: this arrived {} ms after the crash", .0.late_by.as_millis())]
    LeftTooLate(LateCashOut),
    /// There is no round in play.
    #[error("There is no round in play")]
    NoOpenRound,
    /// The market has not moved yet.
    #[error("Nothing can be sold before the first price")]
    NothingPublished,
    /// A move that cannot be made yet, and why.
    #[error("{0}")]
    TooEarly(&'static str),
    /// The operator has paused the game.
    #[error("This game is paused at the moment. Please try again later.")]
    GamePaused,
    /// The game has not been opened yet.
    #[error("This game is coming soon")]
    GameAnnounced,
    /// Held positions that are none.
    #[error(transparent)]
    Holds(#[from] HoldsError),
    /// A multiplier that is none.
    #[error(transparent)]
    Multiplier(#[from] ParseMultiplierError),
    /// A callback that the provider has not signed.
    #[error("The signature is missing or wrong")]
    CallbackSignature,
    /// A callback that names no payment.
    #[error("The callback names no payment")]
    CallbackMalformed,
    /// An amount that cannot be deposited.
    #[error("Please enter a valid deposit amount")]
    DepositAmount,
    /// A currency that is none of ours.
    #[error("Please select a cryptocurrency")]
    DepositCurrency,
    /// The first call with this key has not been answered yet.
    #[error("This deposit is being set up. Please try again in a moment.")]
    DepositInProgress,
    /// As many invoices wait to be paid as may.
    #[error(
        "You have three unpaid deposits. Please pay one of them, or wait until one of them expires."
    )]
    TooManyDeposits,
    /// Less than the operator's least.
    #[error("The minimum deposit is {}.", dollars(*.0))]
    DepositBelowMinimum(Money),
    /// More than the operator's most.
    #[error("The maximum deposit is {}.", dollars(*.0))]
    DepositAboveMaximum(Money),
    /// Less than the provider takes of the coin.
    #[error("The minimum deposit in {} is {} at the moment.", .0.label(), dollars(*.1))]
    DepositBelowCoinMinimum(Currency, Money),
    /// A coin that the provider does not take now.
    #[error(
        "{} cannot be deposited at the moment. Please choose another cryptocurrency.",
        .0.label()
    )]
    CoinNotTaken(Currency),
    /// The first call with this key came to nothing.
    #[error("This deposit could not be set up. Please try it again.")]
    DepositNotSetUp,
    /// The provider does not take the deposit.
    #[error(
        "The payment provider does not take this deposit. The amount may be too small or too \
         large for the cryptocurrency: please try another."
    )]
    DepositRefused,
    /// An amount that cannot be withdrawn.
    #[error("Please enter a valid withdrawal amount.")]
    WithdrawalAmount,
    /// Less than the least.
    #[error(transparent)]
    WithdrawalTerms(#[from] WithdrawalTermsError),
    /// More than the operator's most.
    #[error("The maximum withdrawal amount is {}.", dollars(*.0))]
    WithdrawalAboveMaximum(Money),
    /// A currency that is none of ours.
    #[error("Please select a cryptocurrency for withdrawal")]
    WithdrawalCurrency,
    /// No address.
    #[error("Please enter a valid wallet address")]
    AddressMissing,
    /// An address that is none of its currency.
    #[error("This is not a valid {} address", .0.label())]
    AddressInvalid(Currency),
    /// More than there is.
    #[error("Your withdrawal amount exceeds your available balance.")]
    WithdrawalAboveBalance,
    /// More than was wagered.
    #[error("You can only withdraw funds that have been wagered. Please play more games first.")]
    NotWagered,
    /// A ban without a reason.
    #[error("Ban reason is required")]
    BanReasonRequired,
    /// A ban of an administrator.
    #[error("Administrators cannot be banned")]
    AdministratorNotBannable,
    /// A rejection without a reason.
    #[error("Please provide a reason for rejection")]
    RejectionReasonRequired,
    /// A change of a game's status without a reason.
    #[error("Please provide a reason")]
    StatusReasonRequired,
    /// A decision on a withdrawal of one's own.
    #[error("Nobody decides on a withdrawal of their own")]
    OwnWithdrawal,
    /// A second decision on a withdrawal.
    #[error("This withdrawal was already {}", .0.as_str())]
    AlreadyDecided(WithdrawalStatus),
    /// A review resolved without saying how.
    #[error("Please say what came of it")]
    ResolutionRequired,
    /// A second resolution of a review.
    #[error("This was already resolved")]
    AlreadyResolved,
    /// Neither the provider nor the house knows such a payment.
    #[error("There is no such payment")]
    UnknownPayment,
    /// The id of a payment and of an invoice.
    #[error("Both a payment and an invoice have this ID. Please say which of them is meant.")]
    AmbiguousId,
    /// An invoice that nobody has paid.
    #[error("No payment of this invoice is known. Check the payment's own id instead.")]
    NoPayment,
    /// An invoice of which several payments are known.
    #[error("Several payments of this invoice are known. Confirm one of them by its own id.")]
    SeveralPayments,
    /// A payment that found its deposit at this moment.
    #[error("This payment has just changed. Please check it again.")]
    PaymentChanged,
    /// A payment whose money went back.
    #[error("The provider has sent this payment back. It cannot be credited any more.")]
    PaymentRefunded,
    /// The balance is not what the administrator saw.
    #[error("The balance has changed meanwhile: it is {0} now. Please look again.")]
    BalanceChanged(Money),
    /// A payment of another player's deposit.
    #[error("This payment belongs to another user")]
    OtherPlayer,
    /// A payment that was credited before.
    #[error("This payment was already processed: ${0} was credited")]
    AlreadyProcessed(Money),
    /// A credit to oneself.
    #[error("Nobody confirms a payment to their own account")]
    OwnPayment,
    /// Nothing to credit.
    #[error("Please enter a valid amount (> 0)")]
    ConfirmedAmount,
    /// A reason or note that is too long.
    #[error("At most 500 characters, please")]
    NoteTooLong,
    /// There is no such thing, or it is somebody else's.
    #[error("Not found")]
    NotFound,
}

/// A call to leave a round that arrived after its crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LateCashOut {
    /// Which round.
    pub round: RoundId,
    /// How long after the crash this call arrived, by the house's clock. A repeated call is as late
    /// as its own arrival.
    pub late_by: Duration,
    /// Where the round crashed, in crash.
    pub crash_point: Option<Multiplier>,
    /// What the player claimed to have seen, in crash.
    pub claim: Option<Multiplier>,
}

/// An amount as people read it, such as `$1,234.50`.
fn dollars(amount: Money) -> String {
    let text = amount.to_string();
    let (whole, cents) = text.split_once('.').unwrap_or((&text, "00"));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("${grouped}.{cents}")
}

/// A wait in seconds, as a client is told: at least one, and never too few.
#[must_use]
pub const fn whole_seconds(wait: Duration) -> u64 {
    let begun = if wait.subsec_nanos() > 0 { 1 } else { 0 };
    let seconds = wait.as_secs().saturating_add(begun);
    if seconds == 0 { 1 } else { seconds }
}
