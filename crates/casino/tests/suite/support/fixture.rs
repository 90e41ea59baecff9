//! A separate house for each test, on SQLite or PostgreSQL.

use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};
use glasshouse_casino::accounts::register;
use glasshouse_casino::administration::{AdminContext, adjust_balance};
use glasshouse_casino::books::{CheckOptions, CheckReport, check_books};
use glasshouse_casino::{
    AuditKeys, Bounds, CasinoError, Clock, Database, DatabaseOptions, DatabaseUrl, House,
};
use glasshouse_domain::{Money, Timestamp, UserId};
use tempfile::TempDir;

use super::registration;

/// The database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backend {
    Sqlite,
    Postgres,
}

/// A clock that only moves when a test moves it.
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
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

/// A house on a fresh, migrated database.
pub(crate) struct Fixture {
    pub(crate) house: House,
    pub(crate) database: Database,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) url: DatabaseUrl,
    // Dropped last, after the connections.
    _storage: Storage,
}

/// A database without tables.
pub(crate) struct EmptyDatabase {
    pub(crate) url: DatabaseUrl,
    storage: Storage,
}

enum Storage {
    Folder { _folder: TempDir },
    Server { url: String, name: String },
}

impl Drop for Storage {
    fn drop(&mut self) {
        if let Self::Server { url, name } = self
            && let Ok(mut connection) = PgConnection::establish(url)
        {
            let _ = connection.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

impl EmptyDatabase {
    pub(crate) fn on(backend: Backend) -> Self {
        match backend {
            Backend::Sqlite => Self::sqlite(),
            Backend::Postgres => Self::postgres(),
        }
    }

    fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        Self {
            url: DatabaseUrl::Sqlite(folder.path().join("glasshouse.db")),
            storage: Storage::Folder { _folder: folder },
        }
    }

    fn postgres() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let server = std::env::var("GLASSHOUSE_TEST_POSTGRES_URL").expect(
            "GLASSHOUSE_TEST_POSTGRES_URL is not set: run the tests by `cargo xtask test`, \
             or by `cargo xtask postgres -- cargo nextest run`",
        );
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let name = format!("glasshouse_test_{}_{number}", std::process::id());
        PgConnection::establish(&server)
            .unwrap()
            .batch_execute(&format!("CREATE DATABASE {name}"))
            .unwrap();
        let (address, _) = server.rsplit_once('/').unwrap();
        Self {
            url: DatabaseUrl::Postgres(format!("{address}/{name}")),
            storage: Storage::Server { url: server, name },
        }
    }
}

impl Fixture {
    /// A house on an empty database.
    pub(crate) fn on(backend: Backend) -> Self {
        Self::open(EmptyDatabase::on(backend))
    }

    /// Migrates the database and opens a house on it.
    pub(crate) fn open(EmptyDatabase { url, storage }: EmptyDatabase) -> Self {
        let clock = Arc::new(TestClock(AtomicI64::new(1_700_000_000_000_000)));
        let database = open_database(&url);
        let house = House::new(database.clone(), clock.clone()).unwrap();
        Self {
            house,
            database,
            clock,
            url,
            _storage: storage,
        }
    }

    /// A second server on the same database.
    pub(crate) fn another_house(&self) -> House {
        self.another_house_with_clock(self.clock.clone())
    }

    /// A second server on the same database, with its own clock.
    pub(crate) fn another_house_with_clock(&self, clock: Arc<dyn Clock>) -> House {
        House::new(open_database(&self.url), clock).unwrap()
    }

    /// Runs SQL directly, as someone with the database's password could.
    pub(crate) fn sql(&self, statements: &str) -> Result<(), String> {
        let outcome = match &self.url {
            DatabaseUrl::Sqlite(path) => {
                let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
                connection
                    .batch_execute("PRAGMA busy_timeout = 5000")
                    .unwrap();
                connection.batch_execute(statements)
            }
            DatabaseUrl::Postgres(url) => PgConnection::establish(url)
                .unwrap()
                .batch_execute(statements),
        };
        outcome.map_err(|error| error.to_string())
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

    /// The report of `glasshouse check`.
    pub(crate) fn check(&self) -> CheckReport {
        let options = CheckOptions {
            audit_keys: Some(audit_keys()),
            noted_hashes: Vec::new(),
        };
        check_books(&self.url, &options).unwrap()
    }

    /// Asserts that every invariant of the books was checked and holds.
    #[track_caller]
    pub(crate) fn assert_clean(&self) -> impl Future<Output = ()> {
        let report = self.check();
        assert!(report.is_clean() && report.is_complete(), "{report:#?}");
        std::future::ready(())
    }
}

/// The key that seals the audit log in every test.
pub(crate) fn audit_keys() -> AuditKeys {
    AuditKeys::parse(&"5ea1".repeat(16)).unwrap()
}

/// The column `value` of a query's rows, as text.
pub(crate) fn texts(url: &DatabaseUrl, query: &str) -> Vec<String> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = diesel::sql_types::Text)]
        value: String,
    }
    let rows: Vec<Row> = match url {
        DatabaseUrl::Sqlite(path) => {
            let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
            diesel::sql_query(query).load(&mut connection)
        }
        DatabaseUrl::Postgres(url) => {
            diesel::sql_query(query).load(&mut PgConnection::establish(url).unwrap())
        }
    }
    .unwrap();
    rows.into_iter().map(|row| row.value).collect()
}

pub(crate) fn open_database(url: &DatabaseUrl) -> Database {
    Database::open(&DatabaseOptions {
        url: url.clone(),
        allow_unsafe_settings: true,
        audit_keys: audit_keys(),
    })
    .unwrap()
}
