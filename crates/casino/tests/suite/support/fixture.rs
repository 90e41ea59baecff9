//! A separate house for each test, on SQLite or PostgreSQL.

use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use glasshouse_casino::accounts::register;
use glasshouse_casino::administration::adjust_balance;
use glasshouse_casino::books::{CheckOptions, CheckReport, check_books};
use glasshouse_casino::public_log::LogSigner;
use glasshouse_casino::{Bounds, CasinoError, Clock, Database, DatabaseUrl, House, HouseKeys};
use glasshouse_domain::{Money, Timestamp, UserId};
use glasshouse_testing::{
    Backend, EmptyDatabase, audit_keys, house_keys, log_keys, open_database, open_database_with,
    seed_keys, texts,
};

use tokio::sync::OnceCell;

use super::administration::{adjustment, context, lift_thresholds};
use super::registration;

/// A clock that only moves when a test moves it.
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) const fn at(moment: Timestamp) -> Self {
        Self(AtomicI64::new(moment.as_micros()))
    }

    pub(crate) fn advance(&self, duration: Duration) {
        let micros = i64::try_from(duration.as_micros()).unwrap();
        self.0.fetch_add(micros, Ordering::SeqCst);
    }

    /// Moves forward to `moment`; does nothing if that has passed.
    pub(crate) fn set(&self, moment: Timestamp) {
        self.0.fetch_max(moment.as_micros(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }

    fn wait_until(&self, _: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(Duration::from_millis(1)))
    }

    fn bounds(&self) -> Bounds {
        Bounds::exact(self.now())
    }

    fn correct(&self, _: i64, _: Duration) {}
}

/// A house whose withdrawals can be approved at once, unless a test sets a delay, and which spends no time on passwords.
fn prepared(house: House) -> House {
    house
        .delaying_withdrawals_by(Duration::ZERO)
        .with_unprotected_passwords()
}

/// A house on a fresh, migrated database.
pub(crate) struct Fixture {
    pub(crate) house: House,
    pub(crate) database: Database,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) url: DatabaseUrl,
    /// Who sets balances: nobody sets their own.
    funder: OnceCell<UserId>,
    // Dropped last, after the connections.
    storage: EmptyDatabase,
}

impl Fixture {
    /// A house on a database of its own.
    pub(crate) fn on(backend: Backend) -> Self {
        Self::open(EmptyDatabase::migrated(backend))
    }

    /// Migrates the database and opens a house on it.
    pub(crate) fn open(empty: EmptyDatabase) -> Self {
        let url = empty.url.clone();
        let clock = Arc::new(TestClock(AtomicI64::new(1_700_000_000_000_000)));
        let database = open_database(&url);
        let house = prepared(House::new(database.clone(), clock.clone()));
        Self {
            house,
            database,
            clock,
            url,
            funder: OnceCell::new(),
            storage: empty,
        }
    }

