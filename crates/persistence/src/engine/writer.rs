//! The writer threads: each runs all waiting work in one transaction, commits once, and only then
//! replies.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use diesel::connection::SimpleConnection;

use crate::connection::{AnyConnection, DatabaseUrl};
use crate::engine::SLOW;
use crate::engine::batch::{Batch, LockWait};
use crate::engine::job::Job;
use crate::engine::pace::Pace;
use crate::engine::sqlite_checkpoints::{SqliteCheckpoints, leave_to_thread};
use crate::engine::transaction::Transaction;
use crate::engine::writer_state::WriterState;
use crate::error::{DatabaseError, Recovery};

/// The number of attempts for a batch before its jobs fail.
const ATTEMPTS: u32 = 4;
/// The delay before the second attempt; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(20);

/// Why a batch was not committed.
enum Failure {
    /// The batch was rolled back.
    RolledBack(DatabaseError, Recovery),
    /// It is unknown whether the commit took effect.
    Unknown(DatabaseError),
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        let recovery = error.recovery();
        Self::RolledBack(error, recovery)
    }
}

pub(crate) struct Writer {
    url: DatabaseUrl,
    connection: Option<AnyConnection>,
    checkpoints: Option<SqliteCheckpoints>,
    state: WriterState,
}

impl Writer {
    /// Connects to the database.
    ///
    /// # Errors
    /// If there is no connection.
    pub(crate) fn new(
        url: DatabaseUrl,
        state: WriterState,
        checkpoints: Option<SqliteCheckpoints>,
    ) -> Result<Self, DatabaseError> {
        let connection = Some(connect(&url)?);
        Ok(Self {
            url,
            connection,
            checkpoints,
            state,
        })
    }

    /// Processes jobs until all senders are gone and the queue is empty.
    pub(crate) fn work(mut self, queue: &Receiver<Box<dyn Job>>) {
        let mut pace = Pace::default();
        while let Some(jobs) = pace.gather(queue) {
            let (count, started) = (jobs.len(), Instant::now());
            self.process(jobs, LockWait::Default);
            pace.note(count, started.elapsed());
            if let (Some(checkpoints), Some(connection)) =
                (&mut self.checkpoints, &mut self.connection)
            {
                checkpoints.after_batch(count, connection);
            }
        }
    }

    fn process(&mut self, mut jobs: Vec<Box<dyn Job>>, lock_wait: LockWait) {
        let started = Instant::now();
        metrics::histogram!("glasshouse_write_batch_jobs").record(count(jobs.len()));
        let outcome = self.run_with_retries(&mut jobs, lock_wait);
        let elapsed = started.elapsed();
        metrics::histogram!("glasshouse_write_batch_seconds").record(elapsed);
        if elapsed > SLOW {
            let requests = requests_of(&jobs);
            tracing::warn!(?elapsed, jobs = jobs.len(), requests, "a batch took long");
        }
        match outcome {
            Ok(()) => jobs.into_iter().for_each(Job::answer),
            Err(Failure::Unknown(error)) => {
                let requests = requests_of(&jobs);
                tracing::error!(%error, requests, "the outcome of a commit is unknown");
                for job in jobs {
                    job.fail(DatabaseError::OutcomeUnknown(error.to_string()));
                }
            }
            Err(Failure::RolledBack(error, recovery)) => {
                if recovery != Recovery::ExposureReached {
                    let (count, requests) = (jobs.len(), requests_of(&jobs));
                    tracing::error!(%error, ?recovery, jobs = count, requests, "a batch failed");
                }
                // One of the jobs fails the whole batch. Run one by one, only that one fails.
                let single_wait = self.lock_wait_of_single_jobs(recovery);
                if let Some(lock_wait) = single_wait.filter(|_| jobs.len() > 1) {
                    for job in jobs {
                        self.process(vec![job], lock_wait);
                    }
                } else {
                    fail_all(jobs, &error, recovery);
                }
            }
        }
    }

    /// How long jobs wait for locks when the batch is run one by one; `None` if that is pointless.
    /// On SQLite all jobs wait for the same lock.
    const fn lock_wait_of_single_jobs(&self, recovery: Recovery) -> Option<LockWait> {
        match (recovery, &self.url) {
            (Recovery::GiveUp | Recovery::ExposureReached, _) => Some(LockWait::Default),
            (Recovery::LockTimeout, DatabaseUrl::Postgres(_)) => Some(LockWait::Short),
            _ => None,
        }
    }

