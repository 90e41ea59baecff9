//! Read-only access to a database at one point in time: nothing is created, migrated or changed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection;
use diesel::sql_types::{Bool, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};

use crate::connection::{AnyConnection, DatabaseUrl};
use crate::error::DatabaseError;
use crate::migrations::known_versions;

/// A read-only transaction on its own connection.
pub struct Snapshot {
    connection: AnyConnection,
    /// The journal that appears if another program starts to use the file.
    unexpected_journal: Option<PathBuf>,
}

/// Why a database cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// There is no database of ours.
    #[error("{0}")]
    NoDatabase(String),
    /// The database has the tables of another version of this program.
    #[error(
        "the database has the tables of {0} version (migrations {1}; this program has {2}); check \
         it with that version, or migrate a copy of it"
    )]
    OtherVersion(&'static str, String, String),
    /// Another program opened the file after it had been found unused.
    #[error("another program started to use the database while it was being read; try again")]
    UsedMeanwhile,
    /// The database cannot be opened or read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// The migrations of a database, and those of this program.
#[derive(Debug, Clone)]
pub struct SchemaVersion {
    applied: Vec<String>,
    known: Vec<String>,
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    value: String,
}

#[derive(QueryableByName)]
struct Exists {
    #[diesel(sql_type = Bool)]
    value: bool,
}

impl Snapshot {
    /// Opens an existing database if it is of this version.
    ///
    /// # Errors
    /// See [`SnapshotError`].
    pub fn open(url: &DatabaseUrl) -> Result<Self, SnapshotError> {
        let mut snapshot = Self::open_any(url)?;
        snapshot.schema_version()?.refuse_other()?;
        Ok(snapshot)
    }

    /// Opens an existing database, whatever is in it.
    ///
    /// # Errors
    /// See [`SnapshotError`].
    pub fn open_any(url: &DatabaseUrl) -> Result<Self, SnapshotError> {
        match url {
            DatabaseUrl::Sqlite(path) => open_sqlite(path),
            DatabaseUrl::Postgres(url) => open_postgres(url),
        }
    }

    /// The migrations that were applied to the database.
    ///
    /// # Errors
    /// [`SnapshotError::NoDatabase`] if it is none of ours.
    pub fn schema_version(&mut self) -> Result<SchemaVersion, SnapshotError> {
        schema_version(&mut self.connection)
    }

    /// Runs a query. All queries see the same point in time.
    ///
    /// # Errors
    /// If the database fails.
    pub fn read<T>(
        &mut self,
        query: impl FnOnce(&mut AnyConnection) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        query(&mut self.connection)
    }

    /// Ends the transaction.
    ///
    /// # Errors
    /// [`SnapshotError::UsedMeanwhile`] if the data read may be inconsistent.
    pub fn close(self) -> Result<(), SnapshotError> {
        match self.unexpected_journal {
            Some(journal) if journal.exists() => Err(SnapshotError::UsedMeanwhile),
            _ => Ok(()),
        }
    }
}

fn unavailable(what: &str, error: impl std::fmt::Display) -> SnapshotError {
    DatabaseError::Unavailable(format!("{what}: {error}")).into()
}

fn open_sqlite(path: &Path) -> Result<Snapshot, SnapshotError> {
    let shown = path.display().to_string();
    let has_wal = is_write_ahead(path)?;
    let mut wal = OsString::from(path);
    wal.push("-wal");
    let wal = PathBuf::from(wal);
    // Without a journal nobody has the file open. Reading it in the normal mode would create a
    // journal.
    let is_unused = has_wal && !wal.exists();
    let mode = if is_unused {
        "mode=ro&immutable=1"
    } else {
        "mode=ro"
    };
    let address = format!("file:{}?{mode}", escaped(path));
    let mut connection =
        SqliteConnection::establish(&address).map_err(|error| unavailable(&shown, error))?;
    connection
        .batch_execute(
            "PRAGMA query_only = ON; PRAGMA busy_timeout = 5000; PRAGMA temp_store = MEMORY;
             PRAGMA cache_size = -64000; BEGIN; SELECT COUNT(*) FROM sqlite_schema;",
        )
        .map_err(|error| unavailable(&shown, error))?;
    Ok(Snapshot {
        connection: AnyConnection::Sqlite(connection),
        unexpected_journal: is_unused.then_some(wal),
    })
}

/// Whether a SQLite file is in WAL mode, according to its header.
fn is_write_ahead(path: &Path) -> Result<bool, SnapshotError> {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    let shown = path.display();
    let metadata = fs::metadata(path).map_err(|error| {
        if error.kind() == ErrorKind::NotFound {
            SnapshotError::NoDatabase(format!("there is no file {shown}"))
        } else {
            unavailable(&shown.to_string(), error)
        }
    })?;
    let mut header = [0; 20];
    let is_read = metadata.is_file()
        && File::open(path)
            .map_err(|error| unavailable(&shown.to_string(), error))?
            .read_exact(&mut header)
            .is_ok();
    if !is_read || !header.starts_with(MAGIC) {
        return Err(SnapshotError::NoDatabase(format!(
            "{shown} is no SQLite database"
        )));
    }
    Ok(header.get(18) == Some(&2))
}

/// The path, percent-encoded for a URI.
pub(crate) fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            text.push(char::from(*byte));
        } else {
            text.push('%');
            text.push_str(&hex::encode_upper([*byte]));
        }
    }
    text
}

