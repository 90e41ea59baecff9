//! The embedded migrations of both databases, applied at startup.

use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::migration::{Migration, MigrationSource, MigrationVersion};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel::sqlite::Sqlite;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::audit::seal::introduce_key;
use crate::connection::{AnyConnection, without_time_limit};
use crate::error::DatabaseError;
use crate::house_keys::HouseKeys;
use crate::rounds::games::add_missing_games;
use crate::seeds::conversion::{erase_plain_seeds, fill_seed_conversion, overwrite_deleted};

const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

/// An arbitrary number that must be the same for every instance.
const MIGRATION_LOCK: &str = "SELECT pg_advisory_lock(7193011)";
const MIGRATION_UNLOCK: &str = "SELECT pg_advisory_unlock(7193011)";

/// With foreign keys, SQLite would look for references to each row of a table that is rebuilt; and
/// what it sorts, such as all rounds, need not fit in memory. Neither can be set in a transaction.
const DURING_MIGRATION: &str =
    "PRAGMA foreign_keys = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -16000;";
const AFTER_MIGRATION: &str =
    "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1000;";

/// The version of the migration that introduced the audit log's key.
const AUDIT_KEY: &str = "0012";

/// The version of the migration after which the server seeds are converted.
const SEED_CONVERSION: &str = "0019";
/// The version of the migration that introduced commitments to server seeds.
pub(crate) const SEED_COMMITMENTS: &str = "0020";

/// The version of the migration that introduced the public log.
pub(crate) const PUBLIC_LOG: &str = "0021";
/// The version of the migration that introduced the views of waiting and placed batches.
pub(crate) const LOG_PLACES: &str = "0050";

/// The result of applying the pending migrations.
#[derive(Default)]
struct Applied {
    /// The number of applied migrations.
    migrations: usize,
    /// The number of accounts whose seeds were converted.
    converted: usize,
}

