//! The two ways in which a use case fails: a rule refuses the request, or something is broken.

use glasshouse_domain::{PlayRefusal, WalletError};
use glasshouse_games::bet::BetError;
use glasshouse_payments::ClientError;
use glasshouse_persistence::DatabaseError;

mod account_refusal;
mod amount_text;
mod approval_refusal;
mod closure_refusal;
mod code;
mod email_refusal;
mod limit_refusal;
mod limit_text;
mod operating_refusal;
mod passkey_refusal;
mod payout_refusal;
mod refusal;
pub use account_refusal::AccountRefusal;
pub use approval_refusal::ApprovalRefusal;
pub(crate) use approval_refusal::cause_text;
pub use closure_refusal::ClosureRefusal;
pub use code::{RefusalCode, RefusalKind};
pub use email_refusal::EmailRefusal;
pub use limit_refusal::LimitRefusal;
pub use operating_refusal::OperatingRefusal;
pub use passkey_refusal::PasskeyRefusal;
pub use payout_refusal::PayoutRefusal;
pub use refusal::{LateCashOut, Refusal, whole_seconds};

/// Why a use case had no effect.
#[derive(Debug, thiserror::Error)]
pub enum CasinoError {
    /// A business rule refused the request. The caller gets the reason; nothing is wrong.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Something is broken. The details go to the log, not to the caller.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl CasinoError {
    /// Whether somebody has failed to prove who they are: a wrong password, second factor or passkey. Such
    /// failures are counted against whoever tries.
    #[must_use]
    pub const fn is_wrong_proof(&self) -> bool {
        matches!(
            self,
            Self::Refused(
                Refusal::InvalidCredentials
                    | Refusal::Account(AccountRefusal::InvalidSecondFactor)
                    | Refusal::Passkey(PasskeyRefusal::Invalid)
            )
        )
    }
}

/// An internal failure.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The database failed or could not be reached.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The operating system could not provide random bytes.
    #[error("random number generator failed: {0}")]
    Entropy(String),
    /// A password could not be hashed.
    #[error("password hashing failed: {0}")]
    Hashing(String),
    /// A stored value is not one that this program writes.
    #[error("corrupt data: {0}")]
    Corrupt(String),
    /// The payment provider failed or could not be reached.
    #[error(transparent)]
    Provider(ClientError),
    /// A background task was cancelled or panicked.
    #[error("a task was interrupted: {0}")]
    Interrupted(String),
    /// The public log contradicts what was signed before, or its files cannot be used.
    #[error("public log: {0}")]
    PublicLog(String),
    /// The public log has not been written for some time, so no bets are accepted.
    #[error("the public log cannot be written")]
    PublicLogUnavailable,
    /// The queue of waiting work is full.
    #[error("too much work is waiting")]
    Overloaded,
}

impl From<AccountRefusal> for CasinoError {
    fn from(refusal: AccountRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<ApprovalRefusal> for CasinoError {
    fn from(refusal: ApprovalRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<PayoutRefusal> for CasinoError {
    fn from(refusal: PayoutRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<EmailRefusal> for CasinoError {
    fn from(refusal: EmailRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<ClosureRefusal> for CasinoError {
    fn from(refusal: ClosureRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<DatabaseError> for CasinoError {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::ExposureReached => OperatingRefusal::ExposureReached.into(),
            error => Self::Fault(error.into()),
        }
    }
}

impl From<WalletError> for CasinoError {
    fn from(refusal: WalletError) -> Self {
        Self::Refused(match refusal {
            WalletError::NotPositive => Refusal::Bet(BetError::StakeNotPositive),
            WalletError::InsufficientBalance => Refusal::InsufficientBalance,
            WalletError::NotWagered => Refusal::NotWagered,
            WalletError::Overflow | WalletError::NegativeBalance => Refusal::AmountOutOfRange,
        })
    }
}

impl From<PlayRefusal> for CasinoError {
    fn from(refusal: PlayRefusal) -> Self {
        match refusal {
            PlayRefusal::Closed => AccountRefusal::Closed.into(),
            PlayRefusal::Blocked => OperatingRefusal::BettingBlocked.into(),
            PlayRefusal::Excluded(until) => LimitRefusal::Excluded(until).into(),
            PlayRefusal::Limit(reached) => LimitRefusal::LimitReached(reached).into(),
        }
    }
}

impl From<OperatingRefusal> for CasinoError {
    fn from(refusal: OperatingRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<LimitRefusal> for CasinoError {
    fn from(refusal: LimitRefusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl CasinoError {
    /// The public log contradicts what was signed before, or cannot be used.
    pub(crate) fn public_log(reason: impl std::fmt::Display) -> Self {
        Self::Fault(Fault::PublicLog(reason.to_string()))
    }

    pub(crate) fn corrupt(what: impl Into<String>) -> Self {
        Self::Fault(Fault::Corrupt(what.into()))
    }
}
