//! A database with players for each test, and helpers that control which jobs form one batch.

use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use glasshouse_domain::{LedgerReference, Money, Role, Timestamp, UserId, Username, WalletError};
use glasshouse_persistence::accounts::NewUser;
use glasshouse_persistence::seeds::FirstSeedPairs;
use glasshouse_persistence::{Database, DatabaseError, DatabaseUrl, Scope, Transaction, queries};
use glasshouse_testing::{
    Backend, EmptyDatabase, POSTGRES_WRITERS, open_database, seed_keys, sql, texts,
};
use tokio::sync::mpsc as async_mpsc;

/// Every player's initial balance, in US cents.
pub(crate) const BALANCE: i64 = 10_000;

/// How long a test waits for an expected event before it fails.
pub(crate) const WAIT_TIMEOUT: Duration = Duration::from_secs(20);

/// Why a job in these tests is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The test makes the job fail deliberately.
    Deliberate,
    /// The wallet refuses a movement.
    Wallet(WalletError),
    /// The player has no open round of the game.
    NoOpenRound,
}

/// A refusal by the job itself, or a fault of the database.
#[derive(Debug)]
pub(crate) enum Failure {
    Refused(Refusal),
    Fault(DatabaseError),
}

impl From<DatabaseError> for Failure {
    fn from(fault: DatabaseError) -> Self {
        Self::Fault(fault)
    }
}

impl From<WalletError> for Failure {
    fn from(refusal: WalletError) -> Self {
        Self::Refused(Refusal::Wallet(refusal))
    }
}

pub(crate) type JobResult<T> = Result<T, Failure>;

pub(crate) fn test_time() -> Timestamp {
    Timestamp::from_micros(1_700_000_000_000_000)
}

/// A migrated database.
pub(crate) struct Fixture {
    pub(crate) database: Database,
    pub(crate) url: DatabaseUrl,
    // Declared last, so it is dropped after the connections are closed.
    _storage: EmptyDatabase,
}

impl Fixture {
    pub(crate) fn new(backend: Backend) -> Self {
        let storage = EmptyDatabase::migrated(backend);
        Self {
            database: open_database(&storage.url),
            url: storage.url.clone(),
            _storage: storage,
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.url, DatabaseUrl::Postgres(_))
    }

    /// Opens the same database a second time, as another server would.
    pub(crate) fn open_second_server(&self) -> Database {
        open_database(&self.url)
    }

    /// Creates players with IDs from 1 upwards, each with [`BALANCE`].
    pub(crate) async fn create_players(&self, count: i64) -> Vec<UserId> {
        let mut players = Vec::new();
        for number in 0..count {
            let new_user = new_user(&format!("player{number}"));
            let player = queue(&self.database, Scope::nobody(), move |transaction| {
                let user = transaction.add_user(&new_user)?.unwrap();
                set_balance(transaction, user.id, BALANCE)?;
                Ok(user.id)
            });
            players.push(player.result().await.unwrap());
        }
        players
    }

    /// Creates players whose jobs all go to the same writer, on either database.
    pub(crate) async fn create_players_of_one_writer(&self, count: i64) -> Vec<UserId> {
        let all = self.create_players(count * POSTGRES_WRITERS).await;
        let same_writer: Vec<UserId> = all
            .iter()
            .filter(|player| player.get() % POSTGRES_WRITERS == all[0].get() % POSTGRES_WRITERS)
            .copied()
            .collect();
        assert_eq!(same_writer.len(), usize::try_from(count).unwrap());
        same_writer
    }

    /// Runs SQL statements over a separate connection.
    pub(crate) fn sql(&self, statements: &str) {
        sql(&self.url, statements).unwrap();
    }

    /// Runs a query over a separate connection and returns its single number.
    pub(crate) fn number(&self, query: &str) -> i64 {
        number(&self.url, query)
    }

    /// The number of stored rounds.
    pub(crate) fn rounds(&self) -> i64 {
        self.number("SELECT COUNT(*) FROM rounds")
    }

    /// A player's stored balance, in US cents.
    pub(crate) fn balance(&self, player: UserId) -> i64 {
        self.number(&format!(
            "SELECT balance_cents FROM accounts WHERE player_id = {player}"
        ))
    }

    /// Asserts that one transaction wrote all rounds. On SQLite this checks nothing, because SQLite
    /// does not record which transaction wrote a row.
    pub(crate) fn assert_one_transaction(&self) {
        if self.is_postgres() {
            let transactions = "SELECT COUNT(DISTINCT CAST(xmin AS TEXT)) FROM rounds";
            assert_eq!(self.number(transactions), 1);
        }
    }