    fn run_with_retries(
        &mut self,
        jobs: &mut [Box<dyn Job>],
        lock_wait: LockWait,
    ) -> Result<(), Failure> {
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let Err(failure) = self.run_once(jobs, lock_wait) else {
                return Ok(());
            };
            let Failure::RolledBack(error, recovery) = failure else {
                self.connection = None;
                return Err(failure);
            };
            self.roll_back(recovery);
            let is_retried = matches!(recovery, Recovery::Repeat | Recovery::Reconnect);
            if !is_retried || attempt >= ATTEMPTS {
                return Err(Failure::RolledBack(error, recovery));
            }
            metrics::counter!("glasshouse_write_batches_repeated_total").increment(1);
            let requests = requests_of(jobs);
            tracing::warn!(%error, ?recovery, attempt, requests, "retrying a batch");
            std::thread::sleep(pause);
            pause *= 2;
        }
        Ok(())
    }

    fn run_once(&mut self, jobs: &mut [Box<dyn Job>], lock_wait: LockWait) -> Result<(), Failure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => connect(&self.url)?,
        };
        let outcome = self.run_batch(&mut connection, jobs, lock_wait);
        self.connection = Some(connection);
        outcome
    }

    fn run_batch(
        &mut self,
        connection: &mut AnyConnection,
        jobs: &mut [Box<dyn Job>],
        lock_wait: LockWait,
    ) -> Result<(), Failure> {
        let mut batch = Batch::begin(
            connection,
            lock_wait,
            &mut self.state,
            jobs.iter().map(|job| job.scope()),
        )?;
        for job in jobs {
            let mut transaction = Transaction::begin(&mut batch, job.caller().request);
            // A panic in one job must not affect other jobs or end the thread.
            let keep = catch_unwind(AssertUnwindSafe(|| job.run(&mut transaction)));
            transaction
                .end(keep.unwrap_or(false))
                .map_err(|(error, recovery)| Failure::RolledBack(error, recovery))?;
        }
        batch.finish()?;
        commit(connection)
    }

    fn roll_back(&mut self, recovery: Recovery) {
        let is_clean = recovery != Recovery::Reconnect
            && self
                .connection
                .as_mut()
                .is_some_and(|connection| connection.batch_execute("ROLLBACK").is_ok());
        if !is_clean {
            self.connection = None;
        }
    }
}

/// On SQLite, a writer waits for the lock itself when it begins a batch, leaves checkpoints to their thread, and
/// keeps the pages that bets change in a cache of 2 MB.
fn connect(url: &DatabaseUrl) -> Result<AnyConnection, DatabaseError> {
    let mut connection = url.connect()?;
    if let AnyConnection::Sqlite(sqlite) = &mut connection {
        sqlite.batch_execute("PRAGMA busy_timeout = 0; PRAGMA cache_size = -2000")?;
        leave_to_thread(sqlite)?;
    }
    Ok(connection)
}

/// A commit that fails because of contention or a full disk is known to have been rolled back: the
/// databases detect both before they write the commit record. After any other failure the outcome
/// is unknown.
fn commit(connection: &mut AnyConnection) -> Result<(), Failure> {
    let is_sqlite = matches!(connection, AnyConnection::Sqlite(_));
    connection.batch_execute("COMMIT").map_err(|error| {
        let error = DatabaseError::from(error);
        match error.recovery() {
            recovery @ (Recovery::Repeat | Recovery::Refuse) => {
                Failure::RolledBack(error, recovery)
            }
            Recovery::LockTimeout if is_sqlite => Failure::RolledBack(error, Recovery::LockTimeout),
            Recovery::Reconnect
            | Recovery::GiveUp
            | Recovery::LockTimeout
            | Recovery::ExposureReached => Failure::Unknown(error),
        }
    })
}

fn fail_all(jobs: Vec<Box<dyn Job>>, error: &DatabaseError, recovery: Recovery) {
    for job in jobs {
        job.fail(match recovery {
            Recovery::Repeat => DatabaseError::Contended(error.to_string()),
            Recovery::Reconnect => DatabaseError::Unavailable(error.to_string()),
            Recovery::GiveUp => DatabaseError::Rejected(error.to_string()),
            Recovery::LockTimeout | Recovery::Refuse | Recovery::ExposureReached => {
                error.duplicate()
            }
        });
    }
}