    /// A house on a copy of the database, as after the restoration of a backup that was made now.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self::open(self.storage.copy());
        copy.clock.set(self.clock.now());
        copy
    }

    /// Makes the database unreachable. PostgreSQL only.
    pub(crate) fn start_outage(&self) {
        self.storage.start_outage();
    }

    /// Makes the database reachable again.
    pub(crate) fn end_outage(&self) {
        self.storage.end_outage();
    }

    /// A second server on the same database, with these keys for receipts and the log.
    pub(crate) fn house_signing_with(&self, log: LogSigner) -> House {
        let keys = HouseKeys {
            log,
            ..house_keys()
        };
        let database = open_database_with(&self.url, keys);
        prepared(House::new(database, self.clock.clone()))
    }

    /// A second server on the same database.
    pub(crate) fn another_house(&self) -> House {
        self.another_house_with_clock(self.clock.clone())
    }

    /// A second server on the same database, with its own clock.
    pub(crate) fn another_house_with_clock(&self, clock: Arc<dyn Clock>) -> House {
        prepared(House::new(open_database(&self.url), clock))
    }

    /// Runs SQL directly, as someone with the database's password could.
    pub(crate) fn sql(&self, statements: &str) -> Result<(), String> {
        glasshouse_testing::sql(&self.url, statements)
    }

    /// The column `value` of a query's rows, as text.
    pub(crate) fn texts(&self, query: &str) -> Vec<String> {
        texts(&self.url, query)
    }

    /// Locks the database as another program could: no writes, and on PostgreSQL no reads of the
    /// payment tables either, until the returned guard is dropped.
    pub(crate) fn lock_payments(&self) -> Box<dyn Any> {
        match &self.url {
            DatabaseUrl::Sqlite(path) => {
                let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
                connection
                    .batch_execute("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE")
                    .unwrap();
                Box::new(connection)
            }
            DatabaseUrl::Postgres(url) => {
                let mut connection = PgConnection::establish(url).unwrap();
                let tables = "accounts, deposits, payments, pending_callbacks";
                connection
                    .batch_execute(&format!(
                        "BEGIN; LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE"
                    ))
                    .unwrap();
                Box::new(connection)
            }
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.url, DatabaseUrl::Postgres(_))
    }

    /// Registers a player and sets the balance, in US cents.
    pub(crate) async fn player(&self, name: &str, cents: i64) -> UserId {
        let player = register(&self.house, registration(name))
            .await
            .unwrap()
            .user
            .id;
        if cents > 0 {
            self.set_balance(player, cents).await.unwrap();
        }
        player
    }

    /// Sets a player's balance, in US cents, on behalf of somebody who does nothing else.
    pub(crate) async fn set_balance(&self, player: UserId, cents: i64) -> Result<(), CasinoError> {
        let context = context(self.funder().await);
        let request = adjustment(player, Money::from_cents(cents));
        adjust_balance(&self.house, context, request)
            .await
            .map(drop)
    }

    /// Who sets balances. Exists from the first time on.
    pub(crate) async fn funder(&self) -> UserId {
        *self.funder.get_or_init(|| self.new_funder()).await
    }

    async fn new_funder(&self) -> UserId {
        lift_thresholds(&self.house).await;
        let funder = register(&self.house, registration("funder")).await;
        funder.unwrap().user.id
    }

    /// The report of `glasshouse check`.
    pub(crate) fn check(&self) -> CheckReport {
        self.check_with_kept(None)
    }

    /// The report of `glasshouse check` with a checkpoint that was kept outside of the database.
    pub(crate) fn check_with_kept(&self, kept_checkpoint: Option<String>) -> CheckReport {
        let options = CheckOptions {
            kept_checkpoint,
            ..check_options()
        };
        check_books(&self.url, &options).unwrap()
    }

    /// The report of `glasshouse check` without the public log's key.
    pub(crate) fn check_without_log_key(&self) -> CheckReport {
        let options = CheckOptions {
            log_keys: Vec::new(),
            ..check_options()
        };
        check_books(&self.url, &options).unwrap()
    }

    /// Asserts that every invariant of the books was checked and holds.
    #[track_caller]
    pub(crate) fn assert_clean(&self) -> impl Future<Output = ()> {
        assert_clean(&self.check());
        std::future::ready(())
    }

    /// The same for public logs with these signers.
    #[track_caller]
    pub(crate) fn assert_clean_signed_by(&self, signers: &[LogSigner]) {
        assert_clean(&self.check_signed_by(signers));
    }

    /// The report of `glasshouse check` for public logs with these signers.
    pub(crate) fn check_signed_by(&self, signers: &[LogSigner]) -> CheckReport {
        let keys = signers.iter().map(|signer| signer.keys().verifier_keys());
        let options = CheckOptions {
            log_keys: keys.cloned().collect(),
            ..check_options()
        };
        check_books(&self.url, &options).unwrap()
    }
}

/// The options with all keys.
fn check_options() -> CheckOptions {
    CheckOptions {
        audit_keys: Some(audit_keys()),
        seed_keys: Some(seed_keys()),
        log_keys: vec![log_keys()],
        kept_checkpoint: None,
        noted_hashes: Vec::new(),
    }
}

#[track_caller]
fn assert_clean(report: &CheckReport) {
    assert!(report.is_clean() && report.is_complete(), "{report:#?}");
}
