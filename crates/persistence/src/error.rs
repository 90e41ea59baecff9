//! What can go wrong with the database itself: faults, never refusals of a rule.

use std::convert::Infallible;

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
    /// The database has no room left; nothing was done.
    #[error("the database has no room left: {0}")]
    StorageFull(String),
    /// The commit failed in a way that leaves open whether it took effect. Only a call with an
    /// idempotency key may be repeated.
    #[error("the outcome of the commit is unknown: {0}")]
    OutcomeUnknown(String),
    /// Somebody else held the rows for too long, or deadlocks and serialisation failures went on
    /// for as long as the work was repeated; nothing was done.
    #[error("others are in the way: {0}")]
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
    Statement(#[source] Error),
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
    /// A lock was waited for as long as it may be: whoever does not need it need not wait again.
    LockTimeout,
    /// Nothing can be written for now, whatever it is.
    Refuse,
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
            _ => Recovery::GiveUp,
        }
    }

    /// The same fault once more, for each piece of work that it concerns.
    pub(crate) fn duplicate(&self) -> Self {
        match self {
            Self::Overloaded => Self::Overloaded,
            Self::Unavailable(text) => Self::Unavailable(text.clone()),
            Self::StorageFull(text) => Self::StorageFull(text.clone()),
            Self::OutcomeUnknown(text) => Self::OutcomeUnknown(text.clone()),
            Self::Contended(text) => Self::Contended(text.clone()),
            Self::Corrupt(text) => Self::Corrupt(text.clone()),
            Self::Rejected(text) => Self::Rejected(text.clone()),
            Self::WorkerStopped => Self::WorkerStopped,
            Self::Statement(error) => Self::Rejected(error.to_string()),
        }
    }
}

/// What rows without a condition are read with.
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
            // A server that only reads is a standby: the one that writes is to be found again.
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
        // Whatever else has no kind may be a lost connection, in any language.
        DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::Unknown => Recovery::Reconnect,
        _ => Recovery::GiveUp,
    }
}

/// What diesel has no kind for: it is known by the databases' words, which a connection asks for in
/// English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    Full,
    LockTimeout,
    Unavailable,
    Deadlock,
}

fn cause_of(message: &str) -> Option<Cause> {
    const WORDS: [(&str, Cause); 12] = [
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
    WORDS
        .into_iter()
        .find(|(words, _)| message.contains(words))
        .map(|(_, cause)| cause)
}
