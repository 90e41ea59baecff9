//! What tests of several crates share: a fresh database for each test, on either kind of server,
//! and a small HTTP server.
//!
//! A dev-dependency only. It knows how a database is made, filled by hand and removed again, and
//! nothing of what is tested on it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "a test stops where something is not as it should be"
)]

mod http_server;
pub use http_server::TestHttpServer;

use std::sync::atomic::{AtomicU32, Ordering};

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};
use glasshouse_persistence::audit::AuditKeys;
use glasshouse_persistence::{Database, DatabaseOptions, DatabaseUrl};
use tempfile::TempDir;

/// Where a test finds the PostgreSQL server on which it may make databases.
const SERVER_VARIABLE: &str = "GLASSHOUSE_TEST_POSTGRES_URL";

/// The databases that the house runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// A file in a temporary folder.
    Sqlite,
    /// A database on the server of `cargo xtask postgres`.
    Postgres,
}

/// A database without any table, removed when this is dropped.
pub struct EmptyDatabase {
    /// Its address.
    pub url: DatabaseUrl,
    place: Place,
}

enum Place {
    Folder { _folder: TempDir },
    Server { url: String, name: String },
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Self::Server { url, name } = self
            && let Ok(mut connection) = PgConnection::establish(url)
        {
            let _ = connection.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

impl EmptyDatabase {
    /// Makes one.
    #[must_use]
    pub fn new(backend: Backend) -> Self {
        match backend {
            Backend::Sqlite => Self::sqlite(),
            Backend::Postgres => Self::postgres(),
        }
    }

    /// Makes one on SQLite.
    #[must_use]
    pub fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        Self {
            url: DatabaseUrl::Sqlite(folder.path().join("glasshouse.db")),
            place: Place::Folder { _folder: folder },
        }
    }

    /// Makes one on PostgreSQL.
    #[must_use]
    pub fn postgres() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let server = std::env::var(SERVER_VARIABLE).expect(
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
            place: Place::Server { url: server, name },
        }
    }
}

impl EmptyDatabase {
    fn server(&self) -> (PgConnection, &str) {
        match &self.place {
            Place::Server { url, name } => (PgConnection::establish(url).unwrap(), name),
            Place::Folder { .. } => panic!("a file cannot be taken away"),
        }
    }

    /// Refuses new connections and ends those there are: the database is down. On PostgreSQL only.
    pub fn take_away(&self) {
        let (mut server, name) = self.server();
        server
            .batch_execute(&format!(
                "ALTER DATABASE {name} ALLOW_CONNECTIONS false;
                 SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ))
            .unwrap();
    }

    /// Lets connections in again after [`Self::take_away`].
    pub fn give_back(&self) {
        let (mut server, name) = self.server();
        server
            .batch_execute(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
            .unwrap();
    }
}

/// What the audit logs of all tests are sealed with.
#[must_use]
pub fn audit_keys() -> AuditKeys {
    AuditKeys::parse(&"5ea1".repeat(16)).unwrap()
}

/// Brings a database's tables up to date and opens it.
#[must_use]
pub fn open_database(url: &DatabaseUrl) -> Database {
    Database::open(&DatabaseOptions {
        url: url.clone(),
        allow_unsafe_settings: true,
        audit_keys: audit_keys(),
    })
    .unwrap()
}

/// Runs SQL as somebody who has the database's password, over a connection of its own.
///
/// # Errors
/// What the database says.
pub fn sql(url: &DatabaseUrl, statements: &str) -> Result<(), String> {
    let outcome = match url {
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

/// The column `value` of a query, as text.
#[must_use]
pub fn texts(url: &DatabaseUrl, query: &str) -> Vec<String> {
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
