//! The handle to the database: `write` goes through the group commit, `read` through the connection
//! pool.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Sender, TrySendError, bounded};
use tokio::sync::oneshot;
use tracing::Span;

use crate::accounts::session_rows::SessionRow;
use crate::audit::key::AuditKeys;
use crate::audit::log::audit_head;
use crate::connection::{AnyConnection, DatabaseUrl, unsafe_settings};
use crate::engine::QUEUE_BOUND;
use crate::engine::job::{ClosureJob, Job};
use crate::engine::notifications::{Change, InstanceId, listen};
use crate::engine::reader::{Plans, ReadJob, Reader};
use crate::engine::scope::Scope;
use crate::engine::session_lookups::{self, SessionLookup};
use crate::engine::sqlite_checkpoints::SqliteCheckpoints;
use crate::engine::transaction::Transaction;
use crate::engine::writer::Writer;
use crate::engine::writer_state::WriterState;
use crate::error::DatabaseError;
use crate::house_keys::HouseKeys;
use crate::migrations::migrate;
use crate::rounds::games::add_missing_games;
use crate::seeds::key::SeedKeys;
use crate::seeds::keys_in_use::keys_in_use;
use crate::server_role::{may_migrate, missing};

/// The smallest and the largest number of PostgreSQL writers. SQLite allows only one.
const POSTGRES_WRITERS: (i64, i64) = (2, 4);
/// The number of a server's connections for reading, on either database.
pub const READERS: usize = 4;

/// The options for opening a database.
#[derive(Debug, Clone)]
pub struct DatabaseOptions {
    /// The address of the database.
    pub url: DatabaseUrl,
    /// Whether to accept a PostgreSQL server that can lose committed bets.
    pub allow_unsafe_settings: bool,
    /// The keys that are not stored in the database.
    pub keys: HouseKeys,
    /// The number of writers on PostgreSQL, at least 1; see [`postgres_writers`].
    pub postgres_writers: i64,
    /// The number of connections for reading, at least 1: [`READERS`] for a server.
    pub readers: usize,
}

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The database is unavailable, or a migration failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Migrations are missing, and the role must not apply them.
    #[error("it lacks migrations ({0}), and the role {1} does not own the tables that they change")]
    MigrationsMissing(usize, String),
    /// The role was given no rights in the database.
    #[error("the role {0} neither owns the tables nor was given rights in them")]
    NoRights(String),
    /// The server's settings allow a committed bet to be lost.
    #[error("PostgreSQL has {} off, so committed bets can be lost", .0.join(", "))]
    UnsafeSettings(Vec<String>),
    /// The audit log was last written with a key that is not configured.
    #[error("the audit log was last written with the key {0}, which was not given")]
    UnknownAuditKey(String),
    /// Server seeds were committed to with a key that is not configured.
    #[error("server seeds in use were made with the key {0}, which was not given")]
    UnknownSeedKey(String),
    /// A thread could not be started.
    #[error("cannot start a database thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// The casino's database. Cheap to clone; the threads end when the last clone is dropped.
#[derive(Clone)]
pub struct Database {
    queues: Arc<Queues>,
    url: DatabaseUrl,
    instance: InstanceId,
    keys: Arc<HouseKeys>,
}

struct Queues {
    /// Of the work for players.
    writers: Vec<Sender<Box<dyn Job>>>,
    /// Of other work, such as that for the public log, which on PostgreSQL does not hold up players.
    house_writer: Sender<Box<dyn Job>>,
    readers: Sender<ReadJob>,
    sessions: Sender<SessionLookup>,
}

