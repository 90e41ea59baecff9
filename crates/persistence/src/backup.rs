//! What backups need of the database: a consistent copy of a SQLite file, and how to copy and fill a
//! database of PostgreSQL with PostgreSQL's own programs.

use std::fs::{self, File};
use std::path::Path;

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::snapshot::{Snapshot, escaped};

/// Everything in a database that does not belong to PostgreSQL itself or to an extension: how to drop
/// it, and what it is called.
const OBJECTS: &str = "
    WITH own AS (
        SELECT oid, nspname FROM pg_namespace
        WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
    ), of_extensions AS (
        SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
    )
    SELECT CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
            WHEN 'S' THEN 'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END
        || format(' IF EXISTS %I.%I', own.nspname, c.relname) AS value,
        -- Those of columns go with their tables, and cannot be dropped before.
        CASE c.relkind WHEN 'S' THEN 2 ELSE 1 END AS rank
    FROM pg_class c JOIN own ON own.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
        AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM of_extensions)
    UNION ALL
    SELECT 'ROUTINE IF EXISTS ' || CAST(CAST(p.oid AS regprocedure) AS text), 3
    FROM pg_proc p JOIN own ON own.oid = p.pronamespace
    WHERE ('pg_proc'::regclass, p.oid) NOT IN (SELECT classid, objid FROM of_extensions)
    UNION ALL
    SELECT 'SCHEMA IF EXISTS ' || quote_ident(own.nspname), 4 FROM own
    WHERE own.nspname <> 'public'
        AND ('pg_namespace'::regclass, own.oid) NOT IN (SELECT classid, objid FROM of_extensions)
    ORDER BY rank, value";

/// PostgreSQL numbers its versions so that the major version is what is left of four digits.
const VERSION: &str =
    "SELECT CAST(current_setting('server_version_num') AS BIGINT) / 10000 AS value";

#[derive(QueryableByName)]
struct Named {
    #[diesel(sql_type = Text)]
    value: String,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// Writes a consistent copy of a SQLite database that may be in use to a new file.
///
/// # Errors
/// If the database cannot be read or the file cannot be written; then no file is left behind.
pub fn copy_sqlite(path: &Path, target: &Path) -> Result<(), DatabaseError> {
    let unavailable = |error: &dyn std::fmt::Display| {
        DatabaseError::Unavailable(format!("{}: {error}", path.display()))
    };
    let address = format!("file:{}?mode=rw", escaped(path));
    let mut connection =
        SqliteConnection::establish(&address).map_err(|error| unavailable(&error))?;
    let copied = diesel::sql_query("VACUUM INTO $1")
        .bind::<Text, _>(target.display().to_string())
        .execute(&mut connection)
        .map_err(|error| unavailable(&error))
        .and_then(|_| {
            File::open(target)
                .and_then(|file| file.sync_all())
                .map_err(|error| unavailable(&error))
        });
    if copied.is_err() {
        // An incomplete copy could be mistaken for a backup. If it cannot be removed, that is
        // ignored.
        drop(fs::remove_file(target));
    }
    copied
}

impl Snapshot {
    /// Lets other connections see the same point in time, for as long as this one is open: what they
    /// have to name. `None` on SQLite, where no other connection needs it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn export(&mut self) -> Result<Option<String>, DatabaseError> {
        self.read(|connection| match connection {
            AnyConnection::Sqlite(_) => Ok(None),
            AnyConnection::Postgres(postgres) => {
                let name: Named = diesel::sql_query("SELECT pg_export_snapshot() AS value")
                    .get_result(postgres)?;
                Ok(Some(name.value))
            }
        })
    }

    /// The major version of the PostgreSQL server; `None` for SQLite, which is part of this program.
    ///
    /// # Errors
    /// If the database fails.
    pub fn postgres_version(&mut self) -> Result<Option<i64>, DatabaseError> {
        self.read(|connection| match connection {
            AnyConnection::Sqlite(_) => Ok(None),
            AnyConnection::Postgres(postgres) => {
                let version: Number = diesel::sql_query(VERSION).get_result(postgres)?;
                Ok(Some(version.value))
            }
        })
    }
}

/// A database of PostgreSQL into which a backup is restored.
pub struct RestorationTarget(PgConnection);

impl RestorationTarget {
    /// Connects to the database.
    ///
    /// # Errors
    /// If that fails.
    pub fn open(url: &str) -> Result<Self, DatabaseError> {
        let connection = PgConnection::establish(url)
            .map_err(|error| DatabaseError::Unavailable(format!("PostgreSQL: {error}")))?;
        Ok(Self(connection))
    }

    /// What is in the database, such as `TABLE IF EXISTS public.rounds`, in the order in which it can be
    /// dropped. Nothing if the database is empty; what belongs to extensions does not count.
    ///
    /// # Errors
    /// If the database fails.
    pub fn objects(&mut self) -> Result<Vec<String>, DatabaseError> {
        let objects: Vec<Named> = diesel::sql_query(OBJECTS).load(&mut self.0)?;
        Ok(objects.into_iter().map(|object| object.value).collect())
    }

    /// Drops everything that is in the database, all or nothing.
    ///
    /// # Errors
    /// If the database fails.
    pub fn clear(&mut self) -> Result<(), DatabaseError> {
        let objects = self.objects()?;
        self.0.transaction(|connection| {
            for object in &objects {
                connection.batch_execute(&format!("DROP {object} CASCADE"))?;
            }
            Ok(())
        })
    }

    /// Counts the rows for the query planner, which a restored database does not know.
    ///
    /// # Errors
    /// If the database fails.
    pub fn analyze(&mut self) -> Result<(), DatabaseError> {
        Ok(self.0.batch_execute("ANALYZE")?)
    }
}
