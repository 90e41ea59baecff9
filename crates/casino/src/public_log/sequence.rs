//! Takes committed batches into the log: gives their entries places, writes the tiles, and signs a
//! checkpoint. All of it is one transaction, and one server at a time does it.
//!
//! What waits is read and hashed before, because bets may wait for that transaction.

use std::borrow::Cow;
use std::cell::RefCell;
use std::time::Duration;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::public_log::{LogState, WaitingBatch};
use glasshouse_persistence::{AnyConnection, DatabaseError, Transaction, queries};
use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{encode_bundle, leaf_hash};
use glasshouse_transparency::keys::SigningKeys;
use glasshouse_transparency::proof::{prove_consistency, verify_consistency};
use glasshouse_transparency::tile::{ReadError, RightEdge, Tile, TileSource};

use crate::error::CasinoError;
use crate::public_log::own_entries::{OwnEntries, own_entries};

/// How many batches get their places in one transaction.
const BATCHES: i64 = 2_000;

/// The shortest time between two checkpoints, whichever servers sign them.
pub(crate) const CHECKPOINT_PERIOD: Duration = Duration::from_secs(1);

/// The result of an attempt to continue the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Advance {
    /// Another server is at it.
    Busy,
    /// This is the last checkpoint. What waited is in the log, unless the checkpoint was only just
    /// signed.
    At(String),
}

/// A batch that waits for its place.
#[derive(Debug, Clone)]
struct HashedBatch {
    id: i64,
    /// The hashes of its entries.
    leaves: Vec<Hash>,
}

fn hashed(batches: &[WaitingBatch]) -> Result<Vec<HashedBatch>, CasinoError> {
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
    batches: Vec<HashedBatch>,
}

