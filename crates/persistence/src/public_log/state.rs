//! The end of the log. If the house had to begin another log, the last one is written and the earlier
//! ones are over.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::Timestamp;

use crate::accounts::account::{signed, unsigned};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::log_state;

/// The end of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogState {
    /// The number of the log among those of this database, from 1.
    pub id: i64,
    /// The name of the log; `None` until the first one has begun.
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
    /// The last checkpoint of the log that this one follows; `None` for the first log.
    pub follows: Option<String>,
}

#[derive(Debug, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = log_state)]
struct StateRow {
    id: i64,
    origin: Option<String>,
    size: i64,
    checkpoint: String,
    keys: String,
    rules_hash: String,
    books_day: Option<i64>,
    signed_at_micros: Option<i64>,
    follows: Option<String>,
}

impl TryFrom<StateRow> for LogState {
    type Error = DatabaseError;

    fn try_from(row: StateRow) -> Result<Self, DatabaseError> {
        Ok(Self {
            id: row.id,
            origin: row.origin,
            size: unsigned(row.size, "size of the log")?,
            checkpoint: row.checkpoint,
            keys: row.keys,
            rules_hash: row.rules_hash,
            books_day: row.books_day,
            signed_at: row.signed_at_micros.map(Timestamp::from_micros),
            follows: row.follows,
        })
    }
}

/// Reads the end of the log that is written.
///
/// # Errors
/// If the database fails.
pub fn log_state(connection: &mut AnyConnection) -> Result<LogState, DatabaseError> {
    log_state::table
        .order(log_state::id.desc())
        .select(StateRow::as_select())
        .first(connection)?
        .try_into()
}

/// Reads the end of any log.
///
/// # Errors
/// If the database fails, or has no such log.
pub fn log_state_of(connection: &mut AnyConnection, log: i64) -> Result<LogState, DatabaseError> {
    log_state::table
        .find(log)
        .select(StateRow::as_select())
        .first(connection)?
        .try_into()
}

/// The ends of all logs, the one that is written last.
///
/// # Errors
/// If the database fails.
pub fn log_states(connection: &mut AnyConnection) -> Result<Vec<LogState>, DatabaseError> {
    let rows: Vec<StateRow> = log_state::table
        .order(log_state::id)
        .select(StateRow::as_select())
        .load(connection)?;
    rows.into_iter().map(LogState::try_from).collect()
}

/// The columns in the order of [`StateRow`].
const LOCK: &str = "SELECT id, origin, size, checkpoint, keys, rules_hash, books_day,
        signed_at_micros, follows
    FROM log_state WHERE id = (SELECT MAX(id) FROM log_state)";

impl Transaction<'_, '_> {
    /// Locks and reads the end of the log; `None` if another server is writing it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_log_state(&mut self) -> Result<Option<LogState>, DatabaseError> {
        self.execute(|connection| {
            let row: Option<StateRow> = match connection {
                AnyConnection::Sqlite(sqlite) => {
                    diesel::sql_query(LOCK).get_result(sqlite).optional()?
                }
                AnyConnection::Postgres(postgres) => {
                    diesel::sql_query(format!("{LOCK} FOR UPDATE SKIP LOCKED"))
                        .get_result(postgres)
                        .optional()?
                }
            };
            row.map(LogState::try_from).transpose()
        })
    }

    /// The ends of all logs, the one that is written last.
    ///
    /// # Errors
    /// If the database fails.
    pub fn log_states(&mut self) -> Result<Vec<LogState>, DatabaseError> {
        self.execute(log_states)
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

    /// Writes the end of the log.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_log_state(&mut self, state: &LogState) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "UPDATE log_state SET origin = $1, size = $2, checkpoint = $3, keys = $4,
                    rules_hash = $5, books_day = $6, signed_at_micros = $7
                 WHERE id = $8",
            )
            .bind::<Nullable<Text>, _>(state.origin.as_deref())
            .bind::<BigInt, _>(signed(state.size, "size of the log")?)
            .bind::<Text, _>(&state.checkpoint)
            .bind::<Text, _>(&state.keys)
            .bind::<Text, _>(&state.rules_hash)
            .bind::<Nullable<BigInt>, _>(state.books_day)
            .bind::<Nullable<BigInt>, _>(state.signed_at.map(Timestamp::as_micros))
            .bind::<BigInt, _>(state.id)
            .execute(connection)?;
            Ok(())
        })
    }
}
