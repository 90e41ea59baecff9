//! Database faults. Refusals by a rule have types of their own.

use std::convert::Infallible;

use diesel::result::{DatabaseErrorKind, Error};

/// A fault of the database or of the connection to it. Only [`Self::ExposureReached`] is none, and is caused by
/// players.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The work queue is full. Nothing was done; the caller may retry.
    #[error("the database's queue is full")]
    Overloaded,
    /// The connection was lost and could not be restored in time. Nothing was done.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The database's storage is full. Nothing was done.
    #[error("the database's storage is full: {0}")]
    StorageFull(String),
    /// The commit failed, and it is unknown whether it took effect. Only a call with an idempotency
    /// key may be repeated.
    #[error("the outcome of the commit is unknown: {0}")]
    OutcomeUnknown(String),
    /// A lock was not released in time, or deadlocks and serialization failures persisted through
    /// all retries. Nothing was done.
    #[error("lock contention: {0}")]
    Contended(String),
    /// A stored value that this program would not have written.
    #[error("corrupt data: {0}")]
    Corrupt(String),
    /// The rounds in play of a game can already win what the limit allows. Nothing was done. It is known only at
    /// the commit if another writer has used up the rest.
    #[error("the exposure of a game has reached its limit")]
    ExposureReached,
    /// The database refused the data, because it violates a constraint. This is a bug.
    #[error("the database refused the data: {0}")]
    Rejected(String),
    /// The work panicked, or its worker thread has ended.
    #[error("the database worker stopped")]
    WorkerStopped,
    /// Any other failure of a statement.
    #[error("statement failed: {0}")]
    Statement(#[source] Error),
}

/// How to continue a batch after a failed statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recovery {
    /// Roll back and run the same work again.
    Repeat,
    /// Reconnect and run the same work again.
    Reconnect,
    /// A constraint was violated or the statement is wrong. Retrying the whole batch is pointless.
    GiveUp,
    /// A lock was not released in time. Work that does not need it can be run without waiting
    /// again.
    LockTimeout,
    /// Nothing can be written at the moment.
    Refuse,
    /// The work is more than a limit of the house allows together. Part of it may be allowed.
    ExposureReached,
}

impl DatabaseError {
    pub(crate) fn corrupt(what: impl Into<String>) -> Self {
        Self::Corrupt(what.into())
    }

    pub(crate) fn recovery(&self) -> Recovery {
        match self {
            Self::Statement(error) => recovery_of(error),
            Self::Unavailable(_) => Recovery::Reconnect,
            Self::Contended(_) => Recovery::LockTimeout,
            Self::StorageFull(_) => Recovery::Refuse,
            Self::ExposureReached => Recovery::ExposureReached,
            _ => Recovery::GiveUp,
        }
    }

    /// Copies the fault, for each piece of work that it affects.
    pub(crate) fn duplicate(&self) -> Self {
        match self {
            Self::Overloaded => Self::Overloaded,
            Self::Unavailable(text) => Self::Unavailable(text.clone()),
            Self::StorageFull(text) => Self::StorageFull(text.clone()),
            Self::OutcomeUnknown(text) => Self::OutcomeUnknown(text.clone()),
            Self::Contended(text) => Self::Contended(text.clone()),
            Self::ExposureReached => Self::ExposureReached,
            Self::Corrupt(text) => Self::Corrupt(text.clone()),
            Self::Rejected(text) => Self::Rejected(text.clone()),
            Self::WorkerStopped => Self::WorkerStopped,
            Self::Statement(error) => Self::Rejected(error.to_string()),
        }
    }
}

/// The error type of infallible conversions of rows.
impl From<Infallible> for DatabaseError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<Error> for DatabaseError {
    fn from(error: Error) -> Self {
        let Error::DatabaseError(kind, information) = &error else {
            return Self::Statement(error);
        };
        let message = information.message();
        match kind {
            // A read-only server is a standby, so the primary must be found again.
            DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::ReadOnlyTransaction => {
                Self::Unavailable(message.to_owned())
            }
            DatabaseErrorKind::Unknown => match cause_of(message) {
                Some(Cause::Full) => Self::StorageFull(message.to_owned()),
                Some(Cause::LockTimeout) => Self::Contended(message.to_owned()),
                Some(Cause::Unavailable) => Self::Unavailable(message.to_owned()),
                Some(Cause::Deadlock) | None => Self::Statement(error),
            },
            _ => Self::Statement(error),
        }
    }
}

fn recovery_of(error: &Error) -> Recovery {
    let Error::DatabaseError(kind, information) = error else {
        return Recovery::GiveUp;
    };
    match kind {
        DatabaseErrorKind::SerializationFailure => Recovery::Repeat,
        DatabaseErrorKind::Unknown if cause_of(information.message()) == Some(Cause::Deadlock) => {
            Recovery::Repeat
        }
        // Any other error of unknown kind may be a lost connection, reported in any language.
        DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::Unknown => Recovery::Reconnect,
        _ => Recovery::GiveUp,
    }
}

/// A cause for which diesel has no error kind. It is recognised by the message, which the
/// connection requests in English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    Full,
    LockTimeout,
    Unavailable,
    Deadlock,
}

fn cause_of(message: &str) -> Option<Cause> {
    const MESSAGE_PARTS: [(&str, Cause); 12] = [
        // SQLite.
        ("database or disk is full", Cause::Full),
        ("database is locked", Cause::LockTimeout),
        ("disk I/O error", Cause::Unavailable),
        ("attempt to write a readonly database", Cause::Unavailable),
        ("unable to open database file", Cause::Unavailable),
        // PostgreSQL.
        ("No space left on device", Cause::Full),
        ("Disk quota exceeded", Cause::Full),
        ("due to lock timeout", Cause::LockTimeout),
        ("due to statement timeout", Cause::LockTimeout),
        ("terminating connection", Cause::Unavailable),
        ("server closed the connection", Cause::Unavailable),
        ("deadlock detected", Cause::Deadlock),
    ];
    MESSAGE_PARTS
        .into_iter()
        .find(|(message_part, _)| message.contains(message_part))
        .map(|(_, cause)| cause)
}