    /// Waits until at least `count` connections to PostgreSQL are blocked on a lock.
    pub(crate) async fn wait_for_blocked_connections(&self, count: i64) {
        let blocked = "SELECT COUNT(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let wait = tokio::time::timeout(WAIT_TIMEOUT, async {
            while self.number(blocked) < count {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        assert!(
            wait.await.is_ok(),
            "timed out waiting for blocked connections"
        );
    }

    /// The number of deadlocks that PostgreSQL has detected. Terminates all other connections
    /// first, because they report their deadlocks when they end.
    pub(crate) fn deadlocks(&self) -> i64 {
        self.sql(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
        self.number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    }

    /// Asserts that balances, ledger, nonces, statistics and house totals agree with the rounds.
    pub(crate) async fn assert_consistent(&self) {
        let violations = self
            .database
            .read::<_, DatabaseError, _>(queries::violations);
        for violation in violations.await.unwrap() {
            assert_eq!(violation.count, 0, "{}", violation.invariant);
        }
    }
}

/// Runs a query over a separate connection and returns its single number.
pub(crate) fn number(url: &DatabaseUrl, query: &str) -> i64 {
    let query = format!("SELECT CAST(({query}) AS TEXT) AS value");
    texts(url, &query)[0].parse().unwrap()
}

pub(crate) fn new_user(name: &str) -> NewUser {
    let salt = |text: String| text.into_bytes().try_into().unwrap();
    let keys = seed_keys();
    NewUser {
        username: Username::parse(name).unwrap(),
        password_hash: "x".to_owned(),
        role: Role::Player,
        one_time_password_until: None,
        seeds: FirstSeedPairs {
            active: keys.commit(salt(format!("{name:>32}"))),
            client_seed: "client".to_owned(),
            next: keys.commit(salt(format!("{name:<32}"))),
        },
        at: test_time(),
    }
}

pub(crate) fn set_balance(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    cents: i64,
) -> JobResult<()> {
    let mut account = transaction.account(player)?;
    let entry = account.next_entry();
    if let Some(movement) = account.wallet.adjust_to(Money::from_cents(cents))? {
        let reference = LedgerReference::Adjustment { player, entry };
        transaction.add_entry(&mut account, movement, reference, test_time());
        transaction.save_account(account);
    }
    Ok(())
}

/// A job in its writer's queue.
pub(crate) struct Queued<T> {
    future: Pin<Box<dyn Future<Output = JobResult<T>> + Send>>,
    result: Option<JobResult<T>>,
}

/// Appends a job to its writer's queue without waiting for the result.
pub(crate) fn queue<T, F>(database: &Database, scope: Scope, work: F) -> Queued<T>
where
    F: Fn(&mut Transaction<'_, '_>) -> JobResult<T> + Send + 'static,
    T: Send + 'static,
{
    let database = database.clone();
    let mut queued = Queued {
        future: Box::pin(async move { database.write(scope, work).await }),
        result: None,
    };
    queued.poll();
    queued
}

impl<T> Queued<T> {
    fn poll(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        if self.result.is_none()
            && let Poll::Ready(result) = self.future.as_mut().poll(&mut context)
        {
            self.result = Some(result);
        }
    }

    /// Whether the writer has returned a result yet.
    pub(crate) fn is_finished(&mut self) -> bool {
        self.poll();
        self.result.is_some()
    }

    /// Waits for the job's result.
    pub(crate) async fn result(self) -> JobResult<T> {
        match self.result {
            Some(result) => result,
            None => self.future.await,
        }
    }
}

/// A job that keeps a writer busy until the gate is opened.
pub(crate) struct Gate {
    job: Queued<()>,
    open: mpsc::Sender<()>,
    reached: async_mpsc::UnboundedReceiver<()>,
}

impl Gate {
    /// Queues the job at the writer of this scope.
    pub(crate) fn queue(database: &Database, scope: Scope) -> Self {
        Self::queue_with(database, scope, |_| Ok(()))
    }

    /// Like [`Self::queue`], with work to run before the job blocks the writer.
    pub(crate) fn queue_with(
        database: &Database,
        scope: Scope,
        work: impl Fn(&mut Transaction<'_, '_>) -> JobResult<()> + Send + 'static,
    ) -> Self {
        let (open, opened) = mpsc::channel();
        let (reached_sender, reached) = async_mpsc::unbounded_channel();
        let job = queue(database, scope, move |transaction| {
            work(transaction)?;
            let _ = reached_sender.send(());
            let _ = opened.recv();
            Ok(())
        });
        Self { job, open, reached }
    }

    /// Waits until the writer is running the job.
    pub(crate) async fn reached(mut self) -> Self {
        self.reached.recv().await.unwrap();
        self
    }

    /// Releases the writer and waits until the job is committed.
    pub(crate) async fn open(self) {
        self.open_and_wait().await.unwrap();
    }

    /// Releases the writer and waits for the result of the job.
    pub(crate) async fn open_and_wait(self) -> JobResult<()> {
        drop(self.open);
        self.job.result().await
    }
}

/// Holds a player's writer. Jobs that are queued before the gate opens form one batch.
pub(crate) async fn hold_writer(database: &Database, player: UserId) -> Gate {
    Gate::queue(database, Scope::player(player)).reached().await
}
