//! How SQLite goes about a query, for the tests that hold queries to their indexes.

use std::sync::{Arc, Mutex};

use diesel::connection::{InstrumentationEvent, SimpleConnection};
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
    let mut any = migrated();
    let AnyConnection::Sqlite(connection) = &mut any else {
        return String::new();
    };
    explain(connection, query)
}

/// The steps of each query that is made, on a migrated database.
pub(crate) fn plans_of(run: impl FnOnce(&mut AnyConnection)) -> Vec<String> {
    let mut any = migrated();
    let queries = Arc::new(Mutex::new(Vec::new()));
    let made = Arc::clone(&queries);
    any.set_instrumentation(move |event: InstrumentationEvent<'_>| {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            made.lock().unwrap().push(query.to_string());
        }
    });
    run(&mut any);
    let queries = std::mem::take(&mut *queries.lock().unwrap());
    let AnyConnection::Sqlite(mut connection) = any else {
        return Vec::new();
    };
    let plans = queries.iter().map(|query| explain(&mut connection, query));
    plans.collect()
}

fn migrated() -> AnyConnection {
    let mut any = AnyConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
    let keys = crate::audit::AuditKeys::parse(&"0".repeat(64)).unwrap();
    crate::migrations::migrate(&mut any, &keys).unwrap();
    if let AnyConnection::Sqlite(connection) = &mut any {
        connection.batch_execute("ANALYZE").unwrap();
    }
    any
}

fn explain(connection: &mut SqliteConnection, query: &str) -> String {
    // Nothing in the place of bound values: the shape is what counts.
    let (query, _) = query.split_once(" -- binds").unwrap_or((query, ""));
    let explain = format!("EXPLAIN QUERY PLAN {query}");
    let steps: Vec<Step> = diesel::sql_query(explain).load(connection).unwrap();
    let details: Vec<String> = steps.into_iter().map(|step| step.detail).collect();
    details.join("; ")
}
