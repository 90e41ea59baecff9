//! Starting and leaving rounds of crash and stonks: what is paid, what is refused, and races.

use std::time::Duration;

use glasshouse_casino::fairness::rotate_seeds;
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::play::{outcome_text, read_history, read_round, read_statistics};
use glasshouse_casino::{CasinoError, IdempotencyKey, LateCashOut, Refusal};
use glasshouse_domain::{Money, Multiplier, RoundId, RoundResult, RulesVersion, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::game_round::GameRound;
use glasshouse_games::{crash, stonks};
use glasshouse_persistence::{DatabaseError, queries};
use rstest_reuse::apply;

use crate::bets::ALL_HISTORY;
use crate::play::{
    CashOutTest, CrashRound, cash_out, place_dice_bet, points, sell, start_crash_round,
    start_stonks_round,
};
use crate::support::{Fixture, assert_refused, bet, both_databases};

fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey::parse(text).unwrap()
}

pub(crate) fn times(hundredths: u32) -> Multiplier {
    Multiplier::from_hundredths(hundredths)
}

pub(crate) fn crash_bet(cents: i64, auto_cashout: Option<u32>) -> crash::Bet {
    let auto_cashout = auto_cashout.map(times);
    crash::Bet::new(Money::from_cents(cents), auto_cashout, crash::Curve::Linear).unwrap()
}

pub(crate) fn stonks_bet(cents: i64, auto_sell: Option<i64>) -> stonks::Bet {
    stonks::Bet::new(Money::from_cents(cents), auto_sell.map(Money::from_cents)).unwrap()
}

/// The stream that the player's next round will have: what no player can know.
pub(crate) async fn next_stream(test: &Fixture, player: UserId) -> Stream {
    let seeds = test
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            Ok(queries::account_of(connection, player)?.seeds)
        })
        .await
        .unwrap();
    let server_seed = ServerSeed::from_text(seeds.server_seed).unwrap();
    let client_seed = ClientSeed::parse(&seeds.client_seed).unwrap();
    Stream::new(&server_seed, &client_seed, seeds.next_nonce)
}

/// Plays cents away at dice until the next round of crash is as wanted, and says what it will be.
pub(crate) async fn crash_plan(
    test: &Fixture,
    player: UserId,
    bet_to_be: crash::Bet,
    is_wanted: impl Fn(&crash::Round) -> bool,
) -> crash::Round {
    loop {
        let plan = crash::Round::begin(bet_to_be, &mut next_stream(test, player).await);
        if is_wanted(&plan) {
            return plan;
        }
        let cent = bet(1, 50, BetType::Over);
        place_dice_bet(&test.house, player, cent, None)
            .await
            .unwrap();
    }
}

/// The same for stonks.
pub(crate) async fn stonks_plan(
    test: &Fixture,
    player: UserId,
    bet_to_be: stonks::Bet,
    is_wanted: impl Fn(&stonks::Round) -> bool,
) -> stonks::Round {
    loop {
        let plan = stonks::Round::begin(bet_to_be, &mut next_stream(test, player).await);
        if is_wanted(&plan) {
            return plan;
        }
        let cent = bet(1, 50, BetType::Over);
        place_dice_bet(&test.house, player, cent, None)
            .await
            .unwrap();
    }
}

/// Crashes somewhere between so many and so many hundredths.
pub(crate) fn crashes_in(range: std::ops::Range<u32>) -> impl Fn(&crash::Round) -> bool {
    move |plan| {
        plan.crash_point() != crash::CrashPoint::Instant
            && range.contains(&plan.crash_point().shown().hundredths())
    }
}

pub(crate) async fn balance(test: &Fixture, player: UserId) -> i64 {
    let account = test
        .database
        .read::<_, DatabaseError, _>(move |connection| queries::account_of(connection, player))
        .await
        .unwrap();
    account.wallet.balance().cents()
}

fn leaving(view: &CrashRound) -> CashOutTest {
    CashOutTest {
        round: Some(view.round.id),
        key: None,
    }
}