impl Database {
    /// Connects, applies migrations if the role owns the tables, and starts the threads.
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
        bring_up_to_date(&mut first, &options.keys)?;
        check_audit_key(&mut first, &options.keys.audit)?;
        check_seed_keys(&mut first, &options.keys.seeds)?;
        let writers = match url {
            DatabaseUrl::Sqlite(_) => 1,
            DatabaseUrl::Postgres(_) => options.postgres_writers.max(1),
        };
        let instance = InstanceId::new();
        let keys = Arc::new(options.keys.clone());
        let start_writer = |shard| {
            let (instance, keys) = (instance.clone(), Arc::clone(&keys));
            start_writer(url, WriterState::new(instance, shard, keys))
        };
        let player_writers = (0..writers).map(start_writer);
        let player_writers = player_writers.collect::<Result<Vec<_>, _>>()?;
        let house_writer = match (url, player_writers.as_slice()) {
            (DatabaseUrl::Sqlite(_), [only]) => only.clone(),
            _ => start_writer(writers)?,
        };
        let readers = start_readers(url, first, options.readers)?;
        let sessions = session_lookups::start(Reader::open(url.clone(), Plans::Kept)?)?;
        Ok(Self {
            queues: Arc::new(Queues {
                writers: player_writers,
                house_writer,
                readers,
                sessions,
            }),
            url: url.clone(),
            instance,
            keys,
        })
    }

    /// The keys that the database was opened with.
    #[must_use]
    pub fn keys(&self) -> Arc<HouseKeys> {
        self.keys.clone()
    }

    /// Whether other servers may use the same database. Never the case for SQLite.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        matches!(self.url, DatabaseUrl::Postgres(_))
    }

    /// Calls `on_change`, on a separate thread, for changes that other servers make to timed
    /// rounds, sessions and games, for as long as this database is open.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn listen(
        &self,
        on_change: impl Fn(Change) + Send + 'static,
    ) -> Result<(), std::io::Error> {
        let alive = Arc::downgrade(&self.queues);
        listen(&self.url, self.instance.clone(), alive, on_change)
    }

    /// Runs a piece of work in a transaction that it shares with all other waiting work, and
    /// returns after the commit. `work` may run more than once, so it must have no side effects
    /// outside the transaction. If it returns an error, its changes are rolled back.
    ///
    /// # Errors
    /// The error of `work`, or a [`DatabaseError`].
    pub async fn write<T, E, F>(&self, scope: Scope, work: F) -> Result<T, E>
    where
        F: Fn(&mut Transaction<'_, '_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<DatabaseError> + Send + 'static,
    {
        let queue = self.writer_queue(&scope)?;
        let (job, answer) = ClosureJob::new(scope, work);
        enqueue(queue, Box::new(job) as Box<dyn Job>)?;
        answer
            .await
            .unwrap_or_else(|_| Err(DatabaseError::WorkerStopped.into()))
    }

    /// Runs a query on a connection of the pool. It runs a second time if the connection turns out
    /// to be lost.
    ///
    /// # Errors
    /// The error of `query`, or a [`DatabaseError`].
    pub async fn read<T, E, F>(&self, query: F) -> Result<T, E>
    where
        F: Fn(&mut AnyConnection) -> Result<T, DatabaseError> + Send + 'static,
        T: Send + 'static,
        E: From<DatabaseError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let span = Span::current();
        let job: ReadJob = Box::new(move |reader| {
            // The caller may have stopped waiting.
            drop(reply.send(span.in_scope(|| reader.run(query))));
        });
        enqueue(&self.queues.readers, job)?;
        answer
            .await
            .unwrap_or_else(|_| Err(DatabaseError::WorkerStopped.into()))
    }

    /// Finds a session by the hash of its key, with its user. Those of all waiting calls are read with one
    /// query.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn session(&self, key_hash: String) -> Result<Option<SessionRow>, DatabaseError> {
        let (lookup, answer) = SessionLookup::new(key_hash);
        enqueue(&self.queues.sessions, lookup)?;
        answer
            .await
            .unwrap_or_else(|_| Err(DatabaseError::WorkerStopped))
    }

    /// Chooses the writer by the player, so that writers never wait for each other over the same
    /// account.
    fn writer_queue(&self, scope: &Scope) -> Result<&Sender<Box<dyn Job>>, DatabaseError> {
        let Some(player) = scope.get_player() else {
            return Ok(&self.queues.house_writer);
        };
        let writers = &self.queues.writers;
        let count = u64::try_from(writers.len()).unwrap_or(1).max(1);
        usize::try_from(player.get().unsigned_abs() % count)
            .ok()
            .and_then(|index| writers.get(index))
            .ok_or(DatabaseError::WorkerStopped)
    }
}

