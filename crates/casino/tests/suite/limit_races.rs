//! GLI-19 2.5.5 and A.3.8: limits and exclusions hold against requests that arrive at the same time,
//! on two servers.

use glasshouse_casino::limits::{confirm_limit_change, exclude, set_limit};
use glasshouse_casino::money::deposits::create_deposit;
use glasshouse_casino::{CasinoError, House, LimitRefusal, Refusal};
use glasshouse_domain::{Currency, ExclusionDuration, LimitKind, LimitPeriod, UserId};
use rstest_reuse::apply;
use tokio::task::JoinHandle;

use crate::support::cashier_fixture::{CashierFixture, at_once};
use crate::support::limits::{DAY, daily_stake, limit, of, reached, stake, used};
use crate::support::{Fixture, assert_refused, both_databases};

const BETS: usize = 64;
/// How many bet at the same time.
const BETTORS: usize = 8;
/// Far more bets than a bettor places before the refusal that a test waits for.
const UNTIL_REFUSED: usize = 10_000;

fn servers(test: &Fixture) -> [House; 2] {
    [test.house.clone(), test.another_house()]
}

#[apply(both_databases)]
async fn gli_19_2_5_5_of_many_bets_at_once_exactly_as_many_as_fit_are_taken(
    #[case] test: &Fixture,
) {
    let player = test.player("hasty", 1_000_000).await;
    limit(test, daily_stake(player), 2_050).await;
    let servers = servers(test);
    let outcomes = at_once(BETS, |number| {
        let house = servers[number % 2].clone();
        async move { stake(&house, player, 100).await }
    })
    .await;
    let (taken, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(taken.len(), 20);
    for outcome in refused {
        let refusal = reached(LimitKind::Stake, LimitPeriod::Day, (2_050, 1));
        assert_refused(outcome, &refusal);
    }
    assert_eq!(used(test, player).await, 2_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_2_5_5_bets_at_once_never_lose_more_than_the_limit(#[case] test: &Fixture) {
    let player = test.player("hasty-loser", 1_000_000).await;
    limit(test, of(player, LimitKind::Loss, LimitPeriod::Week), 1_000).await;
    let servers = servers(test);
    let outcomes = at_once(BETS, |number| {
        let house = servers[number % 2].clone();
        async move { stake(&house, player, 150).await }
    })
    .await;
    let refusal = reached(LimitKind::Loss, LimitPeriod::Week, (1_000, 6));
    let mut lost = 0;
    for outcome in outcomes {
        match outcome {
            Ok(bet) => lost += 150 - bet.round.payout.cents(),
            refused => assert_refused(refused, &refusal),
        }
    }
    assert!(lost <= 1_000, "{lost}");
    assert_eq!(used(test, player).await, lost);
    test.assert_clean().await;
}

/// Several bettors on both servers at once, each of whom places up to `most` bets, and how each of
/// them ended: with the first refusal, if there was one.
fn start_betting(
    test: &Fixture,
    player: UserId,
    most: usize,
) -> Vec<JoinHandle<Result<(), CasinoError>>> {
    let servers = servers(test);
    let bettor = |number: usize| {
        let house = servers[number % 2].clone();
        tokio::spawn(async move {
            for _ in 0..most {
                stake(&house, player, 1).await?;
            }
            Ok(())
        })
    };
    (0..BETTORS).map(bettor).collect()
}

/// Asserts that everybody's bets ended with this refusal, and not because they had placed all.
async fn assert_all_refused(bets: Vec<JoinHandle<Result<(), CasinoError>>>, refusal: &Refusal) {
    assert_eq!(bets.len(), BETTORS);
    for bettor in bets {
        assert_refused(bettor.await.unwrap(), refusal);
    }
}

fn rounds(test: &Fixture) -> usize {
    test.texts("SELECT CAST(id AS TEXT) AS value FROM rounds")
        .len()
}

/// Waits until some bets have been placed.
async fn wait_for_bets(test: &Fixture) {
    while rounds(test) < BETTORS {
        tokio::task::yield_now().await;
    }
}

#[apply(both_databases)]
async fn gli_19_a_3_8_no_bet_starts_after_an_exclusion_is_acknowledged(#[case] test: &Fixture) {
    let player = test.player("stopping", 1_000_000).await;
    let bets = start_betting(test, player, UNTIL_REFUSED);
    wait_for_bets(test).await;
    let other = test.another_house();
    let exclusion = exclude(&other, player, ExclusionDuration::SixMonths)
        .await
        .unwrap();
    let acknowledged = rounds(test);
    let refusal = Refusal::Limits(LimitRefusal::Excluded(exclusion.until));
    assert_all_refused(bets, &refusal).await;
    assert_eq!(rounds(test), acknowledged);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_2_5_5_a_lowered_limit_holds_once_it_is_acknowledged(#[case] test: &Fixture) {
    let player = test.player("slowing", 1_000_000).await;
    limit(test, daily_stake(player), 100_000).await;
    let bets = start_betting(test, player, UNTIL_REFUSED);
    wait_for_bets(test).await;
    let lowered = set_limit(&test.another_house(), daily_stake(player), Some(5)).await;
    assert!(lowered.unwrap().limits[0].used >= 5);
    let acknowledged = rounds(test);
    let refusal = reached(LimitKind::Stake, LimitPeriod::Day, (5, 1));
    assert_all_refused(bets, &refusal).await;
    assert_eq!(rounds(test), acknowledged);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn changes_at_once_leave_the_copy_that_bets_are_judged_by_right(#[case] test: &Fixture) {
    let player = test.player("undecided", 1_000_000).await;
    let servers = servers(test);
    let bets = start_betting(test, player, BETS);
    let kinds = [LimitKind::Stake, LimitKind::Loss, LimitKind::SessionTime];
    let outcomes = at_once(27, |number| {
        let house = servers[number % 2].clone();
        let period = LimitPeriod::ALL[number / 3 % 3];
        let requested = of(player, kinds[number % 3], period);
        let value = 1_000 - i64::try_from(number).unwrap();
        async move { set_limit(&house, requested, Some(value)).await }
    })
    .await;
    for outcome in outcomes {
        outcome.unwrap();
    }
    for bettor in bets {
        bettor.await.unwrap().unwrap();
    }
    test.assert_clean().await;
    // Of two confirmations at once one is refused.
    set_limit(&test.house, daily_stake(player), Some(5_000))
        .await
        .unwrap();
    test.clock.advance(DAY);
    let outcomes = at_once(2, |number| {
        let house = servers[number].clone();
        async move { confirm_limit_change(&house, daily_stake(player)).await }
    })
    .await;
    let (confirmed, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(confirmed.len(), 1);
    for outcome in refused {
        assert_refused(outcome, &Refusal::Limits(LimitRefusal::NoPendingChange));
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_2_5_5_of_deposits_at_once_as_many_as_fit_are_taken(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let monthly = of(fixture.player, LimitKind::Deposit, LimitPeriod::Month);
    limit(test, monthly, 25_000).await;
    let cashiers = [fixture.cashier.clone(), fixture.another_cashier()];
    let request = fixture.deposit_request(10_000, Currency::Btc);
    let outcomes = at_once(10, |number| {
        let (cashier, request) = (cashiers[number % 2].clone(), request.clone());
        async move { create_deposit(&cashier, request).await }
    })
    .await;
    let (made, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(made.len(), 2);
    for outcome in refused {
        let Err(CasinoError::Refused(Refusal::Limits(LimitRefusal::LimitReached(reached)))) =
            outcome
        else {
            panic!("expected a refusal, got {outcome:?}");
        };
        assert_eq!((reached.kind, reached.limit), (LimitKind::Deposit, 25_000));
    }
    test.assert_clean().await;
}
