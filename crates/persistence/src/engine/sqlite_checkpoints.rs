//! Checkpoints of SQLite's journal, made beside the writer.
//!
//! A checkpoint copies changed pages from the journal to the database file, after which the journal begins
//! anew. SQLite would make it within a commit, for which all bets of that batch and of the next one would
//! wait. Here a thread copies while the writer goes on. What is written meanwhile is left, so under load the
//! journal would never be copied whole: that small rest is the writer's, between two batches.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use diesel::SqliteConnection;
use diesel::connection::SimpleConnection;

use crate::connection::AnyConnection;
use crate::error::DatabaseError;

/// How many jobs the journal gets before a checkpoint. A bet changes about eight pages, so that this is a
/// journal of about 16 MB. The longer it is, the more of its pages were changed again, and are copied once.
const JOBS: usize = 2000;
/// How often the thread copies before it leaves the rest to the writer. Each time, there is only what was
/// written during the time before.
const PASSES: u32 = 3;
/// The length in pages at which the writer makes a checkpoint in its commit, should the thread not keep up.
const AT_THE_LATEST: &str = "PRAGMA wal_autocheckpoint = 64000";
/// Copies what no reader and no other checkpoint prevents, and waits for neither.
const COPY: &str = "PRAGMA wal_checkpoint(PASSIVE)";

/// The writer's side of the checkpoints.
pub(crate) struct SqliteCheckpoints {
    jobs: usize,
    wanted: Sender<()>,
    /// Whether the thread has copied all but what was written meanwhile.
    has_rest: Arc<AtomicBool>,
}

impl SqliteCheckpoints {
    /// Starts the thread, which ends when this is dropped. It has a connection of its own.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(crate) fn start(mut connection: AnyConnection) -> Result<Self, io::Error> {
        let (wanted, receiver) = bounded(1);
        let has_rest = Arc::new(AtomicBool::new(false));
        let checkpoints = Self {
            jobs: 0,
            wanted,
            has_rest: Arc::clone(&has_rest),
        };
        thread::Builder::new()
            .name("checkpoints".to_owned())
            .spawn(move || copy_when_wanted(&mut connection, &receiver, &has_rest))?;
        Ok(checkpoints)
    }

    /// To be called between two batches, after one with so many jobs.
    pub(crate) fn after_batch(&mut self, jobs: usize, connection: &mut AnyConnection) {
        if self.has_rest.swap(false, Ordering::AcqRel) {
            copy(connection);
        }
        self.jobs += jobs;
        // Full if a checkpoint waits behind one that is still being made.
        if self.jobs >= JOBS && self.wanted.try_send(()).is_ok() {
            self.jobs = 0;
        }
    }
}

/// Lets a new connection of the writer leave its checkpoints to the thread.
///
/// # Errors
/// If the database fails.
pub(crate) fn leave_to_thread(writer: &mut SqliteConnection) -> Result<(), DatabaseError> {
    Ok(writer.batch_execute(AT_THE_LATEST)?)
}

fn copy_when_wanted(connection: &mut AnyConnection, wanted: &Receiver<()>, has_rest: &AtomicBool) {
    while wanted.recv().is_ok() {
        for _ in 0..PASSES {
            copy(connection);
        }
        has_rest.store(true, Ordering::Release);
    }
}

/// If it fails, everything is still in the journal, for the next time.
fn copy(connection: &mut AnyConnection) {
    if let Err(error) = connection.batch_execute(COPY) {
        tracing::warn!(%error, "a checkpoint failed");
    }
}

#[cfg(test)]
mod tests {
    use diesel::sql_types::Integer;
    use diesel::{QueryableByName, RunQueryDsl, sql_query};

    use super::*;
    use crate::connection::DatabaseUrl;

    /// What SQLite says of a checkpoint.
    #[derive(QueryableByName)]
    struct Journal {
        /// The pages in the journal.
        #[diesel(sql_type = Integer)]
        log: i32,
    }

    fn pages_in_journal(connection: &mut AnyConnection) -> i32 {
        let AnyConnection::Sqlite(sqlite) = connection else {
            panic!("not SQLite");
        };
        let journal: Journal = sql_query(COPY).get_result(sqlite).unwrap();
        journal.log
    }

    fn add(connection: &mut AnyConnection, rows: u32) {
        for _ in 0..rows {
            connection
                .batch_execute("INSERT INTO blobs VALUES (zeroblob(1000))")
                .unwrap();
        }
    }

    #[test]
    fn the_journal_begins_anew_although_the_thread_could_not_copy_it_whole() {
        let folder = tempfile::TempDir::new().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("glasshouse.db"));
        let mut writer = url.connect().unwrap();
        let AnyConnection::Sqlite(sqlite) = &mut writer else {
            panic!("not SQLite");
        };
        leave_to_thread(sqlite).unwrap();
        writer
            .batch_execute("CREATE TABLE blobs (bytes BLOB) STRICT")
            .unwrap();
        let mut checkpoints = SqliteCheckpoints::start(url.connect().unwrap()).unwrap();
        add(&mut writer, 100);
        checkpoints.after_batch(JOBS - 1, &mut writer);
        // What is written after the beginning of a reader's snapshot cannot be copied before its end.
        let mut reader = url.connect().unwrap();
        reader.batch_execute("BEGIN; SELECT * FROM blobs").unwrap();
        add(&mut writer, 100);
        checkpoints.after_batch(1, &mut writer);
        while !checkpoints.has_rest.load(Ordering::Acquire) {
            thread::yield_now();
        }
        reader.batch_execute("ROLLBACK").unwrap();
        checkpoints.after_batch(1, &mut writer);
        add(&mut writer, 1);
        let pages = pages_in_journal(&mut writer);
        assert!(pages < 10, "{pages} pages");
    }
}
