//! The writer threads: each runs all that waits for it in one transaction, commits once, and only
//! then answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use diesel::connection::SimpleConnection;
use tokio::sync::oneshot;

use crate::batch::Batch;
use crate::changes::Origin;
use crate::connection::{AnyConnection, DatabaseUrl};
use crate::error::{DatabaseError, Recovery};
use crate::round_ids::RoundIds;
use crate::transaction::{Scope, Transaction};

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
}

impl Writer {
    pub(crate) fn new(
        url: DatabaseUrl,
        connection: AnyConnection,
        origin: Origin,
        shard: i64,
    ) -> Self {
        Self {
            url,
            connection: Some(connection),
            round_ids: RoundIds::default(),
            origin,
            shard,
        }
    }

    /// Works until all senders are gone and the queue is empty.
    pub(crate) fn work(mut self, queue: &Receiver<Box<dyn Job>>) {
        while let Ok(first) = queue.recv() {
            let mut jobs = Vec::with_capacity(BATCH_SIZE);
            jobs.push(first);
            jobs.extend(queue.try_iter().take(BATCH_SIZE - 1));
            self.process(jobs);
        }
    }

    fn process(&mut self, mut jobs: Vec<Box<dyn Job>>) {
        let started = Instant::now();
        metrics::histogram!("glasshouse_write_batch_jobs").record(count(jobs.len()));
        let outcome = self.run_repeatedly(&mut jobs);
        metrics::histogram!("glasshouse_write_batch_seconds").record(started.elapsed());
        match outcome {
            Ok(()) => jobs.into_iter().for_each(Job::answer),
            Err(Failure::Unknown(error)) => {
                tracing::error!(%error, "the outcome of a commit is unknown");
                for job in jobs {
                    job.fail(DatabaseError::OutcomeUnknown(error.to_string()));
                }
            }
            // One of them breaks the batch: alone, only that one fails.
            Err(Failure::RolledBack(error, Recovery::GiveUp)) if jobs.len() > 1 => {
                tracing::error!(%error, jobs = jobs.len(), "a batch failed, its work runs singly");
                for job in jobs {
                    self.process(vec![job]);
                }
            }
            Err(Failure::RolledBack(error, recovery)) => {
                tracing::error!(%error, ?recovery, jobs = jobs.len(), "a batch failed");
                fail_all(jobs, &error, recovery);
            }
        }
    }

    fn run_repeatedly(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(), Failure> {
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let Err(failure) = self.run_once(jobs) else {
                return Ok(());
            };
            let Failure::RolledBack(error, recovery) = failure else {
                self.connection = None;
                return Err(failure);
            };
            self.roll_back(recovery);
            if recovery == Recovery::GiveUp || attempt >= ATTEMPTS {
                return Err(Failure::RolledBack(error, recovery));
            }
            metrics::counter!("glasshouse_write_batches_repeated_total").increment(1);
            tracing::warn!(%error, ?recovery, attempt, "a batch is run again");
            std::thread::sleep(pause);
            pause *= 2;
        }
        Ok(())
    }

    fn run_once(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(), Failure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.url.connect()?,
        };
        let outcome = self.run_batch(&mut connection, jobs);
        self.connection = Some(connection);
        outcome
    }

    fn run_batch(
        &mut self,
        connection: &mut AnyConnection,
        jobs: &mut [Box<dyn Job>],
    ) -> Result<(), Failure> {
        let mut batch = Batch::begin(
            connection,
            &mut self.round_ids,
            &self.origin,
            self.shard,
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

/// A commit that fails for contention is known to have been rolled back; after any other failure
/// nobody knows.
fn commit(connection: &mut AnyConnection) -> Result<(), Failure> {
    connection.batch_execute("COMMIT").map_err(|error| {
        let error = DatabaseError::from(error);
        match error.recovery() {
            Recovery::Repeat => Failure::RolledBack(error, Recovery::Repeat),
            Recovery::Reconnect | Recovery::GiveUp => Failure::Unknown(error),
        }
    })
}

fn fail_all(jobs: Vec<Box<dyn Job>>, error: &DatabaseError, recovery: Recovery) {
    for job in jobs {
        job.fail(match recovery {
            Recovery::Repeat => DatabaseError::Contended(error.to_string()),
            Recovery::Reconnect => DatabaseError::Unavailable(error.to_string()),
            Recovery::GiveUp => DatabaseError::Rejected(error.to_string()),
        });
    }
}

fn count(value: usize) -> f64 {
    u32::try_from(value).map_or(f64::INFINITY, f64::from)
}
