//! How database failures are reported to clients: one code for each way to proceed.

use glasshouse_casino::DatabaseError;
use serde::{Deserialize, Serialize};

use super::ServiceCode;
use super::answer::{
    Answer, TRY_AGAIN_LATER_SECONDS, TRY_AGAIN_MUCH_LATER_SECONDS, TRY_AGAIN_SOON_SECONDS, busy,
    unavailable,
};

const DATABASE_DOWN_MESSAGE: &str = "Glasshouse is not available at the moment. Nothing was charged. \
    Please try again in a few seconds.";
const STORAGE_FULL_MESSAGE: &str = "Glasshouse has run out of storage. Nothing was charged. \
    Please try again later.";
const OUTCOME_UNKNOWN_MESSAGE: &str = "We could not confirm whether this took effect. Repeat it with the \
    same Idempotency-Key, which cannot apply it twice, or check your history first.";

/// The database faults that are reported to clients, because retrying later helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outage {
    /// Too many requests are queued; nothing was done.
    Overloaded,
    /// Conflicting transactions prevented this one; nothing was done.
    Contended,
    /// The database cannot be reached; nothing was done.
    DatabaseDown,
    /// The database cannot write anything; nothing was done.
    StorageFull,
    /// It is unknown whether the transaction was committed.
    OutcomeUnknown,
}

impl Outage {
    /// The outage that a database error means for the client, if any.
    pub(crate) const fn of(error: &DatabaseError) -> Option<Self> {
        match error {
            DatabaseError::Overloaded => Some(Self::Overloaded),
            DatabaseError::Contended(_) => Some(Self::Contended),
            DatabaseError::Unavailable(_) => Some(Self::DatabaseDown),
            DatabaseError::StorageFull(_) => Some(Self::StorageFull),
            DatabaseError::OutcomeUnknown(_) => Some(Self::OutcomeUnknown),
            DatabaseError::Corrupt(_)
            | DatabaseError::Rejected(_)
            | DatabaseError::ExposureReached
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
