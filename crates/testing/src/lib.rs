//! Helpers for the tests of several crates: a fresh database for each test, on SQLite or
//! PostgreSQL, small HTTP and SMTP servers, a
//! device with passkeys, and the commands that a document shows.
//!
//! Used only as a dev-dependency. This crate creates databases, runs SQL on them and removes them.
//! It knows nothing about the code that the tests exercise.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "tests panic on unexpected results"
)]

mod documented;
mod http_server;
mod migrated;
mod passkey_device;
mod smtp_server;
mod statements;

pub use documented::{Commands, documented_commands, have_programs, run_commands};
pub use http_server::TestHttpServer;
pub use passkey_device::PasskeyDevice;
pub use smtp_server::{ReceivedMail, TestSmtpServer};
pub use statements::{sql, texts};

use std::sync::atomic::{AtomicU32, Ordering};

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use glasshouse_persistence::accounts::FactorKeys;
use glasshouse_persistence::audit::AuditKeys;
use glasshouse_persistence::public_log::LogSigner;
use glasshouse_persistence::seeds::SeedKeys;
use glasshouse_persistence::{Database, DatabaseOptions, DatabaseUrl, HouseKeys};
use glasshouse_transparency::keys::{SigningKeys, VerifierKeys, new_private_key};
use glasshouse_transparency::origin::Origin;
use secrecy::ExposeSecret as _;
use tempfile::TempDir;

/// The environment variable with the URL of the PostgreSQL server on which tests create databases.
const SERVER_VARIABLE: &str = "GLASSHOUSE_TEST_POSTGRES_URL";

/// The database systems that the casino supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// A file in a temporary folder.
    Sqlite,
    /// A database on the server of `cargo xtask postgres`.
    Postgres,
}

/// A database without tables, removed when this value is dropped.
pub struct EmptyDatabase {
    /// The URL of the database.
    pub url: DatabaseUrl,
    /// The roles of [`Self::postgres_with_roles`].
    pub roles: Option<DatabaseRoles>,
    storage: Storage,
}

/// Two roles of a PostgreSQL database that are no superusers.
#[derive(Debug, Clone)]
pub struct DatabaseRoles {
    /// The URL for the role that owns the database.
    pub owner_url: String,
    /// The URL for a role without any rights yet.
    pub server_url: String,
    /// The name of the role of `server_url`.
    pub server: String,
    /// The name of the role of `owner_url`.
    pub owner: String,
}

enum Storage {
    Folder { _folder: TempDir },
    Server { url: String, name: String },
}

impl Drop for Storage {
    fn drop(&mut self) {
        statements::close_kept_connection();
        if let Self::Server { url, name } = self
            && let Ok(mut connection) = PgConnection::establish(url)
        {
            let _ = connection.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)"));
            let _ = connection
                .batch_execute(&format!("DROP ROLE IF EXISTS {name}_owner, {name}_server"));
        }
    }
}

impl EmptyDatabase {
    /// Creates a database.
    #[must_use]
    pub fn new(backend: Backend) -> Self {
        match backend {
            Backend::Sqlite => Self::sqlite(),
            Backend::Postgres => Self::postgres(),
        }
    }

    /// Creates a SQLite database in a temporary folder.
    #[must_use]
    pub fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        Self {
            url: DatabaseUrl::Sqlite(folder.path().join("glasshouse.db")),
            roles: None,
            storage: Storage::Folder { _folder: folder },
        }
    }

    /// Creates a database on the PostgreSQL server.
    #[must_use]
    pub fn postgres() -> Self {
        let mut server = PgConnection::establish(&server_url()).unwrap();
        Self::postgres_from(&mut server, "template1")
    }

    /// Creates a copy of another database on the PostgreSQL server, to which nobody is connected.
    fn postgres_from(server: &mut PgConnection, template: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let url = server_url();
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let name = format!("glasshouse_test_{}_{number}", std::process::id());
        server
            .batch_execute(&format!(
                "CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy"
            ))
            .unwrap();
        let (address, _) = url.rsplit_once('/').unwrap();
        Self {
            url: DatabaseUrl::Postgres(format!("{address}/{name}")),
            roles: None,
            storage: Storage::Server { url, name },
        }
    }

    /// Creates a database on the PostgreSQL server that belongs to a role of its own, and a role for servers
    /// that owns nothing and has no rights in it.
    #[must_use]
    pub fn postgres_with_roles() -> Self {
        let mut database = Self::postgres();
        let (mut superuser, name) = database.server();
        let (owner, server) = (format!("{name}_owner"), format!("{name}_server"));
        superuser
            .batch_execute(&format!(
                "CREATE ROLE {owner} LOGIN PASSWORD 'a-test'; CREATE ROLE {server} LOGIN PASSWORD 'a-test';
                 ALTER DATABASE {name} OWNER TO {owner}"
            ))
            .unwrap();
        let DatabaseUrl::Postgres(url) = &database.url else {
            panic!("expected PostgreSQL")
        };
        let (scheme, rest) = url.split_once("://").unwrap();
        let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
        let url_of = |role: &str| format!("{scheme}://{role}:a-test@{place}");
        database.roles = Some(DatabaseRoles {
            owner_url: url_of(&owner),
            server_url: url_of(&server),
            server,
            owner,
        });
        database
    }
}

