//! What can go wrong with the database itself: faults, never refusals of a rule.

use diesel::result::{DatabaseErrorKind, Error};

/// A fault of the database or of the way to it. None of these is the player's doing.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The queue of waiting work is full; nothing was done, the caller may try again.
    #[error("the database's queue is full")]
    Overloaded,
    /// The connection is lost and could not be made again in time; nothing was done.
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// The commit failed in a way that leaves open whether it took effect. Only a call with an
    /// idempotency key may be repeated.
    #[error("the outcome of the commit is unknown: {0}")]
    OutcomeUnknown(String),
    /// Deadlocks or serialisation failures went on for as long as the work was repeated.
    #[error("the transaction was repeated too often: {0}")]
    Contended(String),
    /// A stored value is not one that this program writes.
    #[error("corrupt data: {0}")]
    Corrupt(String),
    /// The database refused what the work wrote: a broken constraint, which is a fault of ours.
    #[error("the database refused the work: {0}")]
    Rejected(String),
    /// The work itself panicked, or its thread is gone.
    #[error("the database worker stopped")]
    WorkerStopped,
    /// Any other failed statement.
    #[error("statement failed: {0}")]
    Statement(#[from] Error),
}

/// How a batch goes on after a failed statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recovery {
    /// Roll back and run the same work again.
    Repeat,
    /// Connect anew, then run the same work again.
    Reconnect,
    /// A row broke a constraint or the statement is wrong: repeating the batch whole is no use.
    GiveUp,
}

impl DatabaseError {
    pub(crate) fn corrupt(what: impl Into<String>) -> Self {
        Self::Corrupt(what.into())
    }

    pub(crate) fn recovery(&self) -> Recovery {
        match self {
            Self::Statement(error) => recovery_of(error),
            Self::Unavailable(_) => Recovery::Reconnect,
            _ => Recovery::GiveUp,
        }
    }
}

fn recovery_of(error: &Error) -> Recovery {
    let Error::DatabaseError(kind, information) = error else {
        return Recovery::GiveUp;
    };
    match kind {
        DatabaseErrorKind::SerializationFailure => Recovery::Repeat,
        // diesel has no kind for a deadlock or for a busy SQLite file, only their words.
        DatabaseErrorKind::Unknown if is_contention(information.message()) => Recovery::Repeat,
        // Whatever else has no kind may be a lost connection, in any language.
        DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::Unknown => Recovery::Reconnect,
        _ => Recovery::GiveUp,
    }
}

fn is_contention(message: &str) -> bool {
    message.contains("deadlock detected") || message.contains("database is locked")
}
