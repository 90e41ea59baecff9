//! Group commit: batches, transactions, connections and their jobs.

use std::time::Duration;

/// Queries and batches that take longer are logged.
pub(crate) const SLOW: Duration = Duration::from_secs(1);

/// The capacity of each queue for the database's threads. Callers get an error beyond it.
pub(crate) const QUEUE_BOUND: usize = 4096;

pub(crate) mod batch;
pub(crate) mod cached_sql;
pub(crate) mod caller;
pub(crate) mod database;
pub(crate) mod exposure;
pub(crate) mod flush;
pub(crate) mod job;
pub(crate) mod notifications;
pub(crate) mod pace;
pub(crate) mod reader;
pub(crate) mod reserved_ids;
pub(crate) mod scope;
pub(crate) mod session_lookups;
pub(crate) mod sqlite_checkpoints;
pub(crate) mod staged;
pub(crate) mod transaction;
pub(crate) mod write_lock;
pub(crate) mod writer;
pub(crate) mod writer_state;
