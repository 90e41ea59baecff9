//! A copy of a SQLite database that can be trusted, made while it is in use.

use std::fs::{self, File};
use std::path::Path;

use diesel::sql_types::Text;
use diesel::{Connection, RunQueryDsl, SqliteConnection};

use crate::connection::DatabaseUrl;
use crate::error::DatabaseError;
use crate::snapshot::escaped;

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// PostgreSQL has programs of its own for that.
    #[error("PostgreSQL is backed up with its own pg_dump or base backups")]
    Postgres,
    /// A backup replaces nothing.
    #[error("{0} is there already")]
    TargetExists(String),
    /// The database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The copy cannot be written.
    #[error("{0}")]
    File(#[from] std::io::Error),
}

/// Writes the database as it is at one moment to a new file.
///
/// # Errors
/// See [`BackupError`]; nothing is left behind then.
pub fn back_up(url: &DatabaseUrl, target: &Path) -> Result<(), BackupError> {
    let DatabaseUrl::Sqlite(path) = url else {
        return Err(BackupError::Postgres);
    };
    let shown = target.display().to_string();
    if target.exists() {
        return Err(BackupError::TargetExists(shown));
    }
    let unavailable = |error: &dyn std::fmt::Display| {
        DatabaseError::Unavailable(format!("{}: {error}", path.display()))
    };
    let address = format!("file:{}?mode=rw", escaped(path));
    let mut connection =
        SqliteConnection::establish(&address).map_err(|error| unavailable(&error))?;
    let copied = diesel::sql_query("VACUUM INTO $1")
        .bind::<Text, _>(&shown)
        .execute(&mut connection)
        .map_err(|error| BackupError::from(unavailable(&error)))
        .and_then(|_| Ok(File::open(target)?.sync_all()?));
    if copied.is_err() {
        // A part of a copy would be taken for one. What could not be made cannot be removed.
        drop(fs::remove_file(target));
    }
    copied
}
