//! SQLite's query plans, for tests that check the use of indexes.

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

/// The plan of a query in diesel's debug format, on a migrated database.
pub(crate) fn plan(query: &str) -> String {
    let mut any = migrated();
    let AnyConnection::Sqlite(connection) = &mut any else {
        return String::new();
    };
    explain(connection, query)
}

/// The plans of all queries that `run` makes, on a migrated database.
pub(crate) fn plans_of(run: impl FnOnce(&mut AnyConnection)) -> Vec<String> {
    plans_on(migrated(), run)
}

/// The same after `statements` have filled the database, without statistics, as in production.
pub(crate) fn plans_on_filled(
    statements: &str,
    run: impl FnOnce(&mut AnyConnection),
) -> Vec<String> {
    let mut any = without_statistics();
    any.batch_execute(statements).unwrap();
    plans_on(any, run)
}

fn plans_on(mut any: AnyConnection, run: impl FnOnce(&mut AnyConnection)) -> Vec<String> {
    let queries = Arc::new(Mutex::new(Vec::new()));
    let recorder = Arc::clone(&queries);
    any.set_instrumentation(move |event: InstrumentationEvent<'_>| {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            recorder.lock().unwrap().push(query.to_string());
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
    let mut any = without_statistics();
    any.batch_execute("ANALYZE").unwrap();
    any
}

fn without_statistics() -> AnyConnection {
    let mut any = AnyConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
    let keys = crate::HouseKeys::for_tests();
    crate::migrations::migrate(&mut any, &keys).unwrap();
    any
}

fn explain(connection: &mut SqliteConnection, query: &str) -> String {
    // Bound values are left out: only the shape of the query matters.
    let (query, _) = query.split_once(" -- binds").unwrap_or((query, ""));
    let explain = format!("EXPLAIN QUERY PLAN {query}");
    let steps: Vec<Step> = diesel::sql_query(explain).load(connection).unwrap();
    let details: Vec<String> = steps.into_iter().map(|step| step.detail).collect();
    details.join("; ")
}
