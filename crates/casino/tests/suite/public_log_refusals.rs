//! The log is never continued against what was signed before, and without a log there are no bets.

use std::fs;
use std::time::Duration;

use glasshouse_casino::{CasinoError, House, Refusal};
use glasshouse_games::crash;
use glasshouse_games::dice::BetType;
use glasshouse_games::heads_up::Action;
use glasshouse_testing::{LOG_ORIGIN, log_signer_of};
use rstest::rstest;
use rstest_reuse::apply;

use crate::support::games::{
    CashOutCall, HeadsUpPlay, cash_out, deal_poker_hand, draw_cards, place_dice_bet, play_dice,
    play_heads_up, start_crash_round,
};
use crate::support::log_keeping::{
    Keeping, assert_refuses, assert_unavailable, player_of, try_bet,
};
use crate::support::poker::{dollars, heads_up_bet};
use crate::support::predetermined_rounds::{crash_bet, crashes_in, prepare, times};
use crate::support::public_log::{ServedLog, advance, proven, stored_checkpoint, waiting_batches};
use crate::support::{Backend, Fixture, bet, both_databases, key};

#[apply(both_databases)]
async fn a_restored_backup_is_refused_but_what_is_in_play_is_finished(#[case] test: &Fixture) {
    let server = Keeping::on(test.another_house());
    let player = player_of(test).await;
    let terms = crash_bet(1_000, None);
    let deal =
        async |house: &House| deal_poker_hand(house, player, dollars(5), Some(key("deal"))).await;
    let placed = place_dice_bet(
        &test.house,
        player,
        bet(100, 50, BetType::Over),
        Some(key("bet")),
    );
    let placed = proven(placed.await.unwrap().receipt.as_ref());
    prepare::<crash::Round>(test, player, terms, crashes_in(200..10_000)).await;
    let crash = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    let dealt = proven(deal(&test.house).await.unwrap().receipt.as_ref());
    advance(test, &server.house).await;

    let backup = &test.copy();
    play_dice(test, player, 1).await;
    advance(test, &server.house).await;
    let house = server.another(backup.another_house());
    assert_refuses(backup, &house, player).await;
    // Repeated requests are still answered.
    let again = place_dice_bet(
        &house,
        player,
        bet(100, 50, BetType::Over),
        Some(key("bet")),
    )
    .await;
    assert_eq!(proven(again.unwrap().receipt.as_ref()), placed);
    assert_eq!(proven(deal(&house).await.unwrap().receipt.as_ref()), dealt);
    // No game accepts a bet, not even within a move.
    let hand = HeadsUpPlay {
        bet: heads_up_bet(5),
        action: Action::Fold,
        round: None,
        key: None,
    };
    assert_unavailable(&play_heads_up(&house, player, hand).await);
    assert_unavailable(&deal_poker_hand(&house, player, dollars(5), None).await);
    // Rounds in play are finished, with receipts.
    backup.clock.set(
        crash
            .round
            .started_at
            .saturating_add(Duration::from_secs(1)),
    );
    let call = CashOutCall {
        round: Some(crash.round.id),
        key: None,
    };
    match cash_out(&house, player, times(101), call).await {
        Ok(ended) => drop(proven(ended.receipt.as_ref())),
        // Too much time may have passed for this round.
        Err(CasinoError::Refused(Refusal::LeftTooLate(_))) => {}
        Err(error) => panic!("{error}"),
    }
    let drawn = draw_cards(&house, player, None, None, None).await.unwrap();
    proven(drawn.receipt.as_ref());
    assert_refuses(backup, &house, player).await;
    // Their entries wait until the right database is back, or a new log is begun.
    assert_eq!(waiting_batches(backup), 2);

    // On the right database, the same file is no obstacle.
    let house = server.another(test.another_house());
    advance(test, &house).await;
    try_bet(&house, player).await.unwrap();
}

