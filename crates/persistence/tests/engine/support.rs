//! A database with players for each test, and a way to decide what becomes one batch.

use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use glasshouse_domain::{LedgerReference, Money, Role, Timestamp, UserId, Username, WalletError};
use glasshouse_persistence::accounts::NewUser;
use glasshouse_persistence::{Database, DatabaseError, DatabaseUrl, Scope, Transaction, queries};
use glasshouse_testing::{Backend, EmptyDatabase, open_database, sql, texts};
use tokio::sync::mpsc as async_mpsc;

/// What every player begins with.
pub(crate) const BALANCE: i64 = 10_000;

/// When a test gives up that waits for something that must come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// PostgreSQL's writers: a player's number decides which of them does the player's work.
pub(crate) const WRITERS: i64 = 4;

/// Why a job of these tests fails.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It was meant to.
    OnPurpose,
    /// The wallet says no.
    Wallet(WalletError),
    /// The player has no round to go on with.
    NoOpenRound,
}

/// A refusal of the job's own, or a fault of the database.
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

pub(crate) type Outcome<T> = Result<T, Failure>;

pub(crate) fn moment() -> Timestamp {
    Timestamp::from_micros(1_700_000_000_000_000)
}

/// A migrated database.
pub(crate) struct Fixture {
    pub(crate) database: Database,
    pub(crate) url: DatabaseUrl,
    // Dropped last, after the connections.
    _place: EmptyDatabase,
}

impl Fixture {
    pub(crate) fn new(backend: Backend) -> Self {
        let place = EmptyDatabase::new(backend);
        Self {
            database: open_database(&place.url),
            url: place.url.clone(),
            _place: place,
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.url, DatabaseUrl::Postgres(_))
    }

    /// A second server on the same database.
    pub(crate) fn another_database(&self) -> Database {
        open_database(&self.url)
    }

    /// Players with [`BALANCE`], numbered from 1 on.
    pub(crate) async fn players(&self, count: i64) -> Vec<UserId> {
        let mut players = Vec::new();
        for number in 0..count {
            let new = new_user(&format!("player{number}"));
            let player = queue(&self.database, Scope::nobody(), move |transaction| {
                let user = transaction.add_user(&new)?.unwrap();
                set_balance(transaction, user.id, BALANCE)?;
                Ok(user.id)
            });
            players.push(player.answer().await.unwrap());
        }
        players
    }

    /// Players whose work is done by one writer, on either database.
    pub(crate) async fn players_of_one_writer(&self, count: i64) -> Vec<UserId> {
        let all = self.players(count * WRITERS).await;
        let same = all
            .iter()
            .filter(|player| player.get() % WRITERS == all[0].get() % WRITERS);
        let same: Vec<UserId> = same.copied().collect();
        assert_eq!(same.len(), usize::try_from(count).unwrap());
        same
    }

    /// Runs SQL over a connection of its own.
    pub(crate) fn sql(&self, statements: &str) {
        sql(&self.url, statements).unwrap();
    }

    /// The one number that a query over a connection of its own returns.
    pub(crate) fn number(&self, query: &str) -> i64 {
        number(&self.url, query)
    }

    pub(crate) fn rounds(&self) -> i64 {
        self.number("SELECT COUNT(*) FROM rounds")
    }

    pub(crate) fn balance(&self, player: UserId) -> i64 {
        self.number(&format!(
            "SELECT balance_cents FROM accounts WHERE player_id = {player}"
        ))
    }

    /// All rounds were written by one transaction. SQLite does not keep which transaction wrote a row.
    pub(crate) fn assert_one_transaction(&self) {
        if self.is_postgres() {
            let transactions = "SELECT COUNT(DISTINCT CAST(xmin AS TEXT)) FROM rounds";
            assert_eq!(self.number(transactions), 1);
        }
    }

