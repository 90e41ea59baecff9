//! Whether another process uses the database, for work that only one process may do.

use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};

use crate::connection::{APPLICATION_NAME, DatabaseUrl};
use crate::error::DatabaseError;
use crate::snapshot::escaped;

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// Whether another process of this program uses the database now. A SQLite file is also in use if
/// any other program has it open.
///
/// # Errors
/// If the database cannot be opened.
pub fn is_in_use(url: &DatabaseUrl) -> Result<bool, DatabaseError> {
    match url {
        DatabaseUrl::Sqlite(path) => {
            let address = format!("file:{}?mode=rw", escaped(path));
            let mut connection = SqliteConnection::establish(&address).map_err(|error| {
                DatabaseError::Unavailable(format!("{}: {error}", path.display()))
            })?;
            // Every process that has the file open holds a lock that excludes this one.
            let locked = connection
                .batch_execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK");
            Ok(locked.is_err())
        }
        DatabaseUrl::Postgres(url) => {
            let mut connection = PgConnection::establish(url)
                .map_err(|error| DatabaseError::Unavailable(format!("PostgreSQL: {error}")))?;
            let others: Count = diesel::sql_query(format!(
                "SELECT COUNT(*) AS value FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND split_part(application_name, ' ', 1) = '{APPLICATION_NAME}'"
            ))
            .get_result(&mut connection)?;
            Ok(others.value > 0)
        }
    }
}
