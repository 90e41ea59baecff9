//! Sessions of calls that wait at the same time are read together, and each call gets its own.

use glasshouse_domain::{Role, UserId};
use glasshouse_persistence::accounts::{RequestOrigin, SessionRow};
use glasshouse_persistence::{Database, Scope};
use glasshouse_testing::{Backend, sql};
use rstest::rstest;
use tokio::task::JoinSet;

use crate::support::{Fixture, queue, test_time};

const PLAYERS: i64 = 3;
/// More than are read with one query.
const CALLS: i64 = 200;

fn key_of(player: UserId) -> String {
    format!("key-{player}")
}

/// Opens a session for each of some players.
async fn sign_in(test: &Fixture) -> Vec<UserId> {
    let players = test.create_players(PLAYERS).await;
    for player in players.clone() {
        let session = queue(&test.database, Scope::player(player), move |transaction| {
            let origin = RequestOrigin::default();
            transaction.add_session(&key_of(player), player, &origin, test_time())?;
            Ok(())
        });
        session.result().await.unwrap();
    }
    players
}

/// Looks the sessions of all players and an unknown one up, many times at once.
async fn look_up(database: &Database, players: &[UserId]) {
    let unknown = UserId::new(PLAYERS + 1);
    let mut calls = JoinSet::new();
    for number in 0..CALLS {
        let index = usize::try_from(number % (PLAYERS + 1)).unwrap();
        let player = players.get(index).copied();
        let database = database.clone();
        calls.spawn(async move {
            let key = key_of(player.unwrap_or(unknown));
            (player, database.session(key).await.unwrap())
        });
    }
    while let Some(call) = calls.join_next().await {
        let (player, session): (Option<UserId>, Option<SessionRow>) = call.unwrap();
        assert_eq!(session.as_ref().map(|session| session.user.id), player);
        if let Some(SessionRow {
            user, created_at, ..
        }) = session
        {
            assert_eq!((user.role, created_at), (Role::Player, test_time()));
        }
    }
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn every_call_gets_its_own_session(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = sign_in(&test).await;
    look_up(&test.database, &players).await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn an_ended_session_is_not_found_again(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = sign_in(&test).await[0];
    let key = key_of(player);
    assert!(test.database.session(key.clone()).await.unwrap().is_some());
    let ended = key.clone();
    let end = queue(&test.database, Scope::player(player), move |transaction| {
        Ok(transaction.end_session(&ended)?)
    });
    assert_eq!(end.result().await.unwrap(), Some(player));
    assert!(test.database.session(key).await.unwrap().is_none());
}

/// PostgreSQL only: SQLite has no connection that could be lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_replaced() {
    let test = Fixture::new(Backend::Postgres);
    let players = sign_in(&test).await;
    for _ in 0..2 {
        sql(
            &test.url,
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .unwrap();
        look_up(&test.database, &players).await;
    }
}
