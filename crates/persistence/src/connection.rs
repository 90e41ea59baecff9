//! One connection type over both databases, and how each is opened.
//!
//! Queries are written with diesel's query builder. SQL is written by hand only where the builder
//! cannot say it for both databases at once, or where its text was measured:
//!
//! - `RETURNING` and `ON CONFLICT`, which a `MultiConnection` does not support: rows that are given
//!   a number, upserts, and leases (`UPDATE … RETURNING` with `FOR UPDATE SKIP LOCKED` inside).
//! - Conditions of partial indexes, which a bound value does not match: `IsOpen` and `IsSettled`,
//!   the counts of [`house_counts`](crate::books) and of administrators.
//! - A table that is itself a query: `admin/payments.rs` lists rows of two kinds out of a `UNION`,
//!   with an aggregate that has another name on each database.
//! - What a batch of bets runs, whose text is constant so that its plan is kept: see
//!   `engine/cached_sql.rs` and
//!   [ADR 10](../../../docs/adr/0010-plans-do-not-depend-on-when-they-were-made.md).
//! - Sums over the house (`books/house_totals.rs`), the checks of the books, which are SQL to be read
//!   as such, and what the databases say about themselves: clock, settings, schema, `LISTEN`, `VACUUM`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};

use crate::error::DatabaseError;

/// A connection to either database.
#[derive(diesel::MultiConnection)]
pub enum AnyConnection {
    /// An embedded SQLite file.
    Sqlite(SqliteConnection),
    /// A PostgreSQL server.
    Postgres(PgConnection),
}

/// Which database to use: `sqlite://PATH` or `postgres://…`.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A file, made if it is missing.
    Sqlite(PathBuf),
    /// A libpq connection string. It may hold a password: never shown.
    Postgres(String),
}

/// The text is no address of a database that we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a database URL is sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME")]
pub struct DatabaseUrlError;

impl FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("sqlite://") {
            // A question mark would begin parameters that we do not read.
            if path.is_empty() || path.contains('?') || path.starts_with(":memory:") {
                return Err(DatabaseUrlError);
            }
            return Ok(Self::Sqlite(PathBuf::from(path)));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Err(DatabaseUrlError)
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(formatter, "sqlite://{}", path.display()),
            Self::Postgres(_) => formatter.write_str("PostgreSQL"),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Every committed bet survives a loss of power (WAL with synchronous FULL). The journal is cut
/// back at each checkpoint, so that it does not grow with a long-running server.
const SQLITE_SETTINGS: &str = "
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -4000;
    PRAGMA temp_store = MEMORY;
    PRAGMA journal_size_limit = 67108864;
";

/// No statement and no forgotten transaction may hold an account's lock for ever, nor wait for one.
///
/// What is planned is planned for the tables as they are when it runs, and no table is walked through
/// because it was small ([ADR 10](../../../docs/adr/0010-plans-do-not-depend-on-when-they-were-made.md)).
/// Where that cannot be avoided, its cost would look like work worth compiling.
///
/// Faults are known by their words, so those are asked for in English where the role may choose.
const POSTGRES_SETTINGS: &str = "
    SET statement_timeout = '30s';
    SET idle_in_transaction_session_timeout = '30s';
    SET lock_timeout = '3s';
    SET plan_cache_mode = force_custom_plan;
    SET enable_seqscan = off;
    SET enable_bitmapscan = off;
    SET jit = off;
    DO $$ BEGIN
        PERFORM set_config('lc_messages', 'C', FALSE);
    EXCEPTION WHEN insufficient_privilege THEN
        NULL;
    END $$;
";

/// For work over whole tables, and back again.
const POSTGRES_UNLIMITED: &str = "SET statement_timeout = 0; SET lock_timeout = 0;
     SET enable_seqscan = on; SET enable_bitmapscan = on";
const POSTGRES_LIMITED: &str = "SET statement_timeout = '30s'; SET lock_timeout = '3s';
     SET enable_seqscan = off; SET enable_bitmapscan = off";

/// How many seconds a server may take to take a connection, unless the address says otherwise.
const CONNECT_TIMEOUT_SECONDS: u32 = 5;

impl DatabaseUrl {
    /// Opens a connection with the settings that the casino relies on.
    ///
    /// # Errors
    /// [`DatabaseError::Unavailable`] if it cannot be opened.
    pub fn connect(&self) -> Result<AnyConnection, DatabaseError> {
        match self {
            Self::Sqlite(path) => connect_sqlite(path).map(AnyConnection::Sqlite),
            Self::Postgres(url) => connect_postgres(url).map(AnyConnection::Postgres),
        }
    }
}

fn connect_sqlite(path: &Path) -> Result<SqliteConnection, DatabaseError> {
    let unavailable = |error: &dyn fmt::Display| {
        DatabaseError::Unavailable(format!("{}: {error}", path.display()))
    };
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder).map_err(|error| unavailable(&error))?;
    }
    let text = path
        .to_str()
        .ok_or_else(|| unavailable(&"the path is not UTF-8"))?;
    let mut connection = SqliteConnection::establish(text).map_err(|error| unavailable(&error))?;
    connection
        .batch_execute(SQLITE_SETTINGS)
        .map_err(|error| unavailable(&error))?;
    Ok(connection)
}

