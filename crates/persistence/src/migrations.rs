//! The embedded migrations of both databases, applied at startup.

use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::sqlite::Sqlite;
use diesel::{Connection, SqliteConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::audit::key::AuditKeys;
use crate::audit::seal::introduce_key;
use crate::connection::{AnyConnection, without_time_limit};
use crate::error::DatabaseError;
use crate::rounds::games::add_missing_games;

const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

/// An arbitrary number that must be the same for every instance.
const MIGRATION_LOCK: &str = "SELECT pg_advisory_lock(7193011)";
const MIGRATION_UNLOCK: &str = "SELECT pg_advisory_unlock(7193011)";

/// The version of the migration that introduced the audit log's key.
const AUDIT_KEY: &str = "0012";

/// Applies all pending migrations in one transaction and returns their number. The migration that
/// introduces the audit log's key also seals the log with it. Instances that start at the same time
/// wait for each other.
///
/// # Errors
/// If a migration fails; then none is applied.
pub fn migrate(connection: &mut AnyConnection, keys: &AuditKeys) -> Result<usize, DatabaseError> {
    without_time_limit(connection, |connection| {
        lock(connection, MIGRATION_LOCK)?;
        let outcome = migrate_now(connection, keys);
        let outcome = outcome.and_then(|applied| {
            add_missing_games(connection)?;
            Ok(applied)
        });
        lock(connection, MIGRATION_UNLOCK)?;
        outcome
    })
}

fn lock(connection: &mut AnyConnection, statement: &str) -> Result<(), DatabaseError> {
    match connection {
        AnyConnection::Sqlite(_) => Ok(()),
        AnyConnection::Postgres(postgres) => Ok(postgres.batch_execute(statement)?),
    }
}

fn migrate_now(connection: &mut AnyConnection, keys: &AuditKeys) -> Result<usize, DatabaseError> {
    let pending = pending_versions(connection)?;
    if pending.is_empty() {
        return Ok(0);
    }
    connection.transaction(|connection| {
        let applied = match connection {
            AnyConnection::Sqlite(sqlite) => applied(sqlite.run_pending_migrations(SQLITE)),
            AnyConnection::Postgres(postgres) => applied(postgres.run_pending_migrations(POSTGRES)),
        }?;
        if pending.iter().any(|version| version == AUDIT_KEY) {
            introduce_key(connection, keys)?;
        }
        Ok(applied)
    })
}

/// The versions of this program's migrations, in ascending order.
pub(crate) fn known_versions(connection: &AnyConnection) -> Result<Vec<String>, DatabaseError> {
    let known = match connection {
        AnyConnection::Sqlite(_) => versions(MigrationSource::<Sqlite>::migrations(&SQLITE)),
        AnyConnection::Postgres(_) => versions(MigrationSource::<Pg>::migrations(&POSTGRES)),
    };
    known.map(|mut versions| {
        versions.sort();
        versions
    })
}

/// An in-memory database with all migrations applied.
pub(crate) fn fresh_sqlite() -> Result<SqliteConnection, DatabaseError> {
    let unavailable =
        |error: &dyn std::fmt::Display| DatabaseError::Unavailable(format!("memory: {error}"));
    let mut fresh = SqliteConnection::establish(":memory:").map_err(|error| unavailable(&error))?;
    fresh
        .run_pending_migrations(SQLITE)
        .map_err(|error| unavailable(&error))?;
    Ok(fresh)
}

fn pending_versions(connection: &mut AnyConnection) -> Result<Vec<String>, DatabaseError> {
    match connection {
        AnyConnection::Sqlite(sqlite) => versions(sqlite.pending_migrations(SQLITE)),
        AnyConnection::Postgres(postgres) => versions(postgres.pending_migrations(POSTGRES)),
    }
}

fn versions<D: Backend, E: std::fmt::Display>(
    migrations: Result<Vec<Box<dyn Migration<D>>>, E>,
) -> Result<Vec<String>, DatabaseError> {
    let migrations =
        migrations.map_err(|error| DatabaseError::Unavailable(format!("migrations: {error}")))?;
    Ok(migrations
        .iter()
        .map(|migration| migration.name().version().to_string())
        .collect())
}

/// The number of migrations not applied yet.
///
/// # Errors
/// If the database cannot be queried.
pub fn pending_migrations(connection: &mut AnyConnection) -> Result<usize, DatabaseError> {
    pending_versions(connection).map(|versions| versions.len())
}

fn applied<T>(
    outcome: Result<Vec<T>, Box<dyn std::error::Error + Send + Sync>>,
) -> Result<usize, DatabaseError> {
    outcome
        .map(|versions| versions.len())
        .map_err(|error| DatabaseError::Unavailable(format!("migration failed: {error}")))
}
