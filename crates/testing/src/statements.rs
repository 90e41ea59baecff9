//! SQL that tests run directly, as anyone with the database's password could.

use std::cell::RefCell;

use diesel::connection::SimpleConnection;
use diesel::{
    Connection, PgConnection, QueryResult, QueryableByName, RunQueryDsl, SqliteConnection,
};
use glasshouse_persistence::DatabaseUrl;

/// Runs SQL statements over a connection that is not the house's.
///
/// # Errors
/// The database's error message, if a statement fails.
pub fn sql(url: &DatabaseUrl, statements: &str) -> Result<(), String> {
    let result = match url {
        DatabaseUrl::Sqlite(path) => {
            let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
            connection
                .batch_execute("PRAGMA busy_timeout = 5000")
                .unwrap();
            connection.batch_execute(statements)
        }
        DatabaseUrl::Postgres(url) => {
            on_postgres(url, |connection| connection.batch_execute(statements))
        }
    };
    result.map_err(|error| error.to_string())
}

/// Runs a query and returns its text column `value`.
#[must_use]
pub fn texts(url: &DatabaseUrl, query: &str) -> Vec<String> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = diesel::sql_types::Text)]
        value: String,
    }
    let rows: Vec<Row> = match url {
        DatabaseUrl::Sqlite(path) => {
            let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
            diesel::sql_query(query).load(&mut connection)
        }
        DatabaseUrl::Postgres(url) => {
            on_postgres(url, |connection| diesel::sql_query(query).load(connection))
        }
    }
    .unwrap();
    rows.into_iter().map(|row| row.value).collect()
}

/// Runs statements over this thread's connection to the database, which is in the state of a new one. A new one reads
/// PostgreSQL's catalogue for itself, which takes longer than nearly all statements of tests.
fn on_postgres<Output>(
    url: &str,
    run: impl FnOnce(&mut PgConnection) -> QueryResult<Output>,
) -> QueryResult<Output> {
    thread_local! {
        static KEPT: RefCell<Option<(String, PgConnection)>> = const { RefCell::new(None) };
    }
    let kept = KEPT.take().filter(|(of, _)| of == url);
    // Fails if the server has terminated the connection, or if a transaction is open in it.
    let usable = kept.and_then(|(_, mut connection)| {
        connection.batch_execute("DISCARD ALL").ok()?;
        // As diesel does on a new connection.
        connection.batch_execute("SET TIME ZONE 'UTC'").ok()?;
        Some(connection)
    });
    let mut connection = usable.unwrap_or_else(|| PgConnection::establish(url).unwrap());
    let result = run(&mut connection);
    KEPT.set(Some((url.to_owned(), connection)));
    result
}