fn connect_postgres(url: &str) -> Result<PgConnection, DatabaseError> {
    // libpq's message names host and user, never the password.
    let mut connection = PgConnection::establish(&with_connect_timeout(url))
        .map_err(|error| DatabaseError::Unavailable(format!("PostgreSQL: {error}")))?;
    connection
        .batch_execute(POSTGRES_SETTINGS)
        .map_err(|error| DatabaseError::Unavailable(format!("PostgreSQL: {error}")))?;
    Ok(connection)
}

/// A server that is gone without a word would be waited for for minutes.
fn with_connect_timeout(url: &str) -> String {
    if url.contains("connect_timeout=") {
        return url.to_owned();
    }
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}connect_timeout={CONNECT_TIMEOUT_SECONDS}")
}

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    name: String,
}

/// The PostgreSQL settings that are off though a committed bet can then be lost; empty on SQLite,
/// whose settings are ours.
pub(crate) fn unsafe_settings(
    connection: &mut AnyConnection,
) -> Result<Vec<String>, DatabaseError> {
    let AnyConnection::Postgres(postgres) = connection else {
        return Ok(Vec::new());
    };
    let off = diesel::sql_query(
        "SELECT name FROM pg_settings
         WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') AND setting = 'off'
         ORDER BY name",
    )
    .load::<Setting>(postgres)?;
    Ok(off.into_iter().map(|setting| setting.name).collect())
}

/// Lets the statements of a migration or of the check take as long as the data is large, and read
/// tables from end to end.
pub(crate) fn without_time_limit<T>(
    connection: &mut AnyConnection,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, DatabaseError>,
) -> Result<T, DatabaseError> {
    set_limits(connection, POSTGRES_UNLIMITED)?;
    let outcome = work(connection);
    set_limits(connection, POSTGRES_LIMITED)?;
    outcome
}

fn set_limits(connection: &mut AnyConnection, statement: &str) -> Result<(), DatabaseError> {
    match connection {
        AnyConnection::Sqlite(_) => Ok(()),
        AnyConnection::Postgres(postgres) => Ok(postgres.batch_execute(statement)?),
    }
}

/// What keeps two servers that take work from waiting for each other. SQLite has one writer anyway.
pub(crate) const fn skip_locked(connection: &AnyConnection) -> &'static str {
    match connection {
        AnyConnection::Sqlite(_) => "",
        AnyConnection::Postgres(_) => "FOR UPDATE SKIP LOCKED",
    }
}

/// Reads the row of a query and locks it until the commit, with the lock that is named. On SQLite
/// the transaction already holds the only write lock. None where there is no such row.
macro_rules! locked {
    ($connection:expr, $query:expr, $row:ty, $lock:ident) => {
        match $connection {
            AnyConnection::Sqlite(sqlite) => $query
                .select(<$row>::as_select())
                .first(sqlite)
                .optional()?,
            AnyConnection::Postgres(postgres) => $query
                .$lock()
                .select(<$row>::as_select())
                .first(postgres)
                .optional()?,
        }
    };
}
pub(crate) use locked;
