//! SQLite's write lock.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::sqlite::SqliteConnection;

use crate::error::DatabaseError;

/// How often a batch asks for the lock while another process has it.
const POLL: Duration = Duration::from_millis(1);

/// Begins a transaction that writes.
///
/// SQLite grants its write lock to whoever asks while it is free, and its own wait asks only about
/// fifty times in five seconds. Beside a server that commits batch after batch, a command or a
/// second server could ask in vain each time, so the writer asks more often.
pub(crate) fn begin_sqlite(
    sqlite: &mut SqliteConnection,
    wait: Duration,
) -> Result<(), DatabaseError> {
    let deadline = Instant::now() + wait;
    loop {
        match sqlite.batch_execute("BEGIN IMMEDIATE").map_err(Into::into) {
            Err(DatabaseError::Contended(_)) if Instant::now() < deadline => {
                std::thread::sleep(POLL);
            }
            outcome => return outcome,
        }
    }
}