/// Applies all pending migrations in one transaction and returns their number. The migration that
/// introduces the audit log's key also seals the log with it, and the server seeds of earlier
/// versions are converted with the seed key. Instances that start at the same time wait for each
/// other.
///
/// # Errors
/// If a migration fails; then none is applied.
pub fn migrate(connection: &mut AnyConnection, keys: &HouseKeys) -> Result<usize, DatabaseError> {
    without_time_limit(connection, |connection| {
        lock(connection, MIGRATION_LOCK)?;
        let outcome = migrate_now(connection, keys);
        let outcome = outcome.and_then(|applied| {
            add_missing_games(connection)?;
            if applied.converted > 0 {
                erase_plain_seeds(connection);
            }
            Ok(applied.migrations)
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

fn migrate_now(connection: &mut AnyConnection, keys: &HouseKeys) -> Result<Applied, DatabaseError> {
    let pending = pending_versions(connection)?;
    if pending.is_empty() {
        return Ok(Applied::default());
    }
    overwrite_deleted(connection)?;
    set_sqlite(connection, DURING_MIGRATION)?;
    let outcome = connection.transaction(|connection| {
        let applied = apply(connection, keys)?;
        if pending.iter().any(|version| version == AUDIT_KEY) {
            introduce_key(connection, &keys.audit)?;
        }
        check_foreign_keys(connection)?;
        Ok(applied)
    });
    set_sqlite(connection, AFTER_MIGRATION)?;
    outcome
}

/// Applies the pending migrations, and what the program has to do between them.
fn apply(connection: &mut AnyConnection, keys: &HouseKeys) -> Result<Applied, DatabaseError> {
    let mut applied = Applied::default();
    while !pending_versions(connection)?.is_empty() {
        let version = match connection {
            AnyConnection::Sqlite(sqlite) => next_version(sqlite.run_next_migration(SQLITE)),
            AnyConnection::Postgres(postgres) => {
                next_version(postgres.run_next_migration(POSTGRES))
            }
        }?;
        applied.migrations += 1;
        if version == SEED_CONVERSION {
            applied.converted = fill_seed_conversion(connection, &keys.seeds)?;
        }
    }
    Ok(applied)
}

fn next_version(
    outcome: Result<MigrationVersion<'_>, Box<dyn std::error::Error + Send + Sync>>,
) -> Result<String, DatabaseError> {
    outcome
        .map(|version| version.to_string())
        .map_err(|error| DatabaseError::Unavailable(format!("migration failed: {error}")))
}

/// Changes settings of SQLite; PostgreSQL needs none for migrations.
fn set_sqlite(connection: &mut AnyConnection, settings: &str) -> Result<(), DatabaseError> {
    match connection {
        AnyConnection::Sqlite(sqlite) => Ok(sqlite.batch_execute(settings)?),
        AnyConnection::Postgres(_) => Ok(()),
    }
}

/// Whether there is a list of the applied migrations, and whether the role can read it.
const ACCESS_TO_VERSIONS: &str = "
    SELECT list IS NOT NULL AS exists,
        COALESCE(has_table_privilege(CAST(list AS oid), 'SELECT'), FALSE) AS is_readable
    FROM to_regclass('__diesel_schema_migrations') AS list";

#[derive(QueryableByName)]
struct Access {
    #[diesel(sql_type = Bool)]
    exists: bool,
    #[diesel(sql_type = Bool)]
    is_readable: bool,
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    version: String,
}

#[derive(QueryableByName)]
struct BrokenReference {
    #[diesel(sql_type = Text)]
    value: String,
}

/// Fails if a row of SQLite refers to one that does not exist.
fn check_foreign_keys(connection: &mut AnyConnection) -> Result<(), DatabaseError> {
    let AnyConnection::Sqlite(sqlite) = connection else {
        return Ok(());
    };
    let broken: Option<BrokenReference> = diesel::sql_query(
        "SELECT \"table\" || ' refers to ' || parent AS value FROM pragma_foreign_key_check LIMIT 1",
    )
    .get_result(sqlite)
    .optional()?;
    match broken {
        None => Ok(()),
        Some(BrokenReference { value }) => Err(DatabaseError::corrupt(format!(
            "a missing row is referred to: {value}"
        ))),
    }
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

/// The versions of the migrations that were applied to a PostgreSQL database, without creating the list of
/// them; `None` if the role must not read it.
pub(crate) fn applied_versions(
    postgres: &mut PgConnection,
) -> Result<Option<Vec<String>>, DatabaseError> {
    let access: Access = diesel::sql_query(ACCESS_TO_VERSIONS).get_result(postgres)?;
    if !access.exists {
        return Ok(Some(Vec::new()));
    }
    if !access.is_readable {
        return Ok(None);
    }
    let applied: Vec<Version> = diesel::sql_query(
        "SELECT CAST(version AS TEXT) AS version FROM __diesel_schema_migrations",
    )
    .load(postgres)?;
    Ok(Some(applied.into_iter().map(|row| row.version).collect()))
}

/// Whether a migration has not been applied yet.
pub(crate) fn is_pending(
    connection: &mut AnyConnection,
    version: &str,
) -> Result<bool, DatabaseError> {
    if let AnyConnection::Postgres(postgres) = connection {
        let applied = applied_versions(postgres)?.ok_or_else(|| {
            let fault = "its role must not read the tables: run glasshouse migrate as their owner";
            DatabaseError::Unavailable(fault.to_owned())
        })?;
        return Ok(!applied.iter().any(|applied| applied == version));
    }
    let pending = pending_versions(connection)?;
    Ok(pending.iter().any(|pending| pending == version))
}

/// The number of migrations not applied yet.
///
/// # Errors
/// If the database cannot be queried.
pub fn pending_migrations(connection: &mut AnyConnection) -> Result<usize, DatabaseError> {
    pending_versions(connection).map(|versions| versions.len())
}
