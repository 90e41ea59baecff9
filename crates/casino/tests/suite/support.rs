//! A house of its own for each test, on either database.

use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use glasshouse_casino::accounts::{Registration, register};
use glasshouse_casino::administration::{AdminContext, adjust_balance};
use glasshouse_casino::books::{CheckOptions, CheckReport, check_books};
use glasshouse_casino::{Bounds, CasinoError, Clock, Database, DatabaseUrl, House, Refusal};
use glasshouse_domain::{Money, NewPassword, Timestamp, UserId, Username};
use glasshouse_games::dice::{Bet, BetType, Target};
pub(crate) use glasshouse_testing::{Backend, EmptyDatabase, audit_keys, open_database, texts};
use rstest_reuse::template;

/// Runs a test on both databases: `#[apply(both_databases)]` above `async fn name(#[case] test:
/// &Fixture)`.
#[template]
#[rstest::rstest]
#[case::sqlite(&crate::support::Fixture::on(crate::support::Backend::Sqlite))]
#[case::postgres(&crate::support::Fixture::on(crate::support::Backend::Postgres))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_databases(#[case] test: &Fixture) {}

/// A clock that stands still until it is told otherwise.
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) fn advance(&self, duration: Duration) {
        let micros = i64::try_from(duration.as_micros()).unwrap();
        self.0.fetch_add(micros, Ordering::SeqCst);
    }

    /// Goes on to `moment`, unless it has passed.
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

/// A house on a fresh, migrated database.
pub(crate) struct Fixture {
    pub(crate) house: House,
    pub(crate) database: Database,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) url: DatabaseUrl,
    // Dropped last, after the connections.
    _place: EmptyDatabase,
}

impl Fixture {
    /// A house on an empty database.
    pub(crate) fn on(backend: Backend) -> Self {
        Self::open(EmptyDatabase::new(backend))
    }

    /// Migrates what is in the database by now, and opens a house on it.
    pub(crate) fn open(place: EmptyDatabase) -> Self {
        let url = place.url.clone();
        let clock = Arc::new(TestClock(AtomicI64::new(1_700_000_000_000_000)));
        let database = open_database(&url);
        let house = House::new(database.clone(), clock.clone()).unwrap();
        Self {
            house,
            database,
            clock,
            url,
            _place: place,
        }
    }

    /// A second server on the same database.
    pub(crate) fn another_house(&self) -> House {
        self.another_house_by(self.clock.clone())
    }

    /// A second server on the same database, with a clock of its own.
    pub(crate) fn another_house_by(&self, clock: Arc<dyn Clock>) -> House {
        House::new(open_database(&self.url), clock).unwrap()
    }

    /// Runs SQL as somebody who has the database's password.
    pub(crate) fn sql(&self, statements: &str) -> Result<(), String> {
        glasshouse_testing::sql(&self.url, statements)
    }

    /// The column `value` of a query, as text.
    pub(crate) fn texts(&self, query: &str) -> Vec<String> {
        texts(&self.url, query)
    }

    /// Holds the database as another program may: nobody writes, and on PostgreSQL nobody reads
    /// what has to do with payments, until what is returned is dropped.
    pub(crate) fn hold_payments(&self) -> Box<dyn Any> {
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

    /// A registered player with that balance.
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

    pub(crate) async fn set_balance(&self, player: UserId, cents: i64) -> Result<(), CasinoError> {
        let context = AdminContext {
            administrator: player,
            address: None,
            key: None,
        };
        let balance = Money::from_cents(cents);
        adjust_balance(&self.house, context, player, (balance, None))
            .await
            .map(drop)
    }

    /// What the check of the books says.
    pub(crate) fn check(&self) -> CheckReport {
        let options = CheckOptions {
            audit_keys: Some(audit_keys()),
            noted_hashes: Vec::new(),
        };
        check_books(&self.url, &options).unwrap()
    }

    /// Every invariant of the books holds, and each of them was checked.
    #[track_caller]
    pub(crate) fn assert_clean(&self) -> impl Future<Output = ()> {
        let report = self.check();
        assert!(report.is_clean() && report.is_complete(), "{report:#?}");
        std::future::ready(())
    }
}

pub(crate) fn registration(name: &str) -> Registration {
    Registration {
        username: Username::parse(name).unwrap(),
        password: NewPassword::parse("tr4vel-lamp".to_owned()).unwrap(),
    }
}

pub(crate) fn bet(cents: i64, target: i64, bet_type: BetType) -> Bet {
    Bet::new(
        Money::from_cents(cents),
        Target::new(target).unwrap(),
        bet_type,
    )
    .unwrap()
}

#[track_caller]
pub(crate) fn assert_refused<T: std::fmt::Debug>(
    outcome: Result<T, CasinoError>,
    expected: &Refusal,
) {
    match outcome {
        Err(CasinoError::Refused(refusal)) => assert_eq!(&refusal, expected),
        other => panic!("expected {expected:?}, got {other:?}"),
    }
}
