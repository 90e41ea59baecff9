//! The log as it is served: tiles of hashes, and entries by index.

use std::ops::Range;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary};

use glasshouse_transparency::Hash;
use glasshouse_transparency::entry::leaf_hash;

use crate::accounts::account::{signed, unsigned};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::public_log::entries::split;
use crate::schema::{log_batches_and_places, log_tiles};

/// A batch with its place in the log.
#[derive(Debug, Clone)]
pub struct PlacedBatch {
    /// The ID of the batch.
    pub id: i64,
    /// The index of the first entry.
    pub first_index: u64,
    /// The number of entries.
    pub entry_count: u64,
    entries: Vec<u8>,
}

impl PlacedBatch {
    /// The entries.
    ///
    /// # Errors
    /// If they are not as many as they should be.
    pub fn lines(&self) -> Result<Vec<&[u8]>, DatabaseError> {
        split(self.id, &self.entries, self.entry_count)
    }

    /// The entries whose index is in this range, each with its index.
    ///
    /// # Errors
    /// If the batch does not have as many entries as it should.
    pub fn lines_in(
        &self,
        range: Range<u64>,
    ) -> Result<impl Iterator<Item = (u64, &[u8])>, DatabaseError> {
        let all = (self.first_index..).zip(self.lines()?);
        Ok(all.filter(move |(index, _)| range.contains(index)))
    }
}

/// The hashes of a tile of a log as far as they exist; empty if there are none.
///
/// # Errors
/// If the database fails.
pub fn log_tile(
    connection: &mut AnyConnection,
    log: i64,
    level: u8,
    index: u64,
) -> Result<Vec<u8>, DatabaseError> {
    // No log is so large.
    let Ok(index) = i64::try_from(index) else {
        return Ok(Vec::new());
    };
    let hashes: Option<Vec<u8>> = log_tiles::table
        .find((log, i64::from(level), index))
        .select(log_tiles::hashes)
        .get_result(connection)
        .optional()?;
    Ok(hashes.unwrap_or_default())
}

/// The batches of a log that contain the entries from `from` up to, but not including, `to`, in order.
///
/// # Errors
/// If the database fails.
pub fn placed_batches(
    connection: &mut AnyConnection,
    log: i64,
    (from, to): (u64, u64),
) -> Result<Vec<PlacedBatch>, DatabaseError> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        id: i64,
        #[diesel(sql_type = BigInt)]
        first_index: i64,
        #[diesel(sql_type = BigInt)]
        entry_count: i64,
        #[diesel(sql_type = Binary)]
        entries: Vec<u8>,
    }
    // The first batch is the one with the largest index that is not above `from`.
    let rows: Vec<Row> = diesel::sql_query(
        "SELECT id, first_index, entry_count, entries FROM log_batches_and_places
         WHERE log_id = $1 AND first_index < $2 AND first_index >= COALESCE((
            SELECT first_index FROM log_batches_and_places
            WHERE log_id = $1 AND first_index <= $3 ORDER BY first_index DESC LIMIT 1
         ), 0)
         ORDER BY first_index",
    )
    .bind::<BigInt, _>(log)
    .bind::<BigInt, _>(signed(to, "index")?)
    .bind::<BigInt, _>(signed(from, "index")?)
    .load(connection)?;
    rows.into_iter()
        .map(|row| {
            Ok(PlacedBatch {
                id: row.id,
                first_index: unsigned(row.first_index, "index")?,
                entry_count: unsigned(row.entry_count, "number of entries")?,
                entries: row.entries,
            })
        })
        .collect()
}

/// The place of an entry in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryPlace {
    /// The log.
    pub log: i64,
    /// The index of the entry in it.
    pub index: u64,
}

/// The place of an entry of a batch, found by its leaf hash; `None` if the batch has no place yet.
///
/// # Errors
/// If the database fails, or the batch does not have the entry.
pub fn place_of(
    connection: &mut AnyConnection,
    batch: i64,
    leaf: Hash,
) -> Result<Option<EntryPlace>, DatabaseError> {
    type Row = (Option<i64>, Option<i64>, i64, Vec<u8>);
    let (log, first_index, count, entries): Row = log_batches_and_places::table
        .find(batch)
        .select((
            log_batches_and_places::log_id,
            log_batches_and_places::first_index,
            log_batches_and_places::entry_count,
            log_batches_and_places::entries,
        ))
        .get_result(connection)?;
    let (Some(log), Some(first_index)) = (log, first_index) else {
        return Ok(None);
    };
    let lines = split(batch, &entries, unsigned(count, "number of entries")?)?;
    let found = (first_index..)
        .zip(lines)
        .find(|(_, line)| leaf_hash(line) == leaf);
    let (index, _) = found.ok_or_else(|| {
        DatabaseError::corrupt(format!(
            "batch {batch} does not have the entry of its round"
        ))
    })?;
    let index = unsigned(index, "index")?;
    Ok(Some(EntryPlace { log, index }))
}

impl Transaction<'_, '_> {
    /// The hashes of a tile as far as they exist; empty if there are none.
    ///
    /// # Errors
    /// If the database fails.
    pub fn log_tile(&mut self, log: i64, level: u8, index: u64) -> Result<Vec<u8>, DatabaseError> {
        self.execute(|connection| log_tile(connection, log, level, index))
    }

    /// Writes a tile, or more hashes of one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_log_tile(
        &mut self,
        log: i64,
        (level, index): (u8, u64),
        hashes: &[u8],
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO log_tiles (log_id, level, tile_index, hashes) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (log_id, level, tile_index) DO UPDATE SET hashes = excluded.hashes",
            )
            .bind::<BigInt, _>(log)
            .bind::<BigInt, _>(i64::from(level))
            .bind::<BigInt, _>(signed(index, "index of a tile")?)
            .bind::<Binary, _>(hashes)
            .execute(connection)?;
            Ok(())
        })
    }
}
