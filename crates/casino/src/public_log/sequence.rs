//! Takes committed batches into the log: gives their entries places, writes the tiles, and signs a
//! checkpoint. That is one transaction, and one server at a time does it.
//!
//! What waits is read and hashed before it, because bets may wait for it.

use std::borrow::Cow;
use std::cell::RefCell;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::public_log::LogState;
use glasshouse_persistence::{DatabaseError, Transaction};
use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{encode_bundle, leaf_hash};
use glasshouse_transparency::keys::SigningKeys;
use glasshouse_transparency::proof::{prove_consistency, verify_consistency};
use glasshouse_transparency::tile::{ReadError, RightEdge, Tile, TileSource};

use crate::error::{CasinoError, Fault};
use crate::public_log::own_entries::{OwnEntries, own_entries};
use crate::public_log::waiting::{BATCHES, HashedBatch, Waiting, is_too_early, read_hashed};

/// The result of an attempt to continue the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Advance {
    /// Another server is at it.
    Busy,
    /// Another server has placed what was read.
    Overtaken,
    /// This is the last checkpoint. What waited is in the log, unless the checkpoint was only just
    /// signed.
    At(String),
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
        let read = |after, limit| transaction.waiting_batches(after, limit);
        Cow::Owned(read_hashed(read)??)
    } else if waiting.is_current(&state) {
        Cow::Borrowed(waiting.batches.as_slice())
    } else {
        return Ok(Advance::Overtaken);
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
        if transaction.place_batches(self.log, &places)? == places.len() {
            Ok(())
        } else {
            // Perhaps they were read from a primary that was lost with them.
            Err(Fault::Interrupted("batches do not wait for the log any more".to_owned()).into())
        }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use glasshouse_persistence::Scope;
    use glasshouse_testing::{Backend, EmptyDatabase, open_database, sql, texts};
    use rstest::rstest;

    use super::*;
    use crate::clock::SystemClock;
    use crate::house::House;
    use crate::public_log::keeper::advance_public_log;

    /// A log that has begun, and a batch that waits.
    struct Fixture {
        house: House,
        begun: Timestamp,
        storage: EmptyDatabase,
    }

    impl Fixture {
        async fn new(backend: Backend) -> Self {
            let storage = EmptyDatabase::migrated(backend);
            let begun = Timestamp::from_micros(1_700_000_000_000_000);
            let clock = Arc::new(SystemClock::at(begun));
            let house = House::new(open_database(&storage.url), clock);
            advance_public_log(&house).await;
            sql(
                &storage.url,
                "INSERT INTO log_batches (id, note, receipts, entries, entry_count)
                 SELECT id + 1000, note, receipts, entries, entry_count FROM log_batches LIMIT 1",
            )
            .unwrap();
            Self {
                house,
                begun,
                storage,
            }
        }

        /// A moment at which the next checkpoint may be signed.
        fn minutes_later(&self, minutes: u64) -> Timestamp {
            self.begun.saturating_add(Duration::from_mins(minutes))
        }

        async fn read(&self) -> Waiting {
            let now = self.minutes_later(1);
            let database = &self.house.database;
            let waiting = database
                .read::<_, CasinoError, _>(move |connection| Waiting::read(connection, now));
            waiting.await.unwrap().unwrap()
        }

        async fn advance(&self, waiting: Waiting, now: Timestamp) -> Result<Advance, CasinoError> {
            let advance = move |transaction: &mut Transaction<'_, '_>| {
                advance(transaction, &waiting, None, now)
            };
            self.house.database.write(Scope::nobody(), advance).await
        }

        /// The places of all batches, in their order.
        fn places(&self) -> Vec<String> {
            let query = "SELECT COALESCE(CAST(first_index AS TEXT), 'none') AS value FROM log_batches_and_places ORDER BY id";
            texts(&self.storage.url, query)
        }
    }

    #[rstest]
    #[case::sqlite(Backend::Sqlite)]
    #[case::postgres(Backend::Postgres)]
    #[tokio::test]
    async fn what_another_server_has_placed_is_not_placed_again(#[case] backend: Backend) {
        let test = Fixture::new(backend).await;
        let waiting = [test.read().await, test.read().await];
        assert!(waiting.iter().all(|waiting| !waiting.is_empty()));
        let [first, second] = waiting;
        let advanced = test.advance(first, test.minutes_later(1)).await;
        assert!(matches!(advanced, Ok(Advance::At(_))), "{advanced:?}");
        assert_eq!(test.places(), ["0", "2"]);
        let overtaken = test.advance(second, test.minutes_later(2)).await;
        assert!(matches!(overtaken, Ok(Advance::Overtaken)), "{overtaken:?}");
        assert_eq!(test.places(), ["0", "2"]);
        assert!(test.read().await.is_empty());
    }

    #[rstest]
    #[case::sqlite(Backend::Sqlite)]
    #[case::postgres(Backend::Postgres)]
    #[tokio::test]
    async fn nothing_is_signed_for_a_batch_that_is_not_in_the_database(#[case] backend: Backend) {
        let test = Fixture::new(backend).await;
        let mut waiting = test.read().await;
        let before = waiting.state.clone();
        // As if it had been read from a primary that was lost with it.
        for batch in &mut waiting.batches {
            batch.id += 1;
        }
        let refused = test.advance(waiting, test.minutes_later(1)).await;
        assert!(
            matches!(refused, Err(CasinoError::Fault(Fault::Interrupted(_)))),
            "{refused:?}"
        );
        assert_eq!(test.read().await.state, before);
    }
}