fn open_postgres(url: &str) -> Result<Snapshot, SnapshotError> {
    let mut connection =
        PgConnection::establish(url).map_err(|error| unavailable("PostgreSQL", error))?;
    connection
        .batch_execute(
            "SET default_transaction_read_only = on; SET statement_timeout = 0;
             SET idle_in_transaction_session_timeout = 0;
             BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;",
        )
        .map_err(|error| unavailable("PostgreSQL", error))?;
    Ok(Snapshot {
        connection: AnyConnection::Postgres(connection),
        unexpected_journal: None,
    })
}

fn schema_version(connection: &mut AnyConnection) -> Result<SchemaVersion, SnapshotError> {
    let known = known_versions(connection)?;
    let exists = match connection {
        AnyConnection::Sqlite(_) => {
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema
                WHERE name = '__diesel_schema_migrations') AS value"
        }
        AnyConnection::Postgres(_) => {
            "SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS value"
        }
    };
    let exists: Exists = diesel::sql_query(exists)
        .get_result(connection)
        .map_err(DatabaseError::from)?;
    if !exists.value {
        return Err(SnapshotError::NoDatabase(
            "the database is none of Glasshouse's: it has no list of migrations".to_owned(),
        ));
    }
    let applied: Vec<Version> = diesel::sql_query(
        "SELECT CAST(version AS TEXT) AS value FROM __diesel_schema_migrations ORDER BY version",
    )
    .load(connection)
    .map_err(DatabaseError::from)?;
    let applied = applied.into_iter().map(|row| row.value).collect();
    Ok(SchemaVersion { applied, known })
}

impl SchemaVersion {
    /// The last migration that was applied; empty if there is none.
    #[must_use]
    pub fn last_applied(&self) -> &str {
        self.applied.last().map_or("", String::as_str)
    }

    /// The number of migrations that this program has and the database lacks.
    #[must_use]
    pub fn pending(&self) -> usize {
        let is_pending = |version: &&String| !self.applied.contains(version);
        self.known.iter().filter(is_pending).count()
    }

    /// Whether the database has a migration that this program does not have.
    #[must_use]
    pub fn is_newer(&self) -> bool {
        self.applied
            .iter()
            .any(|version| !self.known.contains(version))
    }

    /// Whether the database has exactly the tables of this program.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.applied == self.known
    }

    /// Fails if the database has the tables of another version of this program.
    ///
    /// # Errors
    /// [`SnapshotError::OtherVersion`].
    pub fn refuse_other(&self) -> Result<(), SnapshotError> {
        if self.is_current() {
            return Ok(());
        }
        let which = if self.is_newer() {
            "a newer"
        } else {
            "an older"
        };
        Err(SnapshotError::OtherVersion(
            which,
            self.applied.join(", "),
            self.known.join(", "),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_percent_encoded() {
        assert_eq!(escaped(Path::new("/a b/c?d%.db")), "/a%20b/c%3Fd%25.db");
        assert_eq!(escaped(Path::new("data/x.db")), "data/x.db");
    }
}
