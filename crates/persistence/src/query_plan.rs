//! How SQLite goes about a query, for the tests that hold queries to their indexes.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::connection::AnyConnection;

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

/// The steps of a query as diesel shows it, on a migrated database.
pub(crate) fn plan(query: &str) -> String {
    let mut any = AnyConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
    let keys = crate::audit::AuditKeys::parse(&"0".repeat(64)).unwrap();
    crate::migrations::migrate(&mut any, &keys).unwrap();
    let AnyConnection::Sqlite(mut connection) = any else {
        return String::new();
    };
    // Numbers in the place of bound values: the shape is what counts.
    let (query, _) = query.split_once(" -- binds").unwrap_or((query, ""));
    let explain = format!("EXPLAIN QUERY PLAN {query}");
    connection.batch_execute("ANALYZE").unwrap();
    let steps: Vec<Step> = diesel::sql_query(explain).load(&mut connection).unwrap();
    let details: Vec<String> = steps.into_iter().map(|step| step.detail).collect();
    details.join("; ")
}
