//! The log as anyone may read it, and a player's receipts and proofs.

use std::cell::RefCell;

use glasshouse_domain::{ReceiptId, RoundId, UserId};
use glasshouse_games::with_game;
use glasshouse_persistence::public_log::{LogState, Receipt, StoredReceipt};
use glasshouse_persistence::rounds::RoundWithSeeds;
use glasshouse_persistence::{AnyConnection, DatabaseError, Page, queries};
use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::{Checkpoint, stated_end};
use glasshouse_transparency::entry::encode_bundle;
use glasshouse_transparency::proof::{checkpoint_at, prove_consistency, prove_inclusion};
use glasshouse_transparency::tile::{Bundle, ReadError, Tile, TileSource};

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::seeds_read_with;
use crate::house::House;
use crate::play::current::{receipt_again, restore};
use crate::public_log::cosigned::with_cosignatures;

/// That a round is in the log.
#[derive(Debug, Clone)]
pub struct RoundProof {
    /// The index of its entry.
    pub index: u64,
    /// The entry.
    pub entry: String,
    /// The hashes that lead from the entry to the checkpoint's root.
    pub path: Vec<Hash>,
    /// The signed checkpoint.
    pub checkpoint: String,
}

/// The last signed checkpoint, with the cosignatures of the witnesses that have cosigned this one;
/// `None` before the log has begun.
///
/// # Errors
/// On a fault.
pub async fn read_checkpoint(house: &House) -> Result<Option<String>, CasinoError> {
    let has_witnesses = !house.witnesses.is_empty();
    let (state, cosignatures) = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let state = queries::log_state(connection)?;
            let cosignatures = if has_witnesses {
                queries::last_cosignatures(connection)?
            } else {
                Vec::new()
            };
            Ok((state, cosignatures))
        })
        .await?;
    let LogState {
        size, checkpoint, ..
    } = state;
    let note = with_cosignatures(checkpoint, size, &cosignatures, &house.witnesses);
    Ok((size > 0).then_some(note))
}

/// A tile of hashes; `None` if the log does not have that many.
///
/// # Errors
/// On a fault.
pub async fn read_tile(house: &House, tile: Tile) -> Result<Option<Vec<u8>>, CasinoError> {
    let mut hashes = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let log = queries::log_state(connection)?.id;
            queries::log_tile(connection, log, tile.level(), tile.index())
        })
        .await?;
    if hashes.len() < tile.data_length() {
        return Ok(None);
    }
    hashes.truncate(tile.data_length());
    Ok(Some(hashes))
}

/// A bundle of entries; `None` if the log does not have that many.
///
/// # Errors
/// On a fault.
pub async fn read_bundle(house: &House, bundle: Bundle) -> Result<Option<Vec<u8>>, CasinoError> {
    house
        .database
        .read::<_, CasinoError, _>(move |connection| entries_of(connection, bundle))
        .await?
        .map(|lines| encode_bundle(&lines).map_err(CasinoError::public_log))
        .transpose()
}

fn entries_of(
    connection: &mut AnyConnection,
    bundle: Bundle,
) -> Result<Option<Vec<Vec<u8>>>, DatabaseError> {
    let width = u64::from(bundle.width());
    let range = bundle
        .index()
        .checked_mul(u64::from(glasshouse_transparency::tile::FULL_WIDTH))
        .and_then(|from| Some((from, from.checked_add(width)?)))
        .filter(|(_, to)| i64::try_from(*to).is_ok());
    let Some((from, to)) = range else {
        return Ok(None);
    };
    // Entries are public from the checkpoint on that contains them.
    let state = queries::log_state(connection)?;
    if state.size < to {
        return Ok(None);
    }
    let mut lines = Vec::new();
    for batch in queries::placed_batches(connection, state.id, (from, to))? {
        lines.extend(batch.lines_in(from..to)?.map(|(_, line)| line.to_vec()));
    }
    let is_whole = u64::try_from(lines.len()) == Ok(width);
    Ok(is_whole.then_some(lines))
}

/// The proof that a later checkpoint continues an earlier one.
///
/// # Errors
/// [`Refusal::NotFound`] if the log does not have these sizes; or a fault.
pub async fn read_consistency(house: &House, from: u64, to: u64) -> Result<Vec<Hash>, CasinoError> {
    house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            let state = queries::log_state(connection)?;
            let Some(end) = end_of(&state).filter(|end| from <= to && to <= end.size) else {
                return Ok(None);
            };
            let tiles = Tiles::of(state.id, connection);
            let later = checkpoint_at(to, &end, &tiles).map_err(corrupt)?;
            let proof = prove_consistency(from, &later, &tiles).map_err(corrupt)?;
            Ok(Some(proof))
        })
        .await?
        .ok_or_else(|| Refusal::NotFound.into())
}