#[apply(both_databases)]
async fn a_cash_out_pays_what_was_seen_and_never_more_than_the_truth(#[case] test: &Fixture) {
    let player = test.player("crasher", 100_000).await;
    // After three seconds the linear curve stands at 3.10.
    for (claim, paid) in [(310, 310), (311, 310), (9_999, 310), (200, 200)] {
        let terms = crash_bet(1_234, None);
        let plan = crash_plan(test, player, terms, crashes_in(320..10_000)).await;
        let stream = next_stream(test, player).await;
        let before = balance(test, player).await;
        let started = start_crash_round(&test.house, player, terms, None)
            .await
            .unwrap();
        assert!(started.round.is_open() && started.view.crash_point.is_none());
        assert_eq!(started.round.balance_after.cents(), before - 1_234);
        test.clock.advance(Duration::from_secs(3));
        let left = cash_out(&test.house, player, times(claim), leaving(&started))
            .await
            .unwrap();
        assert_eq!(left.round.multiplier, Some(times(paid)));
        let ending = plan.leave(Duration::from_secs(3), times(claim)).unwrap();
        let payout = ending
            .payout
            .in_cents(RulesVersion::CURRENT, || stream.cent_word())
            .cents();
        assert_eq!(
            ending.payout.rounded_down().cents(),
            1_234 * i64::from(paid) / 100
        );
        assert_eq!(left.round.payout.cents(), payout);
        assert_eq!(
            outcome_text(&left.round),
            format!("win ({}.{:02}x)", paid / 100, paid % 100)
        );
        assert!(
            left.view
                .crash_point
                .is_some_and(|point| point >= times(320))
        );
        assert_eq!(balance(test, player).await, before - 1_234 + payout);
        assert_eq!(left.round.balance_after.cents(), before - 1_234 + payout);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_late_cash_out_finds_the_round_crashed(#[case] test: &Fixture) {
    let player = test.player("latecomer", 100_000).await;
    let terms = crash_bet(1_000, None);
    let plan = crash_plan(test, player, terms, crashes_in(150..300)).await;
    let before = balance(test, player).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    // The last millisecond would still have paid; this one does not, whatever is claimed.
    test.clock.advance(plan.ending().after.unwrap());
    let leaving = CashOutTest {
        round: Some(started.round.id),
        key: Some(key("late")),
    };
    let late = cash_out(&test.house, player, times(101), leaving.clone()).await;
    let mut told = LateCashOut {
        round: started.round.id,
        late_by: Duration::ZERO,
        crash_point: Some(plan.crash_point().shown()),
        claim: Some(times(101)),
    };
    assert_refused(late, &Refusal::LeftTooLate(told));
    // The same call again is as late as it arrives, and so is one without the key.
    test.clock.advance(Duration::from_millis(640));
    told.late_by = Duration::from_millis(640);
    let again = cash_out(&test.house, player, times(101), leaving).await;
    assert_refused(again, &Refusal::LeftTooLate(told));
    let without_key = CashOutTest {
        round: Some(started.round.id),
        key: None,
    };
    assert_refused(
        cash_out(&test.house, player, times(101), without_key).await,
        &Refusal::LeftTooLate(told),
    );
    assert_eq!(balance(test, player).await, before - 1_000);
    // It is written down, as a loss, at the moment that it happened.
    let settled = read_round(&test.house, player, started.round.id)
        .await
        .unwrap();
    assert_eq!(settled.round.round().result, Some(RoundResult::Loss));
    assert_eq!(settled.round.round().ended_at, started.round.due_at);
    assert!(settled.revealed_server_seed.is_none());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn fifty_cash_outs_at_once_pay_once(#[case] test: &Fixture) {
    let player = test.player("racer", 100_000).await;
    let terms = crash_bet(1_000, None);
    crash_plan(test, player, terms, crashes_in(200..10_000)).await;
    let before = balance(test, player).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_secs(1));
    let houses = [test.house.clone(), test.another_house()];
    let calls: Vec<_> = (0..50)
        .map(|number| {
            let house = houses[number % 2].clone();
            let leaving = leaving(&started);
            tokio::spawn(async move { cash_out(&house, player, times(107), leaving).await })
        })
        .collect();
    let mut paid = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(view) => {
                assert_eq!(view.round.payout.cents(), 1_070);
                paid += 1;
            }
            Err(CasinoError::Refused(refusal)) => assert_eq!(refusal, Refusal::RoundOver),
            Err(fault) => panic!("{fault}"),
        }
    }
    assert_eq!(paid, 1);
    assert_eq!(balance(test, player).await, before + 70);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_same_call_again_is_answered_alike_and_moves_nothing(#[case] test: &Fixture) {
    let player = test.player("repeater", 100_000).await;
    let terms = crash_bet(1_000, None);
    crash_plan(test, player, terms, crashes_in(200..10_000)).await;
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

    let crossed = CashOutTest {
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
    let leave = || CashOutTest {
        round: Some(started.round.id),
        key: Some(key("leave")),
    };
    let left = cash_out(&test.house, player, times(103), leave())
        .await
        .unwrap();
    let again = cash_out(&test.another_house(), player, times(103), leave())
        .await
        .unwrap();
    assert_eq!(
        (again.round.id, again.round.payout),
        (left.round.id, left.round.payout)
    );
    assert_eq!(again.view.crash_point, left.view.crash_point);
    // The start's answer now tells of the round as it is.
    let start = start_crash_round(&test.house, player, terms, Some(key("start")))
        .await
        .unwrap();
    assert!(!start.round.is_open());
    rotate_seeds(&test.house, player, None).await.unwrap();
    let start = start_crash_round(&test.house, player, terms, Some(key("start")))
        .await
        .unwrap();
    assert_eq!(start.round.id, started.round.id);
    assert_eq!(balance(test, player).await, before + 30);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn other_rounds_are_not_to_be_left(#[case] test: &Fixture) {
    let player = test.player("player", 100_000).await;
    let neighbour = test.player("neighbour", 100_000).await;
    let nothing = cash_out(&test.house, player, times(100), CashOutTest::default()).await;
    assert_refused(nothing, &Refusal::NoOpenRound);
    let nothing = sell(&test.house, player, CashOutTest::default()).await;
    assert_refused(nothing, &Refusal::NoOpenRound);

    let terms = crash_bet(1_000, None);
    crash_plan(test, player, terms, crashes_in(200..10_000)).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    let theirs = cash_out(&test.house, neighbour, times(100), leaving(&started)).await;
    assert_refused(theirs, &Refusal::NotFound);
    let unknown = CashOutTest {
        round: Some(RoundId::new(987_654)),
        key: None,
    };
    assert_refused(
        cash_out(&test.house, player, times(100), unknown).await,
        &Refusal::NotFound,
    );
    let of_another_game = CashOutTest {
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
        rotate_seeds(&test.house, player, None).await.map(|_| ()),
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
    // Another game may be played beside it.
    place_dice_bet(&test.house, player, bet(100, 50, BetType::Over), None)
        .await
        .unwrap();
    start_stonks_round(&test.house, player, stonks_bet(100, None), None)
        .await
        .unwrap();

    cash_out(&test.house, player, times(100), leaving(&started))
        .await
        .unwrap();
    let settled = cash_out(&test.house, player, times(100), leaving(&started)).await;
    assert_refused(settled, &Refusal::RoundOver);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_hundred_starts_at_once_begin_one_round(#[case] test: &Fixture) {
    let player = test.player("starter", 100_000).await;
    let terms = stonks_bet(100, None);
    stonks_plan(test, player, terms, |plan| plan.points().len() > 5).await;
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
async fn a_bet_that_cannot_be_paid_starts_nothing(#[case] test: &Fixture) {
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
async fn an_instant_crash_is_over_at_the_start(#[case] test: &Fixture) {
    let player = test.player("unlucky", 1_000_000).await;
    let terms = crash_bet(1_000, Some(101));
    crash_plan(test, player, terms, |plan| {
        plan.crash_point() == crash::CrashPoint::Instant
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
        cash_out(&test.house, player, times(100), leaving(&started)).await,
        &Refusal::LeftTooLate(late),
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_sale_pays_the_last_point_published_and_nothing_before_the_first(#[case] test: &Fixture) {
    let player = test.player("trader", 100_000).await;
    let terms = stonks_bet(777, None);
    let plan = stonks_plan(test, player, terms, |plan| plan.points().len() > 8).await;
    let stream = next_stream(test, player).await;
    let before = balance(test, player).await;
    let started = start_stonks_round(&test.house, player, terms, None)
        .await
        .unwrap();
    assert_eq!(points(&started, test.house.published_until()), [1_000]);
    assert!(started.view.path().is_none());
    test.clock.advance(Duration::from_millis(499));
    assert_refused(
        sell(&test.house, player, CashOutTest::default()).await,
        &Refusal::NothingPublished,
    );
    test.clock.advance(Duration::from_millis(1_500));
    let sold = sell(&test.house, player, CashOutTest::default())
        .await
        .unwrap();
    let point = plan.points()[3];
    assert_eq!(
        sold.round.multiplier,
        Some(Multiplier::from_thousandths(point))
    );
    assert_eq!(sold.view.sold_at_tick, Some(3));
    assert_eq!(
        points(&sold, test.house.published_until()),
        &plan.points()[..4]
    );
    assert_eq!(sold.view.path().unwrap(), plan.points());
    let sale = plan.leave(Duration::from_millis(1_999)).unwrap();
    assert_eq!(
        sale.payout.rounded_down().cents(),
        777 * i64::from(point) / 1_000
    );
    let payout = sale
        .payout
        .in_cents(RulesVersion::CURRENT, || stream.cent_word())
        .cents();
    assert_eq!(balance(test, player).await, before - 777 + payout);
    let statistics = read_statistics(&test.house, player).await.unwrap();
    let stonks = statistics
        .iter()
        .find(|game| game.listed_as == "stonks")
        .unwrap();
    assert_eq!(stonks.rounds, 1);
    assert_eq!(stonks.best_multiplier, sold.round.multiplier);
    assert_eq!(stonks.average_multiplier, sold.round.multiplier);
    let page = read_history(&test.house, player, ALL_HISTORY)
        .await
        .unwrap();
    assert_eq!(page.rounds[0].id, sold.round.id);
    test.assert_clean().await;
}
