//! The migrations of both databases, embedded, applied at start.

use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::connection::{AnyConnection, without_time_limit};
use crate::error::DatabaseError;

const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

/// Any number will do, as long as every instance takes the same.
const MIGRATION_LOCK: &str = "SELECT pg_advisory_lock(7193011)";
const MIGRATION_UNLOCK: &str = "SELECT pg_advisory_unlock(7193011)";

/// Brings the schema up to date and says how many migrations that took. Instances that start at
/// the same moment wait for each other.
///
/// # Errors
/// If a migration fails; the ones before it stay applied.
pub fn migrate(connection: &mut AnyConnection) -> Result<usize, DatabaseError> {
    without_time_limit(connection, migrate_now)
}

fn migrate_now(connection: &mut AnyConnection) -> Result<usize, DatabaseError> {
    match connection {
        AnyConnection::Sqlite(sqlite) => applied(sqlite.run_pending_migrations(SQLITE)),
        AnyConnection::Postgres(postgres) => {
            diesel::connection::SimpleConnection::batch_execute(postgres, MIGRATION_LOCK)?;
            let outcome = applied(postgres.run_pending_migrations(POSTGRES));
            diesel::connection::SimpleConnection::batch_execute(postgres, MIGRATION_UNLOCK)?;
            outcome
        }
    }
}

/// How many migrations the database still lacks.
///
/// # Errors
/// If the database cannot be asked.
pub fn pending_migrations(connection: &mut AnyConnection) -> Result<usize, DatabaseError> {
    let pending = match connection {
        AnyConnection::Sqlite(sqlite) => sqlite.pending_migrations(SQLITE).map(|list| list.len()),
        AnyConnection::Postgres(postgres) => {
            postgres.pending_migrations(POSTGRES).map(|list| list.len())
        }
    };
    pending.map_err(|error| DatabaseError::Unavailable(format!("migrations: {error}")))
}

fn applied<T>(
    outcome: Result<Vec<T>, Box<dyn std::error::Error + Send + Sync>>,
) -> Result<usize, DatabaseError> {
    outcome
        .map(|versions| versions.len())
        .map_err(|error| DatabaseError::Unavailable(format!("migration failed: {error}")))
}
