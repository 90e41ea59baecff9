//! The writer threads: each runs all that waits for it in one transaction, commits once, and only
//! then answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use diesel::connection::SimpleConnection;
use tokio::sync::oneshot;

use crate::audit::key::AuditKeys;
use crate::connection::{AnyConnection, DatabaseUrl};
use crate::engine::batch::{Batch, Patience};
use crate::engine::notifications::Origin;
use crate::engine::round_ids::RoundIds;
use crate::engine::scope::Scope;
use crate::engine::transaction::Transaction;
use crate::error::{DatabaseError, Recovery};

/// How much work shares a commit at the most.
const BATCH_SIZE: usize = 64;
/// How often a batch is run before its work is answered with a fault.
const ATTEMPTS: u32 = 4;
/// The pause before the second attempt; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(20);

/// A piece of work that waits for a writer, with the way to answer it.
pub(crate) trait Job: Send {
    fn scope(&self) -> &Scope;
    /// Does the work and keeps its result; says whether its changes are to be kept.
    fn run(&mut self, transaction: &mut Transaction<'_, '_>) -> bool;
    /// Answers with the kept result, after the commit.
    fn answer(self: Box<Self>);
    /// Answers with a fault.
    fn fail(self: Box<Self>, error: DatabaseError);
}

/// The only implementation of [`Job`]: a closure that can be run again.
pub(crate) struct ClosureJob<F, T, E> {
    pub(crate) scope: Scope,
    pub(crate) work: F,
    pub(crate) result: Option<Result<T, E>>,
    pub(crate) reply: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Job for ClosureJob<F, T, E>
where
    F: Fn(&mut Transaction<'_, '_>) -> Result<T, E> + Send,
    T: Send,
    E: From<DatabaseError> + Send,
{
    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn run(&mut self, transaction: &mut Transaction<'_, '_>) -> bool {
        // If it panics, there is no answer, not that of a run before.
        self.result = None;
        let result = (self.work)(transaction);
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn answer(self: Box<Self>) {
        let result = self
            .result
            .unwrap_or_else(|| Err(DatabaseError::WorkerStopped.into()));
        // A caller that went away does not want the answer any more.
        drop(self.reply.send(result));
    }

    fn fail(self: Box<Self>, error: DatabaseError) {
        drop(self.reply.send(Err(error.into())));
    }
}

/// Why a batch did not commit.
enum Failure {
    /// Nothing of it took effect.
    RolledBack(DatabaseError, Recovery),
    /// It may or may not have taken effect.
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
    round_ids: RoundIds,
    origin: Origin,
    /// Which rows of the house's totals it adds to: its number among the writers of its server.
    shard: i64,
    audit_keys: Arc<AuditKeys>,
}

impl Writer {
    pub(crate) fn new(
        url: DatabaseUrl,
        connection: AnyConnection,
        origin: Origin,
        (shard, audit_keys): (i64, Arc<AuditKeys>),
    ) -> Self {
        Self {
            url,
            connection: Some(connection),
            round_ids: RoundIds::default(),
            origin,
            shard,
            audit_keys,
        }
    }

    /// Works until all senders are gone and the queue is empty.
    pub(crate) fn work(mut self, queue: &Receiver<Box<dyn Job>>) {
        while let Ok(first) = queue.recv() {
            let mut jobs = Vec::with_capacity(BATCH_SIZE);
            jobs.push(first);
            jobs.extend(queue.try_iter().take(BATCH_SIZE - 1));
            self.process(jobs, Patience::Usual);
        }
    }

    fn process(&mut self, mut jobs: Vec<Box<dyn Job>>, patience: Patience) {
        let started = Instant::now();
        metrics::histogram!("glasshouse_write_batch_jobs").record(count(jobs.len()));
        let outcome = self.run_repeatedly(&mut jobs, patience);
        metrics::histogram!("glasshouse_write_batch_seconds").record(started.elapsed());
        match outcome {
            Ok(()) => jobs.into_iter().for_each(Job::answer),
            Err(Failure::Unknown(error)) => {
                tracing::error!(%error, "the outcome of a commit is unknown");
                for job in jobs {
                    job.fail(DatabaseError::OutcomeUnknown(error.to_string()));
                }
            }
            Err(Failure::RolledBack(error, recovery)) => {
                let singly = self.patience_of_single_work(recovery);
                if let Some(patience) = singly.filter(|_| jobs.len() > 1) {
                    // One of them breaks the batch: alone, only that one fails.
                    tracing::error!(%error, jobs = jobs.len(), "a batch failed, its work runs singly");
                    for job in jobs {
                        self.process(vec![job], patience);
                    }
                } else {
                    tracing::error!(%error, ?recovery, jobs = jobs.len(), "a batch failed");
                    fail_all(jobs, &error, recovery);
                }
            }
        }
    }

    /// How long each piece of work of a batch waits for its locks when it is run again by itself;
    /// none where that is no use. SQLite has one lock, which all of it waits for.
    const fn patience_of_single_work(&self, recovery: Recovery) -> Option<Patience> {
        match (recovery, &self.url) {
            (Recovery::GiveUp, _) => Some(Patience::Usual),
            (Recovery::LockTimeout, DatabaseUrl::Postgres(_)) => Some(Patience::Brief),
            _ => None,
        }
    }

    fn run_repeatedly(
        &mut self,
        jobs: &mut [Box<dyn Job>],
        patience: Patience,
    ) -> Result<(), Failure> {
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let Err(failure) = self.run_once(jobs, patience) else {
                return Ok(());
            };
            let Failure::RolledBack(error, recovery) = failure else {
                self.connection = None;
                return Err(failure);
            };
            self.roll_back(recovery);
            let is_repeated = matches!(recovery, Recovery::Repeat | Recovery::Reconnect);
            if !is_repeated || attempt >= ATTEMPTS {
                return Err(Failure::RolledBack(error, recovery));
            }
            metrics::counter!("glasshouse_write_batches_repeated_total").increment(1);
            tracing::warn!(%error, ?recovery, attempt, "a batch is run again");
            std::thread::sleep(pause);
            pause *= 2;
        }
        Ok(())
    }

    fn run_once(&mut self, jobs: &mut [Box<dyn Job>], patience: Patience) -> Result<(), Failure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.url.connect()?,
        };
        let outcome = self.run_batch(&mut connection, jobs, patience);
        self.connection = Some(connection);
        outcome
    }

    fn run_batch(
        &mut self,
        connection: &mut AnyConnection,
        jobs: &mut [Box<dyn Job>],
        patience: Patience,
    ) -> Result<(), Failure> {
        let mut batch = Batch::begin(
            connection,
            patience,
            &mut self.round_ids,
            &self.origin,
            (self.shard, &self.audit_keys),
            jobs.iter().map(|job| job.scope()),
        )?;
        for job in jobs {
            let mut transaction = Transaction::begin(&mut batch);
            // A panic of one job must not take the others' bets, nor this thread, with it.
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

/// A commit that fails for contention or for want of room is known to have been rolled back: the
/// databases say so before they write its mark. After any other failure nobody knows.
fn commit(connection: &mut AnyConnection) -> Result<(), Failure> {
    let is_sqlite = matches!(connection, AnyConnection::Sqlite(_));
    connection.batch_execute("COMMIT").map_err(|error| {
        let error = DatabaseError::from(error);
        match error.recovery() {
            recovery @ (Recovery::Repeat | Recovery::Refuse) => {
                Failure::RolledBack(error, recovery)
            }
            Recovery::LockTimeout if is_sqlite => Failure::RolledBack(error, Recovery::LockTimeout),
            Recovery::Reconnect | Recovery::GiveUp | Recovery::LockTimeout => {
                Failure::Unknown(error)
            }
        }
    })
}

fn fail_all(jobs: Vec<Box<dyn Job>>, error: &DatabaseError, recovery: Recovery) {
    for job in jobs {
        job.fail(match recovery {
            Recovery::Repeat => DatabaseError::Contended(error.to_string()),
            Recovery::Reconnect => DatabaseError::Unavailable(error.to_string()),
            Recovery::GiveUp => DatabaseError::Rejected(error.to_string()),
            Recovery::LockTimeout | Recovery::Refuse => error.duplicate(),
        });
    }
}

fn count(value: usize) -> f64 {
    u32::try_from(value).map_or(f64::INFINITY, f64::from)
}

#[cfg(test)]
mod tests {
    use diesel::prelude::*;
    use glasshouse_domain::{Role, Timestamp, Username};

    use super::*;
    use crate::accounts::users::{NewUser, User};

    fn registration(name: &str) -> NewUser {
        let digits = format!("{:064}", name.len());
        NewUser {
            username: Username::parse(name).unwrap(),
            // More than a page of the file.
            password_hash: "x".repeat(20_000),
            role: Role::Player,
            server_seed: digits.clone(),
            server_seed_hash: digits,
            client_seed: "client".to_owned(),
            at: Timestamp::from_micros(1),
        }
    }

    fn add(writer: &mut Writer, names: &[&str]) -> Vec<Result<Option<User>, DatabaseError>> {
        let mut answers = Vec::new();
        let jobs = names.iter().map(|name| {
            let (reply, answer) = oneshot::channel();
            answers.push(answer);
            let new = registration(name);
            let work = move |transaction: &mut Transaction<'_, '_>| transaction.add_user(&new);
            Box::new(ClosureJob {
                scope: Scope::nobody(),
                work,
                result: None,
                reply,
            }) as Box<dyn Job>
        });
        let jobs = jobs.collect();
        writer.process(jobs, Patience::Usual);
        answers
            .into_iter()
            .map(|answer| answer.blocking_recv().unwrap())
            .collect()
    }

    fn audit_keys() -> Arc<AuditKeys> {
        Arc::new(AuditKeys::parse(&"5ea1".repeat(16)).unwrap())
    }

    #[test]
    fn a_full_disk_refuses_all_work_until_there_is_room() {
        let folder = tempfile::TempDir::new().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("glasshouse.db"));
        let mut connection = url.connect().unwrap();
        crate::migrations::migrate(&mut connection, &audit_keys()).unwrap();
        // No page more than there are: what SQLite says then is what it says on a full disk.
        connection
            .batch_execute("PRAGMA max_page_count = 1")
            .unwrap();
        let mut writer = Writer::new(url, connection, Origin::new(), (0, audit_keys()));
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
    fn a_database_that_somebody_else_writes_to_is_waited_for_once() {
        let folder = tempfile::TempDir::new().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("glasshouse.db"));
        let mut other = url.connect().unwrap();
        crate::migrations::migrate(&mut other, &audit_keys()).unwrap();
        let mut connection = url.connect().unwrap();
        connection.batch_execute("PRAGMA busy_timeout = 1").unwrap();
        let mut writer = Writer::new(url, connection, Origin::new(), (0, audit_keys()));
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
