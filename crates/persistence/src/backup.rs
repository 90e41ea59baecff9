//! Consistent backups of a SQLite database that is in use.

use std::fs::{self, File};
use std::path::Path;

use diesel::sql_types::Text;
use diesel::{Connection, RunQueryDsl, SqliteConnection};

use crate::connection::DatabaseUrl;
use crate::error::DatabaseError;
use crate::snapshot::escaped;

/// Why the backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// PostgreSQL has its own backup programs.
    #[error("PostgreSQL is backed up with its own pg_dump or base backups")]
    Postgres,
    /// The target file exists already; a backup overwrites nothing.
    #[error("{0} already exists")]
    TargetExists(String),
    /// The database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The copy cannot be written.
    #[error("{0}")]
    File(#[from] std::io::Error),
}

/// Writes a consistent copy of the database to a new file.
///
/// # Errors
/// See [`BackupError`]; no file is left behind.
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
        // An incomplete copy could be mistaken for a backup. If it cannot be removed, that is
        // ignored.
        drop(fs::remove_file(target));
    }
    copied
}