/// The size and the root of the stored checkpoint; `None` before the log has begun.
pub(crate) fn end_of(state: &LogState) -> Option<Checkpoint> {
    stated_end(&state.checkpoint).map(|(_, end)| end)
}

pub(crate) fn corrupt(error: ReadError<DatabaseError>) -> DatabaseError {
    match error {
        ReadError::Source(error) => error,
        other => DatabaseError::Corrupt(format!("tiles of the log: {other}")),
    }
}

/// The receipt of the last change of one of the player's rounds.
///
/// # Errors
/// [`Refusal::NotFound`] if there is no such round of this player, or it is from before receipts
/// existed; or a fault.
pub async fn read_round_receipt(
    house: &House,
    player: UserId,
    id: RoundId,
) -> Result<Receipt, CasinoError> {
    let found = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let Some(found) = queries::round_with_seeds(connection, player, id)? else {
                return Ok(None);
            };
            let Some(position) = found.round.receipt else {
                return Ok(None);
            };
            let batch = queries::receipt_batch(connection, position.batch)?;
            Ok(Some((found, batch)))
        })
        .await?;
    let (found, batch) = found.ok_or(Refusal::NotFound)?;
    let RoundWithSeeds { round, .. } = &found;
    let seeds = seeds_read_with(&house.database.keys().seeds, &found)?;
    with_game!(round.game, R => {
        receipt_again(&restore::<R>(round.clone(), &seeds)?, &seeds, &batch)
    })
}

/// The proof that one of the player's settled rounds is in the log.
///
/// # Errors
/// [`Refusal::NotFound`] if there is no such settled round of this player;
/// [`Refusal::NotInLogYet`] if its entry has no place yet; or a fault.
pub async fn read_round_proof(
    house: &House,
    player: UserId,
    id: RoundId,
) -> Result<RoundProof, CasinoError> {
    let found = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            queries::round_with_seeds(connection, player, id)
        })
        .await?
        .ok_or(Refusal::NotFound)?;
    let seeds = seeds_read_with(&house.database.keys().seeds, &found)?;
    let round = found.round;
    let position = round.receipt.ok_or(Refusal::NotFound)?;
    let entry = with_game!(round.game, R => restore::<R>(round, &seeds)?.entry()?);
    let entry = entry.ok_or(Refusal::NotFound)?;
    let hash = entry.hash;
    let placed = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            let Some(place) = queries::place_of(connection, position.batch, hash)? else {
                return Ok(None);
            };
            let (log, index) = (place.log, place.index);
            let state = queries::log_state_of(connection, log)?;
            let Some(end) = end_of(&state).filter(|end| index < end.size) else {
                return Ok(None);
            };
            let tiles = Tiles::of(log, connection);
            let path = prove_inclusion(&end, index, &tiles).map_err(corrupt)?;
            Ok(Some((index, path, state.checkpoint)))
        })
        .await?;
    let (index, path, checkpoint) = placed.ok_or(Refusal::NotInLogYet)?;
    Ok(RoundProof {
        index,
        entry: entry.line,
        path,
        checkpoint,
    })
}

/// A page of a player's receipts of seed pairs, deposits and withdrawals, newest first.
///
/// # Errors
/// On a fault.
pub async fn read_receipts(
    house: &House,
    player: UserId,
    before: Option<ReceiptId>,
    limit: usize,
) -> Result<Page<StoredReceipt, ReceiptId>, CasinoError> {
    house
        .database
        .read(move |connection| {
            let receipts = queries::receipts_of(connection, player, before, limit)?;
            Ok(Page::new(receipts, limit, |receipt| receipt.id))
        })
        .await
}

/// The tiles of a log in the database.
pub(crate) struct Tiles<'c> {
    log: i64,
    connection: RefCell<&'c mut AnyConnection>,
}

impl<'c> Tiles<'c> {
    pub(crate) const fn of(log: i64, connection: &'c mut AnyConnection) -> Self {
        Self {
            log,
            connection: RefCell::new(connection),
        }
    }
}

impl TileSource for Tiles<'_> {
    type Error = DatabaseError;

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, DatabaseError> {
        let mut connection = self.connection.borrow_mut();
        tiles
            .iter()
            .map(|tile| {
                let (level, index) = (tile.level(), tile.index());
                let mut hashes = queries::log_tile(&mut connection, self.log, level, index)?;
                hashes.truncate(tile.data_length());
                Ok(hashes)
            })
            .collect()
    }
}