    /// Waits until as many connections of PostgreSQL wait for a lock.
    pub(crate) async fn wait_for_waiting_backends(&self, count: i64) {
        let waiting = "SELECT COUNT(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let waited = tokio::time::timeout(PATIENCE, async {
            while self.number(waiting) < count {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        assert!(waited.await.is_ok(), "nobody waits for a lock");
    }

    /// How often PostgreSQL had to end a circle of transactions that waited for each other. Ends all
    /// connections, which say so when they end.
    pub(crate) fn deadlocks(&self) -> i64 {
        self.sql(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
        self.number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    }

    /// Balances, ledger, nonces, statistics and house totals agree with the rounds.
    pub(crate) async fn assert_books(&self) {
        let read = self
            .database
            .read::<_, DatabaseError, _>(queries::violations);
        for violation in read.await.unwrap() {
            assert_eq!(violation.count, 0, "{}", violation.invariant);
        }
    }
}

/// The one number that a query over a connection of its own returns.
pub(crate) fn number(url: &DatabaseUrl, query: &str) -> i64 {
    let query = format!("SELECT CAST(({query}) AS TEXT) AS value");
    texts(url, &query)[0].parse().unwrap()
}

pub(crate) fn new_user(name: &str) -> NewUser {
    let digits = hex::encode(format!("{name:>32}"));
    NewUser {
        username: Username::parse(name).unwrap(),
        password_hash: "x".to_owned(),
        role: Role::Player,
        server_seed: digits.clone(),
        server_seed_hash: digits,
        client_seed: "client".to_owned(),
        at: moment(),
    }
}

pub(crate) fn set_balance(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    cents: i64,
) -> Outcome<()> {
    let mut account = transaction.account(player)?;
    let entry = account.next_entry();
    if let Some(movement) = account.wallet.adjust_to(Money::from_cents(cents))? {
        let reference = LedgerReference::Adjustment { player, entry };
        transaction.add_entry(&mut account, movement, reference, moment());
        transaction.save_account(account);
    }
    Ok(())
}

/// A job that is in the writer's queue.
pub(crate) struct Queued<T> {
    future: Pin<Box<dyn Future<Output = Outcome<T>> + Send>>,
    answer: Option<Outcome<T>>,
}

/// Puts a job into its writer's queue, behind those that were queued before, and does not wait.
pub(crate) fn queue<T, F>(database: &Database, scope: Scope, work: F) -> Queued<T>
where
    F: Fn(&mut Transaction<'_, '_>) -> Outcome<T> + Send + 'static,
    T: Send + 'static,
{
    let database = database.clone();
    let mut queued = Queued {
        future: Box::pin(async move { database.write(scope, work).await }),
        answer: None,
    };
    queued.poll();
    queued
}

impl<T> Queued<T> {
    fn poll(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        if self.answer.is_none()
            && let Poll::Ready(answer) = self.future.as_mut().poll(&mut context)
        {
            self.answer = Some(answer);
        }
    }

    /// Whether the writer has answered by now.
    pub(crate) fn is_answered(&mut self) -> bool {
        self.poll();
        self.answer.is_some()
    }

    pub(crate) async fn answer(self) -> Outcome<T> {
        match self.answer {
            Some(answer) => answer,
            None => self.future.await,
        }
    }
}

/// A job that a writer is busy with until it is told to go on.
pub(crate) struct Gate {
    job: Queued<()>,
    open: mpsc::Sender<()>,
    reached: async_mpsc::UnboundedReceiver<()>,
}

impl Gate {
    /// Queues the job, for the writer of this scope.
    pub(crate) fn queue(database: &Database, scope: Scope) -> Self {
        Self::queue_with(database, scope, |_| Ok(()))
    }

    /// The same, with work that is done before the job waits.
    pub(crate) fn queue_with(
        database: &Database,
        scope: Scope,
        work: impl Fn(&mut Transaction<'_, '_>) -> Outcome<()> + Send + 'static,
    ) -> Self {
        let (open, opened) = mpsc::channel();
        let (reach, reached) = async_mpsc::unbounded_channel();
        let job = queue(database, scope, move |transaction| {
            work(transaction)?;
            let _ = reach.send(());
            let _ = opened.recv();
            Ok(())
        });
        Self { job, open, reached }
    }

    /// Waits until the writer has come to the job.
    pub(crate) async fn reached(mut self) -> Self {
        self.reached.recv().await.unwrap();
        self
    }

    /// Lets the writer go on.
    pub(crate) async fn open(self) {
        drop(self.open);
        self.job.answer().await.unwrap();
    }
}

/// Holds the writer of a player: what is queued until the gate opens is one batch.
pub(crate) async fn hold(database: &Database, player: UserId) -> Gate {
    Gate::queue(database, Scope::player(player)).reached().await
}
