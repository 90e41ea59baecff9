//! A database as it is found, before a house is opened on it. Nothing is created, migrated or changed.

use std::time::Duration;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::books::RoleCheck;
use glasshouse_persistence::{
    DatabaseError, DatabaseUrl, Inventory, SchemaVersion, Snapshot, SnapshotError, queries,
};

use crate::clock::wall_clock;
use crate::house::CLOCK_LEASE;

/// What is known of a database.
#[derive(Debug, Clone)]
pub struct Examination {
    /// The PostgreSQL server; `None` for SQLite.
    pub server: Option<PostgresServer>,
    /// The migrations; `None` if the database has none of our tables yet.
    pub version: Option<SchemaVersion>,
    /// What is in it; `None` unless it has the tables of this version.
    pub contents: Option<ExaminedContents>,
}

/// What is known of a PostgreSQL server.
#[derive(Debug, Clone)]
pub struct PostgresServer {
    /// The major version.
    pub version: i64,
    /// The settings that allow a committed bet to be lost.
    pub unsafe_settings: Vec<String>,
    /// Whether the role may apply migrations.
    pub may_migrate: bool,
    /// How far its clock and this machine's are apart, as far as that is certain.
    pub clock_difference: Duration,
}

/// What is in a database of this version.
#[derive(Debug, Clone)]
pub struct ExaminedContents {
    /// Its contents, and the keys that it needs.
    pub inventory: Inventory,
    /// Whether the role could change what is append-only.
    pub role: RoleCheck,
    /// How far the house's clock is ahead, because the clock went back while the house was closed.
    pub clock_behind: Option<Duration>,
}

/// Examines a database. A SQLite file that does not exist has no tables.
///
/// # Errors
/// If the database cannot be opened or read.
pub fn examine_database(url: &DatabaseUrl) -> Result<Examination, SnapshotError> {
    if matches!(url, DatabaseUrl::Sqlite(path) if !path.exists()) {
        return Ok(Examination {
            server: None,
            version: None,
            contents: None,
        });
    }
    let mut snapshot = Snapshot::open_any(url)?;
    let (server, now) = examine_server(&mut snapshot)?;
    let version = match snapshot.schema_version() {
        Ok(version) => Some(version),
        Err(SnapshotError::NoDatabase(_)) => None,
        Err(error) => return Err(error),
    };
    let is_current = version.as_ref().is_some_and(SchemaVersion::is_current);
    let contents = if is_current {
        Some(examine_contents(&mut snapshot, now)?)
    } else {
        None
    };
    snapshot.close()?;
    Ok(Examination {
        server,
        version,
        contents,
    })
}

/// Also returns the time: that of the server, which servers of the house share.
fn examine_server(
    snapshot: &mut Snapshot,
) -> Result<(Option<PostgresServer>, Timestamp), DatabaseError> {
    let before = wall_clock();
    let shared = snapshot.read(queries::database_now)?;
    let after = wall_clock();
    let (Some(shared), Some(version)) = (shared, snapshot.postgres_version()?) else {
        return Ok((None, after));
    };
    let difference = before
        .saturating_since(shared)
        .max(shared.saturating_since(after));
    let server = PostgresServer {
        version,
        unsafe_settings: snapshot.read(queries::unsafe_settings)?,
        may_migrate: snapshot.read(queries::may_migrate)?,
        clock_difference: difference,
    };
    Ok((Some(server), shared))
}

fn examine_contents(
    snapshot: &mut Snapshot,
    now: Timestamp,
) -> Result<ExaminedContents, DatabaseError> {
    let floor = snapshot.read(queries::clock_floor)?;
    let behind = floor.saturating_since(now);
    Ok(ExaminedContents {
        inventory: snapshot.inventory()?,
        role: snapshot.read(queries::check_role)?,
        clock_behind: (behind > CLOCK_LEASE).then_some(behind),
    })
}