/// Applies migrations, or makes sure that the owner of the tables has applied them.
fn bring_up_to_date(connection: &mut AnyConnection, keys: &HouseKeys) -> Result<(), OpenError> {
    if may_migrate(connection)? {
        let applied = migrate(connection, keys)?;
        if applied > 0 {
            tracing::info!(applied, "migrations applied");
        }
        return Ok(());
    }
    match missing(connection)? {
        None => Ok(add_missing_games(connection)?),
        Some(missing) => Err(match missing.migrations {
            Some(migrations) => OpenError::MigrationsMissing(migrations, missing.role),
            None => OpenError::NoRights(missing.role),
        }),
    }
}

/// Servers with different keys on one database would write a log that neither of them can verify.
fn check_audit_key(connection: &mut AnyConnection, keys: &AuditKeys) -> Result<(), OpenError> {
    let head = audit_head(connection)?;
    if let Some(id) = &head.key_id
        && keys.find(id).is_none()
    {
        return Err(OpenError::UnknownAuditKey(id.clone()));
    }
    if !head.is_sealed(keys) {
        tracing::error!("the end of the audit log has no valid seal; run `glasshouse check`");
    }
    Ok(())
}

/// A server without the key of a seed could neither play nor reveal its pair.
fn check_seed_keys(connection: &mut AnyConnection, keys: &SeedKeys) -> Result<(), OpenError> {
    let in_use = keys_in_use(connection)?;
    match in_use.into_iter().find(|id| keys.find(id).is_none()) {
        None => Ok(()),
        Some(unknown) => Err(OpenError::UnknownSeedKey(unknown)),
    }
}

fn enqueue<T>(queue: &Sender<T>, item: T) -> Result<(), DatabaseError> {
    queue.try_send(item).map_err(|error| match error {
        TrySendError::Full(_) => DatabaseError::Overloaded,
        TrySendError::Disconnected(_) => DatabaseError::WorkerStopped,
    })
}

/// The number of PostgreSQL writers for this machine: one a processor, within limits. With more of them,
/// each batch has fewer bets, and every batch costs a row and a signature for its receipts. A single one
/// would wait while its commit is flushed.
#[must_use]
pub fn postgres_writers() -> i64 {
    let (smallest, largest) = POSTGRES_WRITERS;
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    i64::try_from(processors)
        .unwrap_or(largest)
        .clamp(smallest, largest)
}

fn start_writer(url: &DatabaseUrl, state: WriterState) -> Result<Sender<Box<dyn Job>>, OpenError> {
    let (sender, receiver) = bounded(QUEUE_BOUND);
    let number = state.shard;
    let checkpoints = match url {
        DatabaseUrl::Sqlite(_) => Some(SqliteCheckpoints::start(url.connect()?)?),
        DatabaseUrl::Postgres(_) => None,
    };
    let writer = Writer::new(url.clone(), state, checkpoints)?;
    thread::Builder::new()
        .name(format!("writer-{number}"))
        .spawn(move || writer.work(&receiver))?;
    Ok(sender)
}

fn start_readers(
    url: &DatabaseUrl,
    first: AnyConnection,
    count: usize,
) -> Result<Sender<ReadJob>, OpenError> {
    let (sender, receiver) = bounded(QUEUE_BOUND);
    let mut first = Some(Reader::new(url.clone(), first));
    for number in 0..count.max(1) {
        let reader = match first.take() {
            Some(reader) => reader,
            None => Reader::open(url.clone(), Plans::Made)?,
        };
        let queries = receiver.clone();
        thread::Builder::new()
            .name(format!("reader-{number}"))
            .spawn(move || reader.work(&queries))?;
    }
    Ok(sender)
}