impl EmptyDatabase {
    /// A copy of the database as it is now, as an operator restores it from a backup. On PostgreSQL,
    /// all connections to the original are terminated.
    #[must_use]
    pub fn copy(&self) -> Self {
        let DatabaseUrl::Sqlite(path) = &self.url else {
            return self.copy_on_server();
        };
        let copy = Self::sqlite();
        let DatabaseUrl::Sqlite(target) = &copy.url else {
            panic!("expected SQLite")
        };
        SqliteConnection::establish(path.to_str().unwrap())
            .unwrap()
            // A server that is closing the database holds it for a moment.
            .batch_execute(&format!(
                "PRAGMA busy_timeout = 10000; VACUUM INTO '{}'",
                target.display()
            ))
            .unwrap();
        copy
    }

    fn copy_on_server(&self) -> Self {
        let copy = Self::postgres();
        let (mut server, name) = copy.server();
        // The copy replaces the empty database.
        server
            .batch_execute(&format!("DROP DATABASE {name}"))
            .unwrap();
        self.copy_to(name);
        copy
    }

    /// Creates a database on the server that is a copy of this one.
    fn copy_to(&self, name: &str) {
        // A terminated connection takes a moment to end.
        self.start_outage();
        let (mut server, template) = self.server();
        let create = format!("CREATE DATABASE {name} TEMPLATE {template}");
        while let Err(error) = server.batch_execute(&create) {
            assert!(error.to_string().contains("being accessed"), "{error}");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        self.end_outage();
    }

    fn server(&self) -> (PgConnection, &str) {
        match &self.storage {
            Storage::Server { url, name } => (PgConnection::establish(url).unwrap(), name),
            Storage::Folder { .. } => panic!("only a PostgreSQL database can be made unavailable"),
        }
    }

    /// Simulates an outage: refuses new connections and terminates existing ones. PostgreSQL only.
    pub fn start_outage(&self) {
        statements::close_kept_connection();
        let (mut server, name) = self.server();
        server
            .batch_execute(&format!(
                "ALTER DATABASE {name} ALLOW_CONNECTIONS false;
                 SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ))
            .unwrap();
    }

    /// Ends the outage that [`Self::start_outage`] started: allows connections again.
    pub fn end_outage(&self) {
        let (mut server, name) = self.server();
        server
            .batch_execute(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
            .unwrap();
    }
}

/// The URL of the PostgreSQL server on which tests create databases.
fn server_url() -> String {
    std::env::var(SERVER_VARIABLE).expect(
        "GLASSHOUSE_TEST_POSTGRES_URL is not set: run the tests with `cargo xtask test`, \
         or with `cargo xtask postgres -- cargo nextest run`",
    )
}

/// The file with the key that seals the audit logs in all tests, also those of [`EmptyDatabase::migrated`].
#[must_use]
pub fn audit_key_file() -> String {
    "5ea1".repeat(16)
}

/// The keys that seal the audit logs in all tests.
#[must_use]
pub fn audit_keys() -> AuditKeys {
    AuditKeys::parse(&audit_key_file()).unwrap()
}

/// The name of the public log in all tests.
pub const LOG_ORIGIN: &str = "house.example/glasshouse";

/// The keys that sign receipts and the log in all tests.
#[must_use]
pub fn log_signer() -> LogSigner {
    log_signer_of(LOG_ORIGIN, &[7])
}

/// The keys that verify receipts and the log in all tests.
#[must_use]
pub fn log_keys() -> VerifierKeys {
    log_signer().keys().verifier_keys().clone()
}

/// Keys with these numbers that sign receipts and the log of this name.
#[must_use]
pub fn log_signer_of(origin: &str, numbers: &[u8]) -> LogSigner {
    let origin = Origin::parse(origin).unwrap();
    let line = |number: &u8| {
        new_private_key(&origin, [*number; 32])
            .expose_secret()
            .to_owned()
    };
    let lines: Vec<String> = numbers.iter().map(line).collect();
    LogSigner::new(SigningKeys::parse(&lines.join("\n")).unwrap())
}

/// The keys that server seeds are derived from in all tests.
#[must_use]
pub fn seed_keys() -> SeedKeys {
    SeedKeys::parse(&"5eed".repeat(16)).unwrap()
}

/// The keys that the secrets of second factors are encrypted with in all tests.
#[must_use]
pub fn factor_keys() -> FactorKeys {
    FactorKeys::parse(&"fac7".repeat(16)).unwrap()
}

/// All keys that databases are opened with in tests.
#[must_use]
pub fn house_keys() -> HouseKeys {
    HouseKeys {
        audit: audit_keys(),
        seeds: seed_keys(),
        log: log_signer(),
        factors: factor_keys(),
    }
}

/// Migrates a database to the current schema and opens it.
#[must_use]
pub fn open_database(url: &DatabaseUrl) -> Database {
    open_database_with(url, house_keys())
}

/// The number of PostgreSQL writers in tests, whatever machine they run on. A player's ID modulo this
/// number selects the writer of the player's jobs.
pub const POSTGRES_WRITERS: i64 = 4;

/// The number of connections for reading in tests: each reads PostgreSQL's catalogue for itself, which takes longer than
/// most tests would without it.
const READERS: usize = 1;

/// The same, with other keys.
#[must_use]
pub fn open_database_with(url: &DatabaseUrl, keys: HouseKeys) -> Database {
    Database::open(&database_options(url, keys)).unwrap()
}

/// How tests open a database.
#[must_use]
pub fn database_options(url: &DatabaseUrl, keys: HouseKeys) -> DatabaseOptions {
    DatabaseOptions {
        url: url.clone(),
        allow_unsafe_settings: true,
        keys,
        postgres_writers: POSTGRES_WRITERS,
        readers: READERS,
    }
}
