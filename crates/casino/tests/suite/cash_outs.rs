//! Cash-outs of crash and sales of stonks: payouts, late calls and races.

use glasshouse_games::{crash, stonks};
use std::time::Duration;

use glasshouse_casino::play::{outcome_text, read_history, read_round, read_statistics};
use glasshouse_casino::{CasinoError, LateCashOut, Refusal};
use glasshouse_domain::{Multiplier, RoundResult, RulesVersion};
use rstest_reuse::apply;

use crate::support::predetermined_rounds::{
    balance, crash_bet, crashes_in, next_stream, prepare, stonks_bet, times,
};

use crate::support::games::ALL_HISTORY;
use crate::support::games::{
    CashOutCall, CrashRound, cash_out, points, sell, start_crash_round, start_stonks_round,
};
use crate::support::{Fixture, assert_refused, both_databases, key};

fn cash_out_call(view: &CrashRound) -> CashOutCall {
    CashOutCall {
        round: Some(view.round.id),
        key: None,
    }
}

#[apply(both_databases)]
async fn a_cash_out_pays_the_claimed_multiplier_up_to_the_current_one(#[case] test: &Fixture) {
    let player = test.player("crasher", 100_000).await;
    // After three seconds the linear curve is at 3.10.
    for (claim, paid) in [(310, 310), (311, 310), (9_999, 310), (200, 200)] {
        let terms = crash_bet(1_234, None);
        let planned = prepare::<crash::Round>(test, player, terms, crashes_in(320..10_000)).await;
        let mut stream = next_stream(test, player).await;
        let before = balance(test, player).await;
        let started = start_crash_round(&test.house, player, terms, None)
            .await
            .unwrap();
        assert!(started.round.is_open() && started.view.crash_point.is_none());
        assert_eq!(started.round.balance_after.cents(), before - 1_234);
        test.clock.advance(Duration::from_secs(3));
        let cashed_out = cash_out(&test.house, player, times(claim), cash_out_call(&started))
            .await
            .unwrap();
        assert_eq!(cashed_out.round.multiplier, Some(times(paid)));
        let ending = planned.leave(Duration::from_secs(3), times(claim)).unwrap();
        let payout = ending
            .payout
            .in_cents(RulesVersion::CURRENT, || stream.cent_word())
            .cents();
        assert_eq!(
            ending.payout.rounded_down().cents(),
            1_234 * i64::from(paid) / 100
        );
        assert_eq!(cashed_out.round.payout.cents(), payout);
        assert_eq!(
            outcome_text(&cashed_out.round),
            format!("win ({}.{:02}x)", paid / 100, paid % 100)
        );
        assert!(
            cashed_out
                .view
                .crash_point
                .is_some_and(|point| point >= times(320))
        );
        assert_eq!(balance(test, player).await, before - 1_234 + payout);
        assert_eq!(
            cashed_out.round.balance_after.cents(),
            before - 1_234 + payout
        );
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_late_cash_out_is_refused_and_the_round_is_lost(#[case] test: &Fixture) {
    let player = test.player("latecomer", 100_000).await;
    let terms = crash_bet(1_000, None);
    let planned = prepare::<crash::Round>(test, player, terms, crashes_in(150..300)).await;
    let before = balance(test, player).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    // One millisecond earlier it would have been paid; now it is too late, whatever the claim.
    test.clock.advance(planned.ending().after.unwrap());
    let call = CashOutCall {
        round: Some(started.round.id),
        key: Some(key("late")),
    };
    let late = cash_out(&test.house, player, times(101), call.clone()).await;
    let mut expected = LateCashOut {
        round: started.round.id,
        late_by: Duration::ZERO,
        crash_point: Some(planned.crash_point().shown()),
        claim: Some(times(101)),
    };
    assert_refused(late, &Refusal::LeftTooLate(expected));
    // A retry is reported as late as it arrives, with or without the key.
    test.clock.advance(Duration::from_millis(640));
    expected.late_by = Duration::from_millis(640);
    let again = cash_out(&test.house, player, times(101), call).await;
    assert_refused(again, &Refusal::LeftTooLate(expected));
    let without_key = CashOutCall {
        round: Some(started.round.id),
        key: None,
    };
    assert_refused(
        cash_out(&test.house, player, times(101), without_key).await,
        &Refusal::LeftTooLate(expected),
    );
    assert_eq!(balance(test, player).await, before - 1_000);
    // The round is recorded as a loss at the time of the crash.
    let settled = read_round(&test.house, player, started.round.id)
        .await
        .unwrap();
    assert_eq!(settled.round.round().result, Some(RoundResult::Loss));
    assert_eq!(settled.round.round().ended_at, started.round.due_at);
    assert!(settled.revealed_server_seed.is_none());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn concurrent_cash_outs_pay_once(#[case] test: &Fixture) {
    let player = test.player("racer", 100_000).await;
    let terms = crash_bet(1_000, None);
    prepare::<crash::Round>(test, player, terms, crashes_in(200..10_000)).await;
    let before = balance(test, player).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_secs(1));
    let houses = [test.house.clone(), test.another_house()];
    let calls: Vec<_> = (0..50)
        .map(|number| {
            let house = houses[number % 2].clone();
            let call = cash_out_call(&started);
            tokio::spawn(async move { cash_out(&house, player, times(107), call).await })
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
async fn a_sale_pays_the_last_published_point_and_needs_one(#[case] test: &Fixture) {
    let player = test.player("trader", 100_000).await;
    let terms = stonks_bet(777, None);
    let planned =
        prepare::<stonks::Round>(test, player, terms, |planned| planned.points().len() > 8).await;
    let mut stream = next_stream(test, player).await;
    let before = balance(test, player).await;
    let started = start_stonks_round(&test.house, player, terms, None)
        .await
        .unwrap();
    assert_eq!(points(&started, test.house.published_until()), [1_000]);
    assert!(started.view.path().is_none());
    test.clock.advance(Duration::from_millis(499));
    assert_refused(
        sell(&test.house, player, CashOutCall::default()).await,
        &Refusal::NothingPublished,
    );
    test.clock.advance(Duration::from_millis(1_500));
    let sold = sell(&test.house, player, CashOutCall::default())
        .await
        .unwrap();
    let point = planned.points()[3];
    assert_eq!(
        sold.round.multiplier,
        Some(Multiplier::from_thousandths(point))
    );
    assert_eq!(sold.view.sold_at_tick, Some(3));
    assert_eq!(
        points(&sold, test.house.published_until()),
        &planned.points()[..4]
    );
    assert_eq!(sold.view.path().unwrap(), planned.points());
    let sale = planned.leave(Duration::from_millis(1_999)).unwrap();
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
        .find(|game| game.listed_name == "stonks")
        .unwrap();
    assert_eq!(stonks.rounds, 1);
    assert_eq!(stonks.best_multiplier, sold.round.multiplier);
    assert_eq!(stonks.average_multiplier, sold.round.multiplier);
    let page = read_history(&test.house, player, ALL_HISTORY)
        .await
        .unwrap();
    assert_eq!(page.entries[0].id, sold.round.id);
    test.assert_clean().await;
}
