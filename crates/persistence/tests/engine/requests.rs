//! PostgreSQL's sessions are named after the request that they work for.

use glasshouse_persistence::{Scope, for_request};
use glasshouse_testing::{Backend, texts};
use uuid::Uuid;

use crate::support::{Fixture, JobResult, queue};

/// The names of the sessions that are in a transaction.
const NAMES: &str = "SELECT application_name AS value FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction'";

/// SQLite has no sessions to name.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_named_after_the_request_while_it_runs_its_statements() {
    let test = Fixture::new(Backend::Postgres);
    let player = test.create_players(1).await[0];
    let names_of = |scope: Scope| {
        let url = test.url.clone();
        queue(&test.database, scope, move |transaction| {
            let before = texts(&url, NAMES);
            transaction.user(player)?;
            Ok([before, texts(&url, NAMES)]) as JobResult<_>
        })
        .result()
    };
    let id = Uuid::from_u128(7);
    let named = vec![format!("glasshouse {id}")];
    let [before, during] = for_request(id, async { names_of(Scope::nobody()).await })
        .await
        .unwrap();
    assert_eq!((before, during), (vec!["glasshouse".to_owned()], named));
    // The house's own work afterwards, over the same connection.
    let [before, during] = names_of(Scope::nobody()).await.unwrap();
    assert_eq!(
        (before, during),
        (vec!["glasshouse".to_owned()], vec!["glasshouse".to_owned()])
    );
}
