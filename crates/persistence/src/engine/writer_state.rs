//! What a writer keeps from one batch to the next.

use std::sync::Arc;
use std::time::Duration;

use crate::connection::AnyConnection;
use crate::engine::notifications::InstanceId;
use crate::engine::reserved_ids::{IdsOf, ReservedIds};
use crate::house_keys::HouseKeys;

/// A few seconds, as on PostgreSQL, so that a caller is told to try again before it gives up.
const SQLITE_LOCK_WAIT: Duration = Duration::from_secs(5);

/// What a writer keeps from one batch to the next.
pub(crate) struct WriterState {
    pub(crate) round_ids: ReservedIds,
    pub(crate) batch_ids: ReservedIds,
    pub(crate) instance: InstanceId,
    /// The shard of the house's totals that the writer updates: its number among the server's
    /// writers, of which the one for the house's own work is the last.
    pub(crate) shard: i64,
    pub(crate) keys: Arc<HouseKeys>,
    /// How long a batch waits for SQLite's write lock.
    pub(crate) sqlite_lock_wait: Duration,
}

impl WriterState {
    pub(crate) const fn new(instance: InstanceId, shard: i64, keys: Arc<HouseKeys>) -> Self {
        Self {
            round_ids: ReservedIds::new(IdsOf::Rounds),
            batch_ids: ReservedIds::new(IdsOf::LogBatches),
            instance,
            shard,
            keys,
            sqlite_lock_wait: SQLITE_LOCK_WAIT,
        }
    }

    /// To be called at the start of each transaction.
    pub(crate) fn begin(&mut self, connection: &AnyConnection) {
        self.round_ids.begin(connection);
        self.batch_ids.begin(connection);
    }
}
