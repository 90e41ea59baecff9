//! The handle that the rest of the house holds: `write` through the group commit, `read` through
//! the pool.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Sender, TrySendError, bounded};
use tokio::sync::oneshot;

use crate::audit::key::AuditKeys;
use crate::audit::log::audit_head;
use crate::connection::{AnyConnection, DatabaseUrl, unsafe_settings};
use crate::engine::notifications::{Change, Origin, listen};
use crate::engine::reader::{ReadJob, Reader};
use crate::engine::scope::Scope;
use crate::engine::transaction::Transaction;
use crate::engine::writer::{ClosureJob, Job, Writer};
use crate::error::DatabaseError;
use crate::migrations::migrate;

/// PostgreSQL's writers. SQLite has one, because it can have one.
const POSTGRES_WRITERS: i64 = 4;
/// Connections for questions, on either database.
const READERS: usize = 4;
/// How much work may wait for one writer or for the readers before callers are told to come back.
const QUEUE_BOUND: usize = 4096;

/// How to open a database.
#[derive(Debug, Clone)]
pub struct DatabaseOptions {
    /// Where it is.
    pub url: DatabaseUrl,
    /// Whether to accept a PostgreSQL that can lose a committed bet.
    pub allow_unsafe_settings: bool,
    /// What the audit log is sealed with.
    pub audit_keys: AuditKeys,
}

/// Why a database was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be reached, or a migration failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// It is set up so that a committed bet can be lost.
    #[error("PostgreSQL has {} off, so that a committed bet can be lost", .0.join(", "))]
    UnsafeSettings(Vec<String>),
    /// The audit log was written with another key.
    #[error("the audit log was last written with the key {0}, which was not given")]
    UnknownAuditKey(String),
    /// A thread could not be started.
    #[error("no thread for the database: {0}")]
    Thread(#[from] std::io::Error),
}

/// The casino's database. Cheap to clone; the threads end when the last clone is gone.
#[derive(Clone)]
pub struct Database {
    queues: Arc<Queues>,
    url: DatabaseUrl,
    origin: Origin,
}

struct Queues {
    writers: Vec<Sender<Box<dyn Job>>>,
    readers: Sender<ReadJob>,
}

