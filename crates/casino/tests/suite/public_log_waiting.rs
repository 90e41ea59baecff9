//! Bets are refused while the log cannot be written or its last checkpoint cannot be kept, and accepted
//! again afterwards.

use std::fs;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use glasshouse_casino::DatabaseUrl;
use glasshouse_casino::public_log::advance_public_log;
use rstest_reuse::apply;

use crate::support::games::play_dice;
use crate::support::log_keeping::{
    Keeping, assert_refuses, assert_unavailable, player_of, try_bet,
};
use crate::support::public_log::{ServedLog, advance, stored_checkpoint, waiting_batches};
use crate::support::tampering::block_updates;
use crate::support::{Backend, Fixture, both_databases};

fn unblock_log(test: &Fixture) {
    let drop = if test.is_postgres() {
        "DROP TRIGGER block ON log_state; DROP FUNCTION block"
    } else {
        "DROP TRIGGER block"
    };
    test.sql(drop).unwrap();
}

#[apply(both_databases)]
async fn bets_are_refused_while_entries_wait_for_more_than_ten_seconds(#[case] test: &Fixture) {
    let player = player_of(test).await;
    play_dice(test, player, 1).await;
    advance(test, &test.house).await;
    // At the end of the log.
    block_updates(test, "log_state", "true");
    // Nothing waits, so nothing is late.
    test.clock.advance(Duration::from_mins(1));
    advance_public_log(&test.house).await;
    try_bet(&test.house, player).await.unwrap();
    advance_public_log(&test.house).await;
    test.clock.advance(Duration::from_secs(10));
    advance_public_log(&test.house).await;
    try_bet(&test.house, player).await.unwrap();
    test.clock.advance(Duration::from_millis(1));
    advance_public_log(&test.house).await;
    assert_unavailable(&try_bet(&test.house, player).await);
    assert_refuses(test, &test.house, player).await;

    unblock_log(test);
    advance_public_log(&test.house).await;
    try_bet(&test.house, player).await.unwrap();
    ServedLog::advanced(test).await.assert_whole();
    test.assert_clean().await;
}

/// Locks the end of the log, as a server does that stands still while it writes the log.
fn stand_still(test: &Fixture) -> PgConnection {
    let DatabaseUrl::Postgres(url) = &test.url else {
        panic!("expected PostgreSQL")
    };
    let mut connection = PgConnection::establish(url).unwrap();
    connection
        .batch_execute("BEGIN; SELECT * FROM log_state FOR UPDATE")
        .unwrap();
    connection
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bets_are_refused_if_the_server_that_writes_the_log_stands_still() {
    let test = &Fixture::on(Backend::Postgres);
    let player = player_of(test).await;
    advance(test, &test.house).await;
    let lock = stand_still(test);
    try_bet(&test.house, player).await.unwrap();
    for _ in 0..11 {
        advance(test, &test.house).await;
        try_bet(&test.house, player).await.unwrap();
    }
    advance(test, &test.house).await;
    assert_refuses(test, &test.house, player).await;
    drop(lock);
    while waiting_batches(test) > 0 {
        advance(test, &test.house).await;
    }
    try_bet(&test.house, player).await.unwrap();
    ServedLog::advanced(test).await.assert_whole();
}

/// While another server holds the log, this one cannot know that the contradiction is over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_contradiction_stays_while_another_server_writes_the_log() {
    let test = &Fixture::on(Backend::Postgres);
    let server = Keeping::on(test.another_house());
    let player = player_of(test).await;
    advance(test, &server.house).await;
    let backup = &test.copy();
    play_dice(test, player, 1).await;
    advance(test, &server.house).await;
    let house = server.another(backup.another_house());
    // Also for a server that has just started.
    let lock = stand_still(backup);
    assert_refuses(backup, &house, player).await;
    drop(lock);
    assert_refuses(backup, &house, player).await;
    let lock = stand_still(backup);
    assert_refuses(backup, &house, player).await;
    drop(lock);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_contradiction_stays_while_the_database_is_unreachable() {
    let test = &Fixture::on(Backend::Postgres);
    let server = Keeping::on(test.another_house());
    let player = player_of(test).await;
    advance(test, &server.house).await;
    let backup = &test.copy();
    play_dice(test, player, 1).await;
    advance(test, &server.house).await;
    let house = server.another(backup.another_house());
    assert_refuses(backup, &house, player).await;
    backup.start_outage();
    advance(backup, &house).await;
    backup.end_outage();
    assert_unavailable(&try_bet(&house, player).await);
}

#[apply(both_databases)]
async fn bets_are_refused_while_the_checkpoint_cannot_be_kept(#[case] test: &Fixture) {
    let player = player_of(test).await;
    let server = Keeping::on(test.another_house());
    fs::remove_dir(server.folder.path()).unwrap();
    advance(test, &server.house).await;
    for _ in 0..3 {
        assert_unavailable(&try_bet(&server.house, player).await);
        // Nothing new is signed, but the last checkpoint is still not kept.
        advance(test, &server.house).await;
    }
    fs::create_dir(server.folder.path()).unwrap();
    advance(test, &server.house).await;
    try_bet(&server.house, player).await.unwrap();
    advance(test, &server.house).await;
    assert_eq!(
        fs::read_to_string(&server.file).unwrap(),
        stored_checkpoint(test)
    );
}

/// A server keeps what others have signed as well: each of them must notice an old backup.
#[apply(both_databases)]
async fn checkpoints_of_other_servers_are_kept(#[case] test: &Fixture) {
    let (one, two) = (
        Keeping::on(test.another_house()),
        Keeping::on(test.another_house()),
    );
    let player = player_of(test).await;
    for _ in 0..3 {
        play_dice(test, player, 1).await;
        advance(test, &one.house).await;
        advance(test, &two.house).await;
        for server in [&one, &two] {
            let kept = fs::read_to_string(&server.file).unwrap();
            assert_eq!(kept, stored_checkpoint(test));
        }
    }
}
