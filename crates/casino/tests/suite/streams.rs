//! Event streams end with their sessions, on every server.

use std::sync::Arc;
use std::time::Duration;

use futures_channel::mpsc::{Receiver, TryRecvError};
use glasshouse_casino::accounts::{SessionKeyHash, end_session, find_session, open_session};
use glasshouse_casino::administration::{AdminContext, BanState, set_ban_state, set_role};
use glasshouse_casino::play::AnyRound;
use glasshouse_casino::play::timed::{
    end_rounds, end_streams, listen_in_session, listen_to_rounds,
};
use glasshouse_casino::{House, RequestOrigin};
use glasshouse_domain::{Role, UserId};
use glasshouse_games::crash;
use rstest_reuse::apply;
use tokio::task::JoinSet;

use crate::support::games::{CashOutCall, cash_out, start_crash_round};
use crate::support::predetermined_rounds::{crash_bet, crashes_in, prepare, times};
use crate::support::{Backend, Fixture, both_databases};

/// Starts the background tasks of a server.
fn serve(house: &House) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    tasks.spawn(end_rounds(house.clone()));
    tasks.spawn(end_streams(house.clone()));
    tasks
}

async fn open(house: &House, player: UserId) -> (SessionKeyHash, Receiver<Arc<AnyRound>>) {
    let key = SessionKeyHash::of(
        &open_session(house, player, RequestOrigin::default())
            .await
            .unwrap(),
    );
    let stream = listen_in_session(house, player, key.clone());
    (key, stream)
}

/// Whether the stream is open and has no event.
fn is_silent(stream: &mut Receiver<Arc<AnyRound>>) -> bool {
    matches!(stream.try_recv(), Err(TryRecvError::Empty))
}

/// Asserts that the stream ends within the time limit.
async fn assert_ends(stream: &mut Receiver<Arc<AnyRound>>, why: &str) {
    let limit = Duration::from_secs(20);
    let ended = tokio::time::timeout(limit, stream.recv()).await;
    assert!(matches!(ended, Ok(Err(_))), "{why}: {ended:?}");
}

fn context(administrator: UserId) -> AdminContext {
    AdminContext {
        administrator,
        address: None,
        key: None,
    }
}

#[apply(both_databases)]
async fn a_stream_ends_with_its_session_and_with_a_ban(#[case] test: &Fixture) {
    let player = test.player("player", 0).await;
    let administrator = test.player("manager", 0).await;
    let (first, mut one) = open(&test.house, player).await;
    let (_, mut two) = open(&test.house, player).await;
    let (_, mut other) = open(&test.house, administrator).await;
    end_session(&test.house, player, first, None).await.unwrap();
    assert_ends(&mut one, "logout").await;
    assert!(is_silent(&mut two), "the other session stays open");
    let ban = BanState::Banned("cheating".to_owned());
    set_ban_state(&test.house, context(administrator), player, ban)
        .await
        .unwrap();
    assert_ends(&mut two, "ban").await;
    assert!(is_silent(&mut other), "other players' streams stay open");
}

#[apply(both_databases)]
async fn granting_administrator_rights_ends_the_sessions(#[case] test: &Fixture) {
    let player = test.player("deputy", 0).await;
    let key = SessionKeyHash::of(
        &open_session(&test.house, player, RequestOrigin::default())
            .await
            .unwrap(),
    );
    set_role(&test.house, "deputy", Role::Player).await.unwrap();
    assert!(
        find_session(&test.house, key.clone())
            .await
            .unwrap()
            .is_some()
    );
    set_role(&test.house, "deputy", Role::Owner).await.unwrap();
    assert!(find_session(&test.house, key).await.unwrap().is_none());
    let key = SessionKeyHash::of(
        &open_session(&test.house, player, RequestOrigin::default())
            .await
            .unwrap(),
    );
    set_role(&test.house, "deputy", Role::Owner).await.unwrap();
    assert!(
        find_session(&test.house, key).await.unwrap().is_some(),
        "the user already was an administrator"
    );
}

/// Waits until both servers' connections listen for notifications.
async fn wait_for_listeners(test: &Fixture) {
    let query = "SELECT COUNT(*)::TEXT AS value FROM pg_stat_activity
                 WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    let listening = async {
        while test.texts(query) != ["2"] {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let limit = Duration::from_secs(20);
    tokio::time::timeout(limit, listening)
        .await
        .expect("the servers do not listen");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ban_or_a_logout_closes_streams_on_every_server() {
    let test = &Fixture::on(Backend::Postgres);
    let other = test.another_house();
    let (_one, _two) = (serve(&test.house), serve(&other));
    let player = test.player("roamer", 0).await;
    let administrator = test.player("manager", 0).await;
    wait_for_listeners(test).await;
    let (key, mut there) = open(&other, player).await;
    end_session(&test.house, player, key, None).await.unwrap();
    assert_ends(&mut there, "logout on another server").await;
    let (_, mut there) = open(&other, player).await;
    let ban = BanState::Banned("cheating".to_owned());
    set_ban_state(&test.house, context(administrator), player, ban)
        .await
        .unwrap();
    assert_ends(&mut there, "ban on another server").await;
}

/// The connection for notifications is lost; sessions are checked again after reconnecting.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missed_ban_closes_streams_after_the_server_reconnects() {
    let test = &Fixture::on(Backend::Postgres);
    let other = test.another_house();
    let (_one, _two) = (serve(&test.house), serve(&other));
    let player = test.player("roamer", 0).await;
    let innocent = test.player("innocent", 0).await;
    wait_for_listeners(test).await;
    let (_, mut banned) = open(&other, player).await;
    let (_, mut goes_on) = open(&other, innocent).await;
    // A ban whose notification is lost.
    test.sql(&format!(
        "UPDATE users SET ban_reason = 'cheating' WHERE id = {player};
         DELETE FROM sessions WHERE user_id = {player};"
    ))
    .unwrap();
    test.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    )
    .unwrap();
    assert_ends(&mut banned, "missed ban").await;
    assert!(is_silent(&mut goes_on));
}

#[apply(both_databases)]
async fn a_stream_whose_browser_takes_no_events_ends_when_its_queue_is_full(
    #[case] test: &Fixture,
) {
    let player = test.player("sluggish", 100_000).await;
    let mut stream = listen_to_rounds(&test.house, player);
    for _ in 0..20 {
        let terms = crash_bet(1_000, None);
        prepare::<crash::Round>(test, player, terms, crashes_in(200..10_000)).await;
        start_crash_round(&test.house, player, terms, None)
            .await
            .unwrap();
        cash_out(&test.house, player, times(100), CashOutCall::default())
            .await
            .unwrap();
    }
    let mut received = 0;
    let end = loop {
        match stream.try_recv() {
            Ok(_) => received += 1,
            Err(end) => break end,
        }
    };
    assert_eq!((received, end), (32, TryRecvError::Closed));
}