/// The IDs of the requests that wait for these jobs.
fn requests_of(jobs: &[Box<dyn Job>]) -> String {
    let ids = jobs.iter().filter_map(|job| job.caller().request);
    ids.map(|id| id.to_string()).collect::<Vec<_>>().join(" ")
}

fn count(value: usize) -> f64 {
    u32::try_from(value).map_or(f64::INFINITY, f64::from)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use diesel::prelude::*;
    use glasshouse_domain::{Role, Timestamp, Username};

    use super::*;
    use crate::accounts::users::{NewUser, User};
    use crate::engine::job::ClosureJob;
    use crate::engine::notifications::InstanceId;
    use crate::engine::scope::Scope;
    use crate::house_keys::HouseKeys;
    use crate::seeds::FirstSeedPairs;

    fn registration(name: &str) -> NewUser {
        let salt = |number: u8| {
            let mut salt = [number; 32];
            salt[0] = u8::try_from(name.len()).unwrap();
            salt
        };
        NewUser {
            username: Username::parse(name).unwrap(),
            // Larger than a page of the database file.
            password_hash: "x".repeat(20_000),
            role: Role::Player,
            one_time_password_until: None,
            seeds: FirstSeedPairs {
                active: keys().seeds.commit(salt(1)),
                client_seed: "client".to_owned(),
                next: keys().seeds.commit(salt(2)),
            },
            at: Timestamp::from_micros(1),
        }
    }

    fn add(writer: &mut Writer, names: &[&str]) -> Vec<Result<Option<User>, DatabaseError>> {
        let mut answers = Vec::new();
        let jobs = names.iter().map(|name| {
            let new = registration(name);
            let work = move |transaction: &mut Transaction<'_, '_>| transaction.add_user(&new);
            let (job, answer) = ClosureJob::new(Scope::nobody(), work);
            answers.push(answer);
            Box::new(job) as Box<dyn Job>
        });
        let jobs = jobs.collect();
        writer.process(jobs, LockWait::Default);
        answers
            .into_iter()
            .map(|answer| answer.blocking_recv().unwrap())
            .collect()
    }

    fn state() -> WriterState {
        WriterState::new(InstanceId::new(), 0, keys())
    }

    fn keys() -> Arc<HouseKeys> {
        Arc::new(HouseKeys::for_tests())
    }

    #[test]
    fn a_full_disk_fails_all_jobs_until_there_is_space() {
        let folder = tempfile::TempDir::new().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("glasshouse.db"));
        let mut connection = url.connect().unwrap();
        crate::migrations::migrate(&mut connection, &keys()).unwrap();
        let mut writer = Writer::new(url, state(), None).unwrap();
        // Limiting the file to its current size produces the same error as a full disk.
        let limit = "PRAGMA max_page_count = 1";
        let limited = writer.connection.as_mut().unwrap();
        limited.batch_execute(limit).unwrap();
        for outcome in add(&mut writer, &["one", "other"]) {
            assert!(
                matches!(outcome, Err(DatabaseError::StorageFull(_))),
                "{outcome:?}"
            );
        }
        let connection = writer
            .connection
            .get_or_insert_with(|| writer.url.connect().unwrap());
        connection
            .batch_execute("PRAGMA max_page_count = 1000000")
            .unwrap();
        for outcome in add(&mut writer, &["one", "other"]) {
            assert!(outcome.unwrap().is_some());
        }
        let AnyConnection::Sqlite(sqlite) = writer.connection.as_mut().unwrap() else {
            return;
        };
        let users: i64 = crate::schema::users::table
            .count()
            .get_result(sqlite)
            .unwrap();
        assert_eq!(users, 2);
    }

    #[test]
    fn a_locked_database_is_waited_for_only_once() {
        let folder = tempfile::TempDir::new().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("glasshouse.db"));
        let mut other = url.connect().unwrap();
        crate::migrations::migrate(&mut other, &keys()).unwrap();
        let mut writer = Writer::new(url, state(), None).unwrap();
        writer.state.sqlite_lock_wait = Duration::from_millis(1);
        other.batch_execute("BEGIN IMMEDIATE").unwrap();
        for outcome in add(&mut writer, &["one", "other"]) {
            assert!(
                matches!(outcome, Err(DatabaseError::Contended(_))),
                "{outcome:?}"
            );
        }
        other.batch_execute("ROLLBACK").unwrap();
        for outcome in add(&mut writer, &["one", "other"]) {
            assert!(outcome.unwrap().is_some());
        }
    }
}
