//! What is in the log of a database that is not opened yet.

use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl as _};

use crate::accounts::account::unsigned;
use crate::connection::{AnyConnection, DatabaseUrl};
use crate::error::DatabaseError;
use crate::migrations::{LOG_PLACES, PUBLIC_LOG, is_pending};
use crate::public_log::state::{LogState, log_states};

/// The logs of a database.
#[derive(Debug, Clone, Default)]
pub struct LogSummary {
    /// The ends of all logs, the one that is written last; empty if the database does not exist yet,
    /// or is from before the log.
    pub logs: Vec<LogState>,
    /// The number of entries that have no place in a log yet.
    pub waiting_entries: u64,
}

#[derive(QueryableByName)]
struct Sum {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// Reads what is in the log of a database, without creating or migrating it.
///
/// # Errors
/// If the database cannot be read.
pub fn log_summary(url: &DatabaseUrl) -> Result<LogSummary, DatabaseError> {
    if matches!(url, DatabaseUrl::Sqlite(path) if !path.exists()) {
        return Ok(LogSummary::default());
    }
    let mut connection = url.connect()?;
    if is_pending(&mut connection, PUBLIC_LOG)? {
        return Ok(LogSummary::default());
    }
    Ok(LogSummary {
        logs: log_states(&mut connection)?,
        waiting_entries: waiting_entries(&mut connection)?,
    })
}

fn waiting_entries(connection: &mut AnyConnection) -> Result<u64, DatabaseError> {
    let waiting = if is_pending(connection, LOG_PLACES)? {
        "log_batches WHERE first_index IS NULL AND entry_count > 0"
    } else {
        "waiting_log_batches"
    };
    let sum: Sum = diesel::sql_query(format!(
        "SELECT CAST(COALESCE(SUM(entry_count), 0) AS BIGINT) AS value FROM {waiting}"
    ))
    .get_result(connection)?;
    unsigned(sum.value, "number of entries")
}
