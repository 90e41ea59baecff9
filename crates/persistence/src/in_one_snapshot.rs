//! Queries that all see the same moment.

use diesel::prelude::*;

use crate::connection::AnyConnection;
use crate::error::DatabaseError;

/// Runs queries that all see the same moment.
pub(crate) fn in_one_snapshot<T>(
    connection: &mut AnyConnection,
    queries: impl FnOnce(&mut AnyConnection) -> Result<T, DatabaseError>,
) -> Result<T, DatabaseError> {
    connection.transaction(|connection| {
        if let AnyConnection::Postgres(postgres) = connection {
            let mode = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY";
            diesel::sql_query(mode).execute(postgres)?;
        }
        queries(connection)
    })
}
