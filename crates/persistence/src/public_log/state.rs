//! The end of the log, and the batches that wait for their place in it.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Nullable, Text};
use glasshouse_domain::Timestamp;

use crate::accounts::account::{signed, unsigned};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::public_log::entries::split;
use crate::schema::{log_batches, log_state};

/// The end of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogState {
    /// The name of the log; `None` until it has begun.
    pub origin: Option<String>,
    /// The number of entries.
    pub size: u64,
    /// The signed checkpoint of that size; empty until the log has begun.
    pub checkpoint: String,
    /// The verifier keys that the log names, a line each.
    pub keys: String,
    /// The SHA-256 of the rules that the log names, in hexadecimal.
    pub rules_hash: String,
    /// The day of the last entry of the books, counted from the Unix epoch.
    pub books_day: Option<i64>,
    /// When the checkpoint was signed; `None` until the log has begun.
    pub signed_at: Option<Timestamp>,
}

#[derive(Debug, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = log_state)]
struct StateRow {
    origin: Option<String>,
    size: i64,
    checkpoint: String,
    keys: String,
    rules_hash: String,
    books_day: Option<i64>,
    signed_at_micros: Option<i64>,
}

impl TryFrom<StateRow> for LogState {
    type Error = DatabaseError;

    fn try_from(row: StateRow) -> Result<Self, DatabaseError> {
        Ok(Self {
            origin: row.origin,
            size: unsigned(row.size, "size of the log")?,
            checkpoint: row.checkpoint,
            keys: row.keys,
            rules_hash: row.rules_hash,
            books_day: row.books_day,
            signed_at: row.signed_at_micros.map(Timestamp::from_micros),
        })
    }
}

/// A batch that has no place in the log yet.
#[derive(Debug, Clone)]
pub struct WaitingBatch {
    /// The ID of the batch.
    pub id: i64,
    entries: Vec<u8>,
    /// The number of entries.
    pub entry_count: u64,
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

/// Reads the end of the log.
///
/// # Errors
/// If the database fails.
pub fn log_state(connection: &mut AnyConnection) -> Result<LogState, DatabaseError> {
    log_state::table
        .select(StateRow::as_select())
        .get_result(connection)?
        .try_into()
}

/// The first batch that waits for its place; `None` if none does.
///
/// # Errors
/// If the database fails.
pub fn first_waiting_batch(connection: &mut AnyConnection) -> Result<Option<i64>, DatabaseError> {
    let first: Option<Id> = diesel::sql_query(
        "SELECT id FROM log_batches WHERE first_index IS NULL AND entry_count > 0
         ORDER BY id LIMIT 1",
    )
    .get_result(connection)
    .optional()?;
    Ok(first.map(|row| row.id))
}

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
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

impl Transaction<'_, '_> {
    /// Locks and reads the end of the log; `None` if another server is writing it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_log_state(&mut self) -> Result<Option<LogState>, DatabaseError> {
        self.execute(|connection| {
            let columns = "SELECT origin, size, checkpoint, keys, rules_hash, books_day,
                    signed_at_micros FROM log_state";
            let row: Option<StateRow> = match connection {
                AnyConnection::Sqlite(sqlite) => {
                    diesel::sql_query(columns).get_result(sqlite).optional()?
                }
                AnyConnection::Postgres(postgres) => {
                    diesel::sql_query(format!("{columns} FOR UPDATE SKIP LOCKED"))
                        .get_result(postgres)
                        .optional()?
                }
            };
            row.map(LogState::try_from).transpose()
        })
    }

    /// Waits until every transaction that adds to the log has ended, and keeps others from it until
    /// the commit, so that the totals and the waiting batches agree. On SQLite there are no others.
    ///
    /// # Errors
    /// If the database fails.
    pub fn keep_others_from_log(&mut self) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            if let AnyConnection::Postgres(postgres) = connection {
                diesel::sql_query("LOCK TABLE log_batches IN SHARE ROW EXCLUSIVE MODE")
                    .execute(postgres)?;
            }
            Ok(())
        })
    }

    /// The committed batches without a place in the log, oldest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn waiting_batches(&mut self, limit: i64) -> Result<Vec<WaitingBatch>, DatabaseError> {
        self.execute(|connection| {
            let rows: Vec<WaitingRow> = diesel::sql_query(
                "SELECT id, entries, entry_count FROM log_batches
                 WHERE first_index IS NULL AND entry_count > 0
                 ORDER BY id LIMIT $1",
            )
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
        })
    }

    /// Gives batches their places: each an ID with the index of its first entry.
    ///
    /// # Errors
    /// If the database fails.
    pub fn place_batches(&mut self, places: &[(i64, u64)]) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            for (id, first_index) in places {
                diesel::update(log_batches::table.find(id))
                    .set(log_batches::first_index.eq(signed(*first_index, "index")?))
                    .execute(connection)?;
            }
            Ok(())
        })
    }

    /// Adds a batch with entries of the log itself, at its place.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_placed_batch(
        &mut self,
        entries: &[u8],
        entry_count: u64,
        first_index: u64,
    ) -> Result<(), DatabaseError> {
        let id = self.next_log_batch_id()?;
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO log_batches (id, note, receipts, entries, entry_count, first_index)
                 VALUES ($1, '', $2, $3, $4, $5)",
            )
            .bind::<BigInt, _>(id)
            .bind::<Binary, _>(Vec::new())
            .bind::<Binary, _>(entries)
            .bind::<BigInt, _>(signed(entry_count, "number of entries")?)
            .bind::<BigInt, _>(signed(first_index, "index")?)
            .execute(connection)?;
            Ok(())
        })
    }

    /// Writes the end of the log.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_log_state(&mut self, state: &LogState) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "UPDATE log_state SET origin = $1, size = $2, checkpoint = $3, keys = $4,
                    rules_hash = $5, books_day = $6, signed_at_micros = $7",
            )
            .bind::<Nullable<Text>, _>(state.origin.as_deref())
            .bind::<BigInt, _>(signed(state.size, "size of the log")?)
            .bind::<Text, _>(&state.checkpoint)
            .bind::<Text, _>(&state.keys)
            .bind::<Text, _>(&state.rules_hash)
            .bind::<Nullable<BigInt>, _>(state.books_day)
            .bind::<Nullable<BigInt>, _>(state.signed_at.map(Timestamp::as_micros))
            .execute(connection)?;
            Ok(())
        })
    }
}
