//! For the tests that count the rows that PostgreSQL has read.

use std::time::{Duration, Instant};

use crate::support::Fixture;

/// The process IDs of the connections to the database, without that of the calling thread.
pub(crate) const CONNECTIONS: &str = "SELECT CAST(pid AS TEXT) AS value FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";

/// Waits until only the connections of `before` are left: PostgreSQL adds up what a connection has
/// read when it closes.
pub(crate) fn wait_for_connections(test: &Fixture, before: &[String]) {
    let started = Instant::now();
    while test
        .texts(CONNECTIONS)
        .iter()
        .any(|pid| !before.contains(pid))
    {
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "connections are still open"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}
