//! Looks sessions up. Every call of somebody who is signed in needs its session, so those of all waiting
//! calls are read with one query ([ADR 39](../../../../docs/adr/0039-fewer-round-trips-for-a-bet.md)).

use std::collections::HashMap;
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use tokio::sync::oneshot;
use tracing::Span;

use crate::accounts::session_rows::{SessionRow, sessions};
use crate::engine::QUEUE_BOUND;
use crate::engine::pace::take_waiting;
use crate::engine::reader::Reader;
use crate::error::DatabaseError;

/// The maximum number of sessions that are read with one query.
const TOGETHER: usize = 64;

pub(crate) type Found = Result<Option<SessionRow>, DatabaseError>;

/// A call that waits for its session.
pub(crate) struct SessionLookup {
    key_hash: String,
    /// The call's span for log entries.
    span: Span,
    reply: oneshot::Sender<Found>,
}

impl SessionLookup {
    /// A look-up for the current task, and the way to its result.
    pub(crate) fn new(key_hash: String) -> (Self, oneshot::Receiver<Found>) {
        let (reply, answer) = oneshot::channel();
        let span = Span::current();
        let lookup = Self {
            key_hash,
            span,
            reply,
        };
        (lookup, answer)
    }
}

/// Starts the thread with a connection of its own. It ends when all senders are gone.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn start(reader: Reader) -> Result<Sender<SessionLookup>, std::io::Error> {
    let (sender, receiver) = bounded(QUEUE_BOUND);
    thread::Builder::new()
        .name("sessions".to_owned())
        .spawn(move || work(reader, &receiver))?;
    Ok(sender)
}

fn work(mut reader: Reader, queue: &Receiver<SessionLookup>) {
    while let Some(lookups) = take_waiting(queue, TOGETHER) {
        answer(&mut reader, lookups);
    }
}

fn answer(reader: &mut Reader, lookups: Vec<SessionLookup>) {
    let hashes: Vec<&str> = lookups.iter().map(|lookup| &*lookup.key_hash).collect();
    let Some(first) = lookups.first() else { return };
    // What is logged about the query is logged for the first call that waits for it.
    let found: Result<HashMap<String, SessionRow>, DatabaseError> = first
        .span
        .in_scope(|| reader.run(|connection| sessions(connection, &hashes)));
    for lookup in lookups {
        let answer = match &found {
            Ok(found) => Ok(found.get(&lookup.key_hash).cloned()),
            Err(error) => Err(error.duplicate()),
        };
        // The caller may have stopped waiting.
        drop(lookup.reply.send(answer));
    }
}
