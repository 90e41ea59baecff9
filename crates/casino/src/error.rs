//! The two ways in which a use case does not do what it was asked: a rule refuses it, or something
//! is broken.

use glasshouse_domain::WalletError;
use glasshouse_games::bet::BetError;
use glasshouse_payments::ClientError;
use glasshouse_persistence::DatabaseError;

mod code;
mod refusal;
pub use code::{RefusalCode, RefusalKind};
pub use refusal::{LateCashOut, Refusal, whole_seconds};

/// Why a use case did not take effect.
#[derive(Debug, thiserror::Error)]
pub enum CasinoError {
    /// A rule of the house. The caller is told, nothing is wrong.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Something is broken. The caller is not told what, the log is.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// What is broken.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The database, or the way to it.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The operating system has no randomness to give.
    #[error("no randomness: {0}")]
    Entropy(String),
    /// A password could not be hashed.
    #[error("password hashing failed: {0}")]
    Hashing(String),
    /// A stored value is not one that this program writes.
    #[error("corrupt data: {0}")]
    Corrupt(String),
    /// The payment provider, or the way to it.
    #[error(transparent)]
    Provider(ClientError),
    /// A task of ours did not come to its end.
    #[error("a task was interrupted: {0}")]
    Interrupted(String),
    /// More work waits than can be done soon.
    #[error("too much work is waiting")]
    Overloaded,
}

impl From<DatabaseError> for CasinoError {
    fn from(error: DatabaseError) -> Self {
        Self::Fault(error.into())
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

impl CasinoError {
    pub(crate) fn corrupt(what: impl Into<String>) -> Self {
        Self::Fault(Fault::Corrupt(what.into()))
    }
}