impl Waiting {
    /// Reads and hashes what waits, unless an entry is corrupt.
    ///
    /// # Errors
    /// If the database fails.
    pub(crate) fn read(
        connection: &mut AnyConnection,
    ) -> Result<Result<Self, CasinoError>, DatabaseError> {
        // Read first: if another server gives a batch its place from now on, the log is larger than this.
        let state = queries::log_state(connection)?;
        let batches = queries::waiting_batches(connection, 0, BATCHES)?;
        Ok(hashed(&batches).map(|batches| Self { state, batches }))
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// Whether all of it still waits.
    fn is_current(&self, state: &LogState) -> bool {
        (self.state.id, self.state.size) == (state.id, state.size)
    }
}

/// Takes the waiting batches into the log. `kept` is the last checkpoint that this server knows.
///
/// # Errors
/// [`Fault::PublicLog`] if the log contradicts what was signed before; nothing is signed then.
pub(crate) fn advance(
    transaction: &mut Transaction<'_, '_>,
    waiting: &Waiting,
    kept: Option<&Checkpoint>,
    now: Timestamp,
) -> Result<Advance, CasinoError> {
    let Some(mut state) = transaction.lock_log_state()? else {
        return Ok(Advance::Busy);
    };
    let house_keys = transaction.keys();
    let keys = house_keys.log.keys();
    let end = signed_end(&state, keys)?;
    let mut edge = read_edge(transaction, state.id, &end, kept)?;
    if is_too_early(&state, now) {
        return Ok(Advance::At(state.checkpoint));
    }
    let mut log = Growth {
        log: state.id,
        next: end.size,
        leaves: Vec::new(),
    };
    let is_books_day = state.books_day.is_some_and(|day| day < now.day());
    let batches = if is_books_day {
        // The totals and the entries before them must agree.
        transaction.keep_others_from_log()?;
        Cow::Owned(hashed(&transaction.waiting_batches(0, BATCHES)?)?)
    } else if waiting.is_current(&state) {
        Cow::Borrowed(waiting.batches.as_slice())
    } else {
        return Ok(Advance::Busy);
    };
    let are_all = i64::try_from(batches.len()).is_ok_and(|count| count < BATCHES);
    if end.size == 0 {
        let beginning = own_entries(transaction, &mut state, keys, (now, false))?;
        log.add_own(transaction, &beginning)?;
    }
    log.place(transaction, &batches)?;
    let own = own_entries(
        transaction,
        &mut state,
        keys,
        (now, is_books_day && are_all),
    )?;
    log.add_own(transaction, &own)?;
    if log.leaves.is_empty() {
        return Ok(Advance::At(state.checkpoint));
    }
    let changed = edge.append(&log.leaves).map_err(CasinoError::public_log)?;
    for stored in changed {
        let position = (stored.tile.level(), stored.tile.index());
        transaction.save_log_tile(state.id, position, &stored.data)?;
    }
    let checkpoint = edge.checkpoint();
    state.origin = Some(keys.origin().to_string());
    state.size = checkpoint.size;
    state.checkpoint = checkpoint.sign(keys).map_err(CasinoError::public_log)?;
    state.signed_at = Some(now);
    transaction.save_log_state(&state)?;
    Ok(Advance::At(state.checkpoint))
}

/// Whether the last checkpoint was only just signed. A time in the future is from another clock.
fn is_too_early(state: &LogState, now: Timestamp) -> bool {
    state.signed_at.is_some_and(|signed_at| {
        (signed_at..signed_at.saturating_add(CHECKPOINT_PERIOD)).contains(&now)
    })
}

/// The end of the log that was signed last.
fn signed_end(state: &LogState, keys: &SigningKeys) -> Result<Checkpoint, CasinoError> {
    let Some(origin) = &state.origin else {
        return Ok(RightEdge::empty().checkpoint());
    };
    if origin != keys.origin().as_str() {
        return Err(CasinoError::public_log(format!(
            "the log is named {origin}, but the given key signs for {}",
            keys.origin()
        )));
    }
    if state.size == 0 && state.checkpoint.is_empty() {
        // A log that follows another one is named before its first checkpoint.
        return Ok(RightEdge::empty().checkpoint());
    }
    let checkpoint =
        Checkpoint::open(&state.checkpoint, keys.verifier_keys()).map_err(|error| {
            CasinoError::public_log(format!("the last checkpoint in the database: {error}"))
        })?;
    if checkpoint.size == state.size {
        Ok(checkpoint)
    } else {
        Err(CasinoError::public_log(
            "the size of the log is not that of its last checkpoint",
        ))
    }
}

/// Reads what is needed to append to the log, and compares it with the checkpoint that was kept
/// outside of the database.
fn read_edge(
    transaction: &mut Transaction<'_, '_>,
    log: i64,
    end: &Checkpoint,
    kept: Option<&Checkpoint>,
) -> Result<RightEdge, CasinoError> {
    if let Some(kept) = kept.filter(|kept| kept.size > end.size) {
        return Err(CasinoError::public_log(format!(
            "the log in the database ends after {} entries, but a checkpoint of {} was signed: an \
             old backup was restored",
            end.size, kept.size
        )));
    }
    if end.size == 0 {
        return Ok(RightEdge::empty());
    }
    let tiles = Tiles {
        log,
        transaction: RefCell::new(transaction),
    };
    let edge = RightEdge::read(end, &tiles).map_err(read_error)?;
    if let Some(kept) = kept {
        let proof = prove_consistency(kept.size, end, &tiles).map_err(read_error)?;
        verify_consistency(&proof, kept, end).map_err(|_| {
            CasinoError::public_log(format!(
                "the log in the database does not continue the one that was signed at {} entries",
                kept.size
            ))
        })?;
    }
    Ok(edge)
}

fn read_error(error: ReadError<DatabaseError>) -> CasinoError {
    match error {
        ReadError::Source(error) => error.into(),
        other => CasinoError::public_log(format!("the tiles of the log: {other}")),
    }
}

/// The entries that are added to the log.
struct Growth {
    log: i64,
    next: u64,
    leaves: Vec<Hash>,
}

impl Growth {
    /// Gives batches their places.
    fn place(
        &mut self,
        transaction: &mut Transaction<'_, '_>,
        batches: &[HashedBatch],
    ) -> Result<(), CasinoError> {
        let mut places = Vec::with_capacity(batches.len());
        for batch in batches {
            places.push((batch.id, self.next));
            self.leaves.extend(&batch.leaves);
            self.next += count(&batch.leaves)?;
        }
        Ok(transaction.place_batches(self.log, &places)?)
    }

    /// Adds entries about the log itself.
    fn add_own(
        &mut self,
        transaction: &mut Transaction<'_, '_>,
        own: &OwnEntries,
    ) -> Result<(), CasinoError> {
        if own.lines.is_empty() {
            return Ok(());
        }
        let bundle = encode_bundle(&own.lines).map_err(CasinoError::public_log)?;
        let count = count(&own.lines)?;
        transaction.add_placed_batch(self.log, &bundle, count, self.next)?;
        self.leaves
            .extend(own.lines.iter().map(|line| leaf_hash(line.as_bytes())));
        self.next += count;
        Ok(())
    }
}

fn count<T>(items: &[T]) -> Result<u64, CasinoError> {
    u64::try_from(items.len()).map_err(CasinoError::public_log)
}

/// The tiles of the log as the transaction sees them.
struct Tiles<'t, 'b, 'c> {
    log: i64,
    transaction: RefCell<&'t mut Transaction<'b, 'c>>,
}

impl TileSource for Tiles<'_, '_, '_> {
    type Error = DatabaseError;

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, DatabaseError> {
        let mut transaction = self.transaction.borrow_mut();
        tiles
            .iter()
            .map(|tile| {
                let mut hashes = transaction.log_tile(self.log, tile.level(), tile.index())?;
                hashes.truncate(tile.data_length());
                Ok(hashes)
            })
            .collect()
    }
}
