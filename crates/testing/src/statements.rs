//! SQL that tests run directly, as anyone with the database's password could.

use std::cell::RefCell;

use diesel::connection::SimpleConnection;
use diesel::{
    Connection, PgConnection, QueryResult, QueryableByName, RunQueryDsl, SqliteConnection,
};
use glasshouse_persistence::DatabaseUrl;

thread_local! {
    /// This thread's connection, and the URL of its database.
    static KEPT: RefCell<Option<(String, PgConnection)>> = const { RefCell::new(None) };
}

/// What diesel sets on a new connection.
const BEGINNING: &str = "SET TIME ZONE 'UTC'; SET CLIENT_ENCODING TO 'UTF8'";

/// Runs SQL statements over a connection that is not the house's. Settings of the database or the role that were changed
/// after the thread's first call do not apply to it.
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

/// Runs statements over this thread's connection to the database, which is then brought back to the state of a new one.
/// A new one reads PostgreSQL's catalogue for itself, which takes longer than nearly all statements of tests.
fn on_postgres<Output>(
    url: &str,
    run: impl FnOnce(&mut PgConnection) -> QueryResult<Output>,
) -> QueryResult<Output> {
    let kept = KEPT.take().filter(|(of, _)| of == url);
    let usable = kept.and_then(|(_, mut connection)| {
        // Fails if the server has terminated the connection.
        let begun = connection.batch_execute(BEGINNING);
        begun.is_ok().then_some(connection)
    });
    let mut connection = usable.unwrap_or_else(|| PgConnection::establish(url).unwrap());
    let result = run(&mut connection);
    // Releases locks and forgets settings. Fails in an open transaction, which ends with the connection.
    if connection.batch_execute("DISCARD ALL").is_ok() {
        KEPT.set(Some((url.to_owned(), connection)));
    }
    result
}

/// Closes this thread's connection. PostgreSQL waits for connections before it drops or copies a database, a tenth of a
/// second at a time.
pub(crate) fn close_kept_connection() {
    drop(KEPT.take());
}
