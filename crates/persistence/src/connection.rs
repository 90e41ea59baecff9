//! One connection type for both databases, and how each is opened.
//!
//! Queries use diesel's query builder. SQL is written by hand only where the builder does not
//! support a statement for both databases, or where the exact text was chosen after measurements:
//!
//! - `RETURNING` and `ON CONFLICT`, which a `MultiConnection` does not support: inserts that return
//!   an ID, upserts, and leases (`UPDATE … RETURNING` with a nested `FOR UPDATE SKIP LOCKED`).
//! - Conditions of partial indexes, which a bound value does not match: `IsOpen` and `IsSettled`,
//!   the counts of [`house_counts`](crate::books) and of administrators.
//! - Derived tables: `admin/payments.rs` lists rows of two kinds from a `UNION`, with an aggregate
//!   that is named differently on each database.
//! - The statements of a batch of bets, whose text is constant so that the plan is cached: see
//!   `engine/cached_sql.rs` and
//!   [ADR 10](../../../docs/adr/0010-plans-do-not-depend-on-when-they-were-made.md).
//! - Sums over the house (`books/house_totals.rs`, `books/house_flows.rs`), the checks of the
//!   books, which are meant to be read as SQL, and queries about the database itself: clock,
//!   settings, schema, `LISTEN`, `VACUUM`.

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

/// The address of a database: `sqlite://PATH` or `postgres://…`.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A file, created if it is missing.
    Sqlite(PathBuf),
    /// A libpq connection string. It may contain a password and is never printed.
    Postgres(String),
}

/// The text is not a supported database URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a database URL is sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME")]
pub struct DatabaseUrlError;

impl FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("sqlite://") {
            // A question mark would start parameters, which are not supported.
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

/// Every committed bet survives a power failure (WAL with synchronous FULL). The journal is
/// truncated at each checkpoint, so that it does not grow while the server runs. A command makes a
/// checkpoint for every 16 MB of it, because most pages that one has to copy are changed again soon; those
/// of a server are made by a thread (`engine/sqlite_checkpoints.rs`).
///
/// A bet changes about a dozen pages, a few bytes of each, and the journal gets all of a page. So a new
/// database has pages of 1 kB: those of 2 kB write 39 percent more for a bet, SQLite's default of 4 kB
/// twice as much, and nothing is faster with them. Databases from before keep theirs, and have a
/// checkpoint for every 32 or 64 MB.
///
/// A connection caches 1 MB, because each commit of another one empties the cache. Only the writer, which no
/// other one disturbs, has more.
const SQLITE_SETTINGS: &str = "
    PRAGMA busy_timeout = 5000;
    PRAGMA page_size = 1024;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -1000;
    PRAGMA temp_store = MEMORY;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA wal_autocheckpoint = 16000;
";

/// Time limits, so that no statement or forgotten transaction holds an account's lock, or waits for
/// one, forever.
///
/// Plans are made for the current state of the tables, and no table is scanned because it happened
/// to be small ([ADR 10](../../../docs/adr/0010-plans-do-not-depend-on-when-they-were-made.md)). A
/// scan that cannot be avoided would look expensive enough for JIT compilation, so that is off.
///
/// Some faults are recognised by their message, so messages are requested in English if the role
/// may set that.
const POSTGRES_SETTINGS: &str = "
    SET statement_timeout = '30s';
    SET idle_in_transaction_session_timeout = '30s';
    SET lock_timeout = '3s';
    SET plan_cache_mode = force_custom_plan;
    SET enable_seqscan = off;
    SET enable_bitmapscan = off;
    SET jit = off;
    SET application_name = 'glasshouse';
    DO $$ BEGIN
        PERFORM set_config('lc_messages', 'C', FALSE);
    EXCEPTION WHEN insufficient_privilege THEN
        NULL;
    END $$;
";

/// The name of this program's connections to PostgreSQL, by which others recognise them.
pub(crate) const APPLICATION_NAME: &str = "glasshouse";

/// Settings for work over whole tables, and the normal settings to restore afterwards.
const POSTGRES_UNLIMITED: &str = "SET statement_timeout = 0; SET lock_timeout = 0;
     SET enable_seqscan = on; SET enable_bitmapscan = on";
const POSTGRES_LIMITED: &str = "SET statement_timeout = '30s'; SET lock_timeout = '3s';
     SET enable_seqscan = off; SET enable_bitmapscan = off";

/// The connection timeout in seconds, unless the URL has one.
const CONNECT_TIMEOUT_SECONDS: u32 = 5;

impl DatabaseUrl {
    /// Opens a connection with the settings that the casino depends on.
    ///
    /// # Errors
    /// [`DatabaseError::Unavailable`] if the connection cannot be opened.
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
    // libpq's message contains host and user, but never the password.
    let mut connection = PgConnection::establish(&with_connect_timeout(url))
        .map_err(|error| DatabaseError::Unavailable(format!("PostgreSQL: {error}")))?;
    connection
        .batch_execute(POSTGRES_SETTINGS)
        .map_err(|error| DatabaseError::Unavailable(format!("PostgreSQL: {error}")))?;
    Ok(connection)
}

/// Without a timeout, connecting to an unresponsive server would take minutes.
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

/// The PostgreSQL settings that are off although a committed bet can then be lost. Always empty on
/// SQLite, where we choose the settings.
///
/// # Errors
/// If the database fails.
pub fn unsafe_settings(connection: &mut AnyConnection) -> Result<Vec<String>, DatabaseError> {
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

/// Runs work without time limits and with table scans enabled, for migrations and the check.
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

/// The locking clause that keeps two servers from leasing the same rows. SQLite has only one
/// writer.
pub(crate) const fn skip_locked(connection: &AnyConnection) -> &'static str {
    match connection {
        AnyConnection::Sqlite(_) => "",
        AnyConnection::Postgres(_) => "FOR UPDATE SKIP LOCKED",
    }
}

/// The numbers of a list, for `IN (…)` in SQL: numbers need no escaping.
pub(crate) fn number_list(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    texts.join(", ")
}

/// Reads the row of a query and locks it until the commit, with the given lock method. On SQLite
/// the transaction already holds the only write lock. `None` if there is no such row.
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

#[cfg(test)]
mod tests {
    use diesel::sql_types::Integer;

    use super::*;

    #[derive(QueryableByName)]
    struct PageSize {
        #[diesel(sql_type = Integer)]
        page_size: i32,
    }

    fn page_size(path: &Path) -> i32 {
        let mut connection = connect_sqlite(path).unwrap();
        // Without a table, there is no page yet that has a size.
        connection
            .batch_execute(
                "CREATE TABLE IF NOT EXISTS rows (id INTEGER); INSERT INTO rows VALUES (1)",
            )
            .unwrap();
        diesel::sql_query("PRAGMA page_size")
            .get_result::<PageSize>(&mut connection)
            .unwrap()
            .page_size
    }

    #[test]
    fn a_new_database_has_small_pages_and_an_older_one_keeps_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("new.db");
        assert_eq!([page_size(&new), page_size(&new)], [1024, 1024]);

        let older = folder.path().join("older.db");
        let mut connection = SqliteConnection::establish(older.to_str().unwrap()).unwrap();
        connection
            .batch_execute("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; CREATE TABLE rows (id INTEGER)")
            .unwrap();
        drop(connection);
        assert_eq!([page_size(&older), page_size(&older)], [4096, 4096]);
    }
}
