//! What waits for its place in the log, as it is read before the log is locked.

use std::time::Duration;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::public_log::{LogState, WaitingBatch};
use glasshouse_persistence::{AnyConnection, DatabaseError, queries};
use glasshouse_transparency::Hash;
use glasshouse_transparency::entry::leaf_hash;

use crate::error::CasinoError;

/// How many batches get their places in one transaction.
pub(crate) const BATCHES: i64 = 2_000;

/// The shortest time between two checkpoints, whichever servers sign them.
pub(crate) const CHECKPOINT_PERIOD: Duration = Duration::from_secs(1);

/// A batch that waits for its place.
#[derive(Debug, Clone)]
pub(crate) struct HashedBatch {
    pub(crate) id: i64,
    /// The hashes of its entries.
    pub(crate) leaves: Vec<Hash>,
}

/// Hashes the entries of batches.
///
/// # Errors
/// If one is corrupt.
pub(crate) fn hashed(batches: &[WaitingBatch]) -> Result<Vec<HashedBatch>, CasinoError> {
    let hashed = batches.iter().map(|batch| {
        let lines = batch.lines().map_err(CasinoError::public_log)?;
        Ok(HashedBatch {
            id: batch.id,
            leaves: lines.into_iter().map(leaf_hash).collect(),
        })
    });
    hashed.collect()
}

/// The log and the batches that waited for it.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) state: LogState,
    pub(crate) batches: Vec<HashedBatch>,
}

impl Waiting {
    /// Reads and hashes what waits, unless the last checkpoint was only just signed, or an entry is corrupt.
    ///
    /// # Errors
    /// If the database fails.
    pub(crate) fn read(
        connection: &mut AnyConnection,
        now: Timestamp,
    ) -> Result<Result<Self, CasinoError>, DatabaseError> {
        // Read first: if another server gives a batch its place from now on, the log is larger than this.
        let state = queries::log_state(connection)?;
        let batches = if is_too_early(&state, now) {
            Vec::new()
        } else {
            queries::waiting_batches(connection, 0, BATCHES)?
        };
        Ok(hashed(&batches).map(|batches| Self { state, batches }))
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// Whether all of it still waits.
    pub(crate) fn is_current(&self, state: &LogState) -> bool {
        (self.state.id, self.state.size) == (state.id, state.size)
    }
}

/// Whether the last checkpoint was only just signed. A time in the future is from another clock.
pub(crate) fn is_too_early(state: &LogState, now: Timestamp) -> bool {
    state.signed_at.is_some_and(|signed_at| {
        (signed_at..signed_at.saturating_add(CHECKPOINT_PERIOD)).contains(&now)
    })
}
