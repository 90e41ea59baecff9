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

/// How many of them are in memory at once, a divisor of [`BATCHES`]. A second's bets can be ten thousand entries.
const BATCHES_AT_ONCE: i64 = 20;

/// The shortest time between two checkpoints, whichever servers sign them.
pub(crate) const CHECKPOINT_PERIOD: Duration = Duration::from_secs(1);

/// A batch that waits for its place.
#[derive(Debug, Clone)]
pub(crate) struct HashedBatch {
    pub(crate) id: i64,
    /// The hashes of its entries.
    pub(crate) leaves: Vec<Hash>,
}

/// Reads the waiting batches, some at a time, and hashes their entries. `read` returns those after an ID.
///
/// # Errors
/// If the database fails; inside, if an entry is corrupt.
pub(crate) fn read_hashed(
    mut read: impl FnMut(i64, i64) -> Result<Vec<WaitingBatch>, DatabaseError>,
) -> Result<Result<Vec<HashedBatch>, CasinoError>, DatabaseError> {
    let mut all: Vec<HashedBatch> = Vec::new();
    for _ in 0..BATCHES / BATCHES_AT_ONCE {
        let after = all.last().map_or(0, |batch| batch.id);
        let batches = read(after, BATCHES_AT_ONCE)?;
        if batches.is_empty() {
            break;
        }
        for batch in &batches {
            match hashed(batch) {
                Ok(batch) => all.push(batch),
                Err(corrupt) => return Ok(Err(corrupt)),
            }
        }
    }
    Ok(Ok(all))
}

fn hashed(batch: &WaitingBatch) -> Result<HashedBatch, CasinoError> {
    let lines = batch.lines().map_err(CasinoError::public_log)?;
    Ok(HashedBatch {
        id: batch.id,
        leaves: lines.into_iter().map(leaf_hash).collect(),
    })
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
            Ok(Vec::new())
        } else {
            read_hashed(|after, limit| queries::waiting_batches(connection, after, limit))?
        };
        Ok(batches.map(|batches| Self { state, batches }))
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
