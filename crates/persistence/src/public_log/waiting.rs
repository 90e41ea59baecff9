//! The batches that wait for their place in the log, and how they get it.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary};

use crate::accounts::account::{signed, unsigned};
use crate::connection::AnyConnection;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::public_log::batch::insert_batch;
use crate::public_log::entries::split;

/// A batch that has no place in the log yet.
#[derive(Debug, Clone)]
pub struct WaitingBatch {
    /// The ID of the batch.
    pub id: i64,
    entries: Vec<u8>,
    entry_count: u64,
}

impl WaitingBatch {
    /// The entries.
    ///
    /// # Errors
    /// If they are not as many as they should be.
    pub fn lines(&self) -> Result<Vec<&[u8]>, DatabaseError> {
        split(self.id, &self.entries, self.entry_count)
    }
}

/// A row with the ID of a batch.
#[derive(QueryableByName)]
pub(crate) struct BatchId {
    #[diesel(sql_type = BigInt)]
    pub(crate) id: i64,
}

/// The first batch that waits for its place; `None` if none does.
///
/// # Errors
/// If the database fails.
pub fn first_waiting_batch(connection: &mut AnyConnection) -> Result<Option<i64>, DatabaseError> {
    let first: Option<BatchId> =
        diesel::sql_query("SELECT id FROM waiting_log_batches ORDER BY id LIMIT 1")
            .get_result(connection)
            .optional()?;
    Ok(first.map(|row| row.id))
}

#[derive(QueryableByName)]
struct WaitingRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Binary)]
    entries: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    entry_count: i64,
}

/// The batches with an ID above `after` that wait for their place, oldest first.
///
/// # Errors
/// If the database fails.
pub fn waiting_batches(
    connection: &mut AnyConnection,
    after: i64,
    limit: i64,
) -> Result<Vec<WaitingBatch>, DatabaseError> {
    let rows: Vec<WaitingRow> = diesel::sql_query(
        "SELECT id, entries, entry_count FROM waiting_log_batches
         WHERE id > $1 ORDER BY id LIMIT $2",
    )
    .bind::<BigInt, _>(after)
    .bind::<BigInt, _>(limit)
    .load(connection)?;
    rows.into_iter()
        .map(|row| {
            Ok(WaitingBatch {
                id: row.id,
                entries: row.entries,
                entry_count: unsigned(row.entry_count, "number of entries")?,
            })
        })
        .collect()
}

impl Transaction<'_, '_> {
    /// The committed batches with an ID above `after` that have no place in a log, oldest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn waiting_batches(
        &mut self,
        after: i64,
        limit: i64,
    ) -> Result<Vec<WaitingBatch>, DatabaseError> {
        self.execute(|connection| waiting_batches(connection, after, limit))
    }

    /// Gives batches their places in a log: each an ID with the index of its first entry. Returns how many of them
    /// waited for it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn place_batches(
        &mut self,
        log: i64,
        places: &[(i64, u64)],
    ) -> Result<usize, DatabaseError> {
        let ids: Vec<i64> = places.iter().map(|(id, _)| *id).collect();
        let indexes: Vec<i64> = places
            .iter()
            .map(|(_, first_index)| signed(*first_index, "index"))
            .collect::<Result<_, _>>()?;
        self.execute(|connection| match connection {
            AnyConnection::Sqlite(sqlite) => {
                let mut count = 0;
                for (id, first_index) in ids.iter().zip(&indexes) {
                    count += cached_sql!(
                        "INSERT INTO log_places (log_id, first_index, batch_id)
                         SELECT ?, ?, batch_id FROM log_waiting WHERE batch_id = ?",
                    )
                    .bind::<BigInt, _>(log)
                    .bind::<BigInt, _>(*first_index)
                    .bind::<BigInt, _>(*id)
                    .execute(sqlite)?;
                }
                Ok(count)
            }
            AnyConnection::Postgres(postgres) => {
                let count = cached_sql!(
                    "UPDATE log_batches b SET log_id = ?, first_index = place.first_index
                     FROM UNNEST(?, ?) AS place (id, first_index)
                     WHERE b.id = place.id AND b.first_index IS NULL",
                )
                .bind::<BigInt, _>(log)
                .bind::<Array<BigInt>, _>(&ids)
                .bind::<Array<BigInt>, _>(&indexes)
                .execute(postgres)?;
                Ok(count)
            }
        })
    }

    /// Adds a batch with entries of the log itself, at its place.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_placed_batch(
        &mut self,
        log: i64,
        entries: &[u8],
        entry_count: u64,
        first_index: u64,
    ) -> Result<(), DatabaseError> {
        let id = self.next_log_batch_id()?;
        let entry_count = signed(entry_count, "number of entries")?;
        self.execute(|connection| insert_batch(connection, id, ("", &[]), (entries, entry_count)))?;
        self.place_batches(log, &[(id, first_index)])?;
        Ok(())
    }
}