impl Database {
    /// Connects, brings the schema up to date and starts the threads.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(options: &DatabaseOptions) -> Result<Self, OpenError> {
        let url = &options.url;
        let mut first = url.connect()?;
        let unsafe_settings = unsafe_settings(&mut first)?;
        if !unsafe_settings.is_empty() && !options.allow_unsafe_settings {
            return Err(OpenError::UnsafeSettings(unsafe_settings));
        }
        let applied = migrate(&mut first, &options.audit_keys)?;
        if applied > 0 {
            tracing::info!(applied, "migrations applied");
        }
        check_audit_key(&mut first, &options.audit_keys)?;
        let writers = match url {
            DatabaseUrl::Sqlite(_) => 1,
            DatabaseUrl::Postgres(_) => POSTGRES_WRITERS,
        };
        let origin = Origin::new();
        let audit_keys = Arc::new(options.audit_keys.clone());
        let writers = (0..writers)
            .map(|number| start_writer(url, (number, audit_keys.clone()), origin.clone()))
            .collect::<Result<_, _>>()?;
        let readers = start_readers(url, first)?;
        Ok(Self {
            queues: Arc::new(Queues { writers, readers }),
            url: url.clone(),
            origin,
        })
    }

    /// Whether other servers may use the same database: with a file of this computer, none does.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        matches!(self.url, DatabaseUrl::Postgres(_))
    }

    /// Calls `heard`, on a thread of its own, for what servers on the same database do to rounds
    /// that run by the clock and to sessions, as long as this database is open.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn listen(&self, heard: impl Fn(Change) + Send + 'static) -> Result<(), std::io::Error> {
        let alive = Arc::downgrade(&self.queues);
        listen(&self.url, self.origin.clone(), alive, heard)
    }

    /// Does a piece of work in a transaction that it shares with whatever else is waiting, and
    /// answers once it is committed. `work` may be run more than once, so it must have no effect
    /// but on the transaction; if it returns an error, nothing of it is kept.
    ///
    /// # Errors
    /// What `work` returns, or a [`DatabaseError`].
    pub async fn write<T, E, F>(&self, scope: Scope, work: F) -> Result<T, E>
    where
        F: Fn(&mut Transaction<'_, '_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<DatabaseError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let queue = self.queue_of(&scope)?;
        let job = ClosureJob {
            scope,
            work,
            result: None,
            reply,
        };
        enqueue(queue, Box::new(job) as Box<dyn Job>)?;
        answer
            .await
            .unwrap_or_else(|_| Err(DatabaseError::WorkerStopped.into()))
    }

    /// Asks a question over a connection of the pool. It may be asked twice if the connection
    /// turns out to be lost.
    ///
    /// # Errors
    /// What `question` returns, or a [`DatabaseError`].
    pub async fn read<T, E, F>(&self, question: F) -> Result<T, E>
    where
        F: Fn(&mut AnyConnection) -> Result<T, DatabaseError> + Send + 'static,
        T: Send + 'static,
        E: From<DatabaseError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let ask: ReadJob = Box::new(move |reader| {
            // A caller that went away does not want the answer any more.
            drop(reply.send(reader.ask(question)));
        });
        enqueue(&self.queues.readers, ask)?;
        answer
            .await
            .unwrap_or_else(|_| Err(DatabaseError::WorkerStopped.into()))
    }

    /// A player's work always goes to the same writer, so that it never waits for its own lock.
    fn queue_of(&self, scope: &Scope) -> Result<&Sender<Box<dyn Job>>, DatabaseError> {
        let writers = &self.queues.writers;
        let number = scope
            .get_player()
            .map_or(0, |player| player.get().unsigned_abs());
        let count = u64::try_from(writers.len()).unwrap_or(1).max(1);
        usize::try_from(number % count)
            .ok()
            .and_then(|index| writers.get(index))
            .ok_or(DatabaseError::WorkerStopped)
    }
}

/// Servers with different keys on one database would write a log that neither can verify.
fn check_audit_key(connection: &mut AnyConnection, keys: &AuditKeys) -> Result<(), OpenError> {
    let head = audit_head(connection)?;
    if let Some(id) = &head.key_id
        && keys.find(id).is_none()
    {
        return Err(OpenError::UnknownAuditKey(id.clone()));
    }
    if !head.is_sealed(keys) {
        tracing::error!("the audit log's end carries no seal of ours: run `glasshouse check`");
    }
    Ok(())
}

fn enqueue<T>(queue: &Sender<T>, item: T) -> Result<(), DatabaseError> {
    queue.try_send(item).map_err(|error| match error {
        TrySendError::Full(_) => DatabaseError::Overloaded,
        TrySendError::Disconnected(_) => DatabaseError::WorkerStopped,
    })
}

fn start_writer(
    url: &DatabaseUrl,
    (number, audit_keys): (i64, Arc<AuditKeys>),
    origin: Origin,
) -> Result<Sender<Box<dyn Job>>, OpenError> {
    let (sender, receiver) = bounded(QUEUE_BOUND);
    let writer = Writer::new(url.clone(), url.connect()?, origin, (number, audit_keys));
    thread::Builder::new()
        .name(format!("writer-{number}"))
        .spawn(move || writer.work(&receiver))?;
    Ok(sender)
}

fn start_readers(url: &DatabaseUrl, first: AnyConnection) -> Result<Sender<ReadJob>, OpenError> {
    let (sender, receiver) = bounded(QUEUE_BOUND);
    let mut first = Some(first);
    for number in 0..READERS {
        let connection = match first.take() {
            Some(connection) => connection,
            None => url.connect()?,
        };
        let reader = Reader::new(url.clone(), connection);
        let questions = receiver.clone();
        thread::Builder::new()
            .name(format!("reader-{number}"))
            .spawn(move || reader.work(&questions))?;
    }
    Ok(sender)
}