#[apply(both_databases)]
async fn a_backup_that_has_grown_differently_is_refused(#[case] test: &Fixture) {
    let server = Keeping::on(test.another_house());
    let player = player_of(test).await;
    play_dice(test, player, 3).await;
    advance(test, &server.house).await;
    let backup = &test.copy();
    play_dice(test, player, 1).await;
    advance(test, &server.house).await;
    // The restored database has as many entries as were signed, and then more, but others.
    for _ in 0..2 {
        // The seeds are the same, but the bet is not.
        let other = bet(777, 50, BetType::Over);
        place_dice_bet(&backup.house, player, other, None)
            .await
            .unwrap();
        advance(backup, &backup.house).await;
        let house = server.another(backup.another_house());
        assert_refuses(backup, &house, player).await;
    }
}

#[apply(both_databases)]
async fn an_empty_database_does_not_continue_a_log(#[case] test: &Fixture) {
    let server = Keeping::on(test.another_house());
    advance(test, &server.house).await;
    let empty = &Fixture::on(if test.is_postgres() {
        Backend::Postgres
    } else {
        Backend::Sqlite
    });
    let player = player_of(empty).await;
    let house = server.another(empty.another_house());
    assert_refuses(empty, &house, player).await;
    assert_eq!(stored_checkpoint(empty), "");
}

#[apply(both_databases)]
async fn a_checkpoint_of_another_log_is_refused(#[case] test: &Fixture) {
    let player = player_of(test).await;
    advance(test, &test.house).await;
    let end = ServedLog::read(&test.house).await.end;
    let sign = |origin: &str, number: u8| {
        let keys = log_signer_of(origin, &[number]);
        end.sign(keys.keys()).unwrap()
    };
    let server = Keeping::on(test.another_house());
    for text in [
        sign("other.example/glasshouse", 7),
        sign(LOG_ORIGIN, 8),
        sign(LOG_ORIGIN, 7).replacen('\n', " \n", 1),
        "not a checkpoint".to_owned(),
        String::new(),
    ] {
        fs::write(&server.file, &text).unwrap();
        assert_refuses(test, &server.house, player).await;
        assert_eq!(fs::read_to_string(&server.file).unwrap(), text);
    }
    // Neither is a file that cannot be read.
    fs::remove_file(&server.file).unwrap();
    fs::create_dir(&server.file).unwrap();
    assert_refuses(test, &server.house, player).await;
    fs::remove_dir(&server.file).unwrap();
    advance(test, &server.house).await;
    try_bet(&server.house, player).await.unwrap();
}

#[apply(both_databases)]
async fn a_key_that_does_not_match_is_refused(#[case] test: &Fixture) {
    let player = player_of(test).await;
    play_dice(test, player, 1).await;
    advance(test, &test.house).await;
    play_dice(test, player, 1).await;
    for signer in [
        log_signer_of(LOG_ORIGIN, &[8]),
        log_signer_of("other.example/glasshouse", &[7]),
    ] {
        let house = test.house_signing_with(signer);
        assert_refuses(test, &house, player).await;
    }
    advance(test, &test.house).await;
    try_bet(&test.house, player).await.unwrap();
}

#[rstest]
#[case::a_leaf("UPDATE log_tiles SET hashes = {other} WHERE level = 0")]
#[case::a_missing_tile("DELETE FROM log_tiles WHERE level = 0")]
#[case::the_size("UPDATE log_state SET size = size + 1")]
#[case::the_checkpoint("UPDATE log_state SET checkpoint = REPLACE(checkpoint, 'house', 'mouse')")]
#[case::the_name("UPDATE log_state SET origin = 'other.example/glasshouse'")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_log_is_not_continued(
    #[case] damage: &str,
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let test = &Fixture::on(backend);
    let player = player_of(test).await;
    play_dice(test, player, 3).await;
    advance(test, &test.house).await;
    play_dice(test, player, 1).await;
    let other = if test.is_postgres() {
        "set_byte(hashes, 40, 255 - get_byte(hashes, 40))"
    } else {
        "CAST(substr(hashes, 2) || substr(hashes, 1, 1) AS BLOB)"
    };
    test.sql(&damage.replace("{other}", other)).unwrap();
    assert_refuses(test, &test.house, player).await;
}
