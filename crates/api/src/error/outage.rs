//! What callers are told of a database that fails: a code of its own for each way to go on.

use glasshouse_casino::DatabaseError;
use serde::{Deserialize, Serialize};

use super::ServiceCode;
use super::answer::{
    Answer, TRY_AGAIN_LATER_SECONDS, TRY_AGAIN_MUCH_LATER_SECONDS, TRY_AGAIN_SOON_SECONDS, busy,
    unavailable,
};

const DATABASE_DOWN_MESSAGE: &str = "Glasshouse is not available at the moment. Nothing was charged. \
    Please try again in a few seconds.";
const STORAGE_FULL_MESSAGE: &str = "Glasshouse has no room left to write anything down. Nothing was \
    charged. Please try again later.";
const OUTCOME_UNKNOWN_MESSAGE: &str = "It is not certain whether this took effect. Repeat it with the \
    same Idempotency-Key, which cannot do it twice, or look at your history first.";

/// What of the database's faults a caller is told, because waiting helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outage {
    /// More is asked than can be done; nothing was done.
    Overloaded,
    /// Others are in the way; nothing was done.
    Contended,
    /// It cannot be reached; nothing was done.
    DatabaseDown,
    /// It can write nothing; nothing was done.
    StorageFull,
    /// Nobody knows whether it was done.
    OutcomeUnknown,
}

impl Outage {
    /// What kind of outage a fault is, if it is one.
    pub(crate) const fn of(error: &DatabaseError) -> Option<Self> {
        match error {
            DatabaseError::Overloaded => Some(Self::Overloaded),
            DatabaseError::Contended(_) => Some(Self::Contended),
            DatabaseError::Unavailable(_) => Some(Self::DatabaseDown),
            DatabaseError::StorageFull(_) => Some(Self::StorageFull),
            DatabaseError::OutcomeUnknown(_) => Some(Self::OutcomeUnknown),
            DatabaseError::Corrupt(_)
            | DatabaseError::Rejected(_)
            | DatabaseError::WorkerStopped
            | DatabaseError::Statement(_) => None,
        }
    }

    pub(super) const fn answer(self) -> Answer {
        match self {
            Self::Overloaded => busy(TRY_AGAIN_SOON_SECONDS),
            Self::Contended => busy(TRY_AGAIN_LATER_SECONDS),
            Self::DatabaseDown => unavailable(
                ServiceCode::DatabaseUnavailable,
                TRY_AGAIN_LATER_SECONDS,
                DATABASE_DOWN_MESSAGE,
            ),
            Self::StorageFull => unavailable(
                ServiceCode::StorageFull,
                TRY_AGAIN_MUCH_LATER_SECONDS,
                STORAGE_FULL_MESSAGE,
            ),
            Self::OutcomeUnknown => unavailable(
                ServiceCode::OutcomeUnknown,
                TRY_AGAIN_SOON_SECONDS,
                OUTCOME_UNKNOWN_MESSAGE,
            ),
        }
    }
}
