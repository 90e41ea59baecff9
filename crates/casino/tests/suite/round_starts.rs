//! Starting rounds of crash and stonks: retries, refusals and races.

use glasshouse_games::stonks;
use std::time::Duration;

use glasshouse_casino::play::read_round;
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::{CasinoError, LateCashOut, Refusal};
use glasshouse_domain::{Multiplier, RoundId, RoundResult};
use glasshouse_games::crash;
use glasshouse_games::dice::BetType;
use rstest_reuse::apply;

use crate::support::predetermined_rounds::{
    balance, crash_bet, crashes_in, prepare, stonks_bet, times,
};

use crate::support::games::{
    CashOutCall, CrashRound, cash_out, place_dice_bet, sell, start_crash_round, start_stonks_round,
};
use crate::support::seeds::rotate;
use crate::support::{Fixture, assert_refused, bet, both_databases, key};

fn cash_out_call(view: &CrashRound) -> CashOutCall {
    CashOutCall {
        round: Some(view.round.id),
        key: None,
    }
}

#[apply(both_databases)]
async fn retries_return_the_first_result_and_move_no_money(#[case] test: &Fixture) {
    let player = test.player("repeater", 100_000).await;
    let terms = crash_bet(1_000, None);
    prepare::<crash::Round>(test, player, terms, crashes_in(200..10_000)).await;
    let before = balance(test, player).await;
    let started = start_crash_round(&test.house, player, terms, Some(key("start")))
        .await
        .unwrap();
    let again = start_crash_round(&test.another_house(), player, terms, Some(key("start")))
        .await
        .unwrap();
    assert_eq!(again.round.id, started.round.id);
    assert_eq!(again.round.balance_after.cents(), before - 1_000);
    let other = start_crash_round(
        &test.house,
        player,
        crash_bet(1_001, None),
        Some(key("start")),
    )
    .await;
    assert_refused(other, &Refusal::IdempotencyConflict);
    let other = start_stonks_round(
        &test.house,
        player,
        stonks_bet(1_000, None),
        Some(key("start")),
    )
    .await;
    assert_refused(other, &Refusal::IdempotencyConflict);
    let other = place_dice_bet(
        &test.house,
        player,
        bet(1_000, 50, BetType::Over),
        Some(key("start")),
    )
    .await;
    assert_refused(other, &Refusal::IdempotencyConflict);

    let crossed = CashOutCall {
        round: None,
        key: Some(key("start")),
    };
    let crossed = cash_out(&test.house, player, times(100), crossed).await;
    assert_refused(crossed, &Refusal::IdempotencyConflict);
    for change in [
        "due_at_micros = NULL",
        "nonce = nonce + 1",
        "game = 'dice'",
        "rules_version = 1",
    ] {
        let statement = format!("UPDATE rounds SET {change} WHERE state = 'open'");
        assert!(test.sql(&statement).is_err(), "{change}");
    }
    test.assert_clean().await;
    test.clock.advance(Duration::from_millis(500));
    let cash_out_again = || CashOutCall {
        round: Some(started.round.id),
        key: Some(key("leave")),
    };
    let cashed_out = cash_out(&test.house, player, times(103), cash_out_again())
        .await
        .unwrap();
    let again = cash_out(&test.another_house(), player, times(103), cash_out_again())
        .await
        .unwrap();
    assert_eq!(
        (again.round.id, again.round.payout),
        (cashed_out.round.id, cashed_out.round.payout)
    );
    assert_eq!(again.view.crash_point, cashed_out.view.crash_point);
    // A retry of the start now returns the settled round.
    let start = start_crash_round(&test.house, player, terms, Some(key("start")))
        .await
        .unwrap();
    assert!(!start.round.is_open());
    rotate(&test.house, player, "other").await.unwrap();
    let start = start_crash_round(&test.house, player, terms, Some(key("start")))
        .await
        .unwrap();
    assert_eq!(start.round.id, started.round.id);
    assert_eq!(balance(test, player).await, before + 30);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn only_the_players_own_open_round_can_be_cashed_out(#[case] test: &Fixture) {
    let player = test.player("player", 100_000).await;
    let neighbour = test.player("neighbour", 100_000).await;
    let no_round = cash_out(&test.house, player, times(100), CashOutCall::default()).await;
    assert_refused(no_round, &Refusal::NoOpenRound);
    let no_round = sell(&test.house, player, CashOutCall::default()).await;
    assert_refused(no_round, &Refusal::NoOpenRound);

    let terms = crash_bet(1_000, None);
    prepare::<crash::Round>(test, player, terms, crashes_in(200..10_000)).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    let theirs = cash_out(&test.house, neighbour, times(100), cash_out_call(&started)).await;
    assert_refused(theirs, &Refusal::NotFound);
    let unknown = CashOutCall {
        round: Some(RoundId::new(987_654)),
        key: None,
    };
    assert_refused(
        cash_out(&test.house, player, times(100), unknown).await,
        &Refusal::NotFound,
    );
    let of_another_game = CashOutCall {
        round: Some(started.round.id),
        key: None,
    };
    assert_refused(
        sell(&test.house, player, of_another_game).await,
        &Refusal::NotFound,
    );
    let second = start_crash_round(&test.house, player, terms, None).await;
    assert_refused(
        second,
        &Refusal::RoundOpen {
            id: started.round.id,
        },
    );
    assert_refused(
        rotate(&test.house, player, "other").await.map(|_| ()),
        &Refusal::RoundOpen {
            id: started.round.id,
        },
    );
    assert_refused(
        read_round(&test.house, player, started.round.id)
            .await
            .map(|_| ()),
        &Refusal::NotFound,
    );
    // Another game can be played at the same time.
    place_dice_bet(&test.house, player, bet(100, 50, BetType::Over), None)
        .await
        .unwrap();
    start_stonks_round(&test.house, player, stonks_bet(100, None), None)
        .await
        .unwrap();

    cash_out(&test.house, player, times(100), cash_out_call(&started))
        .await
        .unwrap();
    let settled = cash_out(&test.house, player, times(100), cash_out_call(&started)).await;
    assert_refused(settled, &Refusal::RoundOver);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn concurrent_starts_begin_one_round(#[case] test: &Fixture) {
    let player = test.player("starter", 100_000).await;
    let terms = stonks_bet(100, None);
    prepare::<stonks::Round>(test, player, terms, |planned| planned.points().len() > 5).await;
    let before = balance(test, player).await;
    let houses = [test.house.clone(), test.another_house()];
    let calls: Vec<_> = (0..100)
        .map(|number| {
            let house = houses[number % 2].clone();
            tokio::spawn(async move { start_stonks_round(&house, player, terms, None).await })
        })
        .collect();
    let mut started = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(_) => started += 1,
            Err(CasinoError::Refused(Refusal::RoundOpen { .. })) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(started, 1);
    assert_eq!(balance(test, player).await, before - 100);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_unaffordable_bet_starts_no_round(#[case] test: &Fixture) {
    let player = test.player("pauper", 999).await;
    let crash = start_crash_round(&test.house, player, crash_bet(1_000, None), None).await;
    assert_refused(crash, &Refusal::InsufficientBalance);
    let stonks = start_stonks_round(&test.house, player, stonks_bet(1_000, None), None).await;
    assert_refused(stonks, &Refusal::InsufficientBalance);
    assert_eq!(balance(test, player).await, 999);
    assert!(open_rounds(&test.house, player).await.unwrap().is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_instant_crash_is_settled_at_the_start(#[case] test: &Fixture) {
    let player = test.player("unlucky", 1_000_000).await;
    let terms = crash_bet(1_000, Some(101));
    prepare::<crash::Round>(test, player, terms, |planned| {
        planned.crash_point() == crash::CrashPoint::Instant
    })
    .await;
    let before = balance(test, player).await;
    let started = start_crash_round(&test.house, player, terms, Some(key("instant")))
        .await
        .unwrap();
    assert!(!started.round.is_open());
    assert_eq!(started.view.crash_point, Some(Multiplier::ONE));
    assert_eq!(started.round.result, Some(RoundResult::Loss));
    assert_eq!(balance(test, player).await, before - 1_000);
    let late = LateCashOut {
        round: started.round.id,
        late_by: Duration::ZERO,
        crash_point: Some(Multiplier::ONE),
        claim: Some(times(100)),
    };
    assert_refused(
        cash_out(&test.house, player, times(100), cash_out_call(&started)).await,
        &Refusal::LeftTooLate(late),
    );
    test.assert_clean().await;
}
