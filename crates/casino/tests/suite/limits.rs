//! GLI-19 2.5.5 and A.3.7: limits on stakes, losses and deposits are enforced where money is staked
//! and deposits are created.

use glasshouse_casino::limits::{read_limits, set_limit};
use glasshouse_casino::{Clock as _, LimitRefusal, Refusal};
use glasshouse_domain::{Currency, LimitKind, LimitPeriod, LimitReached, Timestamp};
use glasshouse_games::heads_up::Action;
use glasshouse_payments::InvoiceId;
use rstest_reuse::apply;

use crate::support::cashier_fixture::CashierFixture;
use crate::support::games::{CashOutCall, cash_out, deal_heads_up, start_crash_round};
use crate::support::limits::{DAY, daily_stake, limit, of, reached, stake, stake_with_key, used};
use crate::support::poker::{heads_up_bet, play};
use crate::support::predetermined_rounds::{balance, crash_bet, crashes_in, prepare, times};
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn gli_19_2_5_5_stakes_fit_into_the_limit_up_to_the_last_cent(#[case] test: &Fixture) {
    let player = test.player("careful", 100_000).await;
    // What was staked before the limit was set counts.
    stake(&test.house, player, 250).await.unwrap();
    stake(&test.house, player, 350).await.unwrap();
    let limits = limit(test, daily_stake(player), 1_000).await;
    assert_eq!(limits.limits[0].used, 600);
    assert_eq!(limits.limits[0].resets_at, Timestamp::start_of_day(19_676));
    let refusal = reached(LimitKind::Stake, LimitPeriod::Day, (1_000, 1));
    assert_refused(stake(&test.house, player, 401).await, &refusal);
    let before = balance(test, player).await;
    let played = stake_with_key(&test.house, player, (400, "last"))
        .await
        .unwrap();
    assert_refused(stake(&test.house, player, 1).await, &refusal);
    // A repeated call is answered, by any server.
    for house in [&test.house, &test.another_house()] {
        let again = stake_with_key(house, player, (400, "last")).await.unwrap();
        assert_eq!(again.round.id, played.round.id);
    }
    let moved = played.round.payout.cents() - 400;
    assert_eq!(balance(test, player).await, before + moved);
    assert_eq!(used(test, player).await, 1_000);
    // The next day begins at midnight, to the microsecond.
    test.clock.set(Timestamp::from_micros(
        Timestamp::start_of_day(19_676).as_micros() - 1,
    ));
    assert_refused(stake(&test.house, player, 1).await, &refusal);
    test.clock.set(Timestamp::start_of_day(19_676));
    assert_eq!(used(test, player).await, 0);
    stake(&test.house, player, 1_000).await.unwrap();
    let refusal = reached(LimitKind::Stake, LimitPeriod::Day, (1_000, 2));
    assert_refused(stake(&test.house, player, 1).await, &refusal);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_2_5_5_each_period_has_its_own_limit(#[case] test: &Fixture) {
    let player = test.player("planner", 100_000).await;
    limit(test, daily_stake(player), 500).await;
    limit(test, of(player, LimitKind::Stake, LimitPeriod::Week), 800).await;
    limit(
        test,
        of(player, LimitKind::Stake, LimitPeriod::Month),
        1_000,
    )
    .await;
    let refused = async |period, limit, days| {
        let refusal = reached(LimitKind::Stake, period, (limit, days));
        assert_refused(stake(&test.house, player, 400).await, &refusal);
    };
    stake(&test.house, player, 400).await.unwrap();
    refused(LimitPeriod::Day, 500, 1).await;
    test.clock.advance(DAY);
    stake(&test.house, player, 400).await.unwrap();
    test.clock.advance(DAY);
    // The next Monday is 20 November, the first of the next month 17 days after the first day.
    refused(LimitPeriod::Week, 800, 6).await;
    test.clock.advance(4 * DAY);
    refused(LimitPeriod::Month, 1_000, 17).await;
    stake(&test.house, player, 200).await.unwrap();
    test.clock.advance(11 * DAY);
    stake(&test.house, player, 400).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_2_5_5_the_net_loss_of_the_period_is_bounded(#[case] test: &Fixture) {
    const LIMIT: i64 = 2_000;
    let player = test.player("loser", 100_000).await;
    let mut lost = 0;
    for _ in 0..3 {
        let round = stake(&test.house, player, 100).await.unwrap().round;
        lost += 100 - round.payout.cents();
    }
    limit(test, of(player, LimitKind::Loss, LimitPeriod::Day), LIMIT).await;
    let refusal = reached(LimitKind::Loss, LimitPeriod::Day, (LIMIT, 1));
    // Whatever the dice say, a stake is admitted exactly if it fits.
    for cents in (0..40).map(|number| 300 + 70 * number % 900) {
        assert_eq!(used(test, player).await, lost);
        let outcome = stake(&test.house, player, cents).await;
        if lost + cents > LIMIT {
            assert_refused(outcome, &refusal);
        } else {
            lost += cents - outcome.unwrap().round.payout.cents();
        }
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_2_5_5_a_payout_counts_when_it_is_paid(#[case] test: &Fixture) {
    let player = test.player("winner", 100_000).await;
    let terms = crash_bet(1_000, None);
    prepare(test, player, terms, crashes_in(5_000..10_000)).await;
    let daily = of(player, LimitKind::Loss, LimitPeriod::Day);
    let before = limit(test, daily, 1_000_000).await.limits[0].used;
    limit(test, daily, before + 1_000).await;
    start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    let refusal = reached(LimitKind::Loss, LimitPeriod::Day, (before + 1_000, 1));
    assert_refused(stake(&test.house, player, 1).await, &refusal);
    test.clock.advance(std::time::Duration::from_secs(2));
    let sold = cash_out(&test.house, player, times(110), CashOutCall::default()).await;
    let paid = sold.unwrap().round.payout.cents();
    assert!(paid > 1_000);
    assert_eq!(used(test, player).await, before + 1_000 - paid);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_2_5_5_a_round_is_admitted_only_if_its_largest_stake_fits(#[case] test: &Fixture) {
    let player = test.player("raiser", 1_000_000).await;
    // A hand of $25 can cost $75 in all.
    limit(test, daily_stake(player), 7_499).await;
    let bet = heads_up_bet(25);
    let refusal = reached(LimitKind::Stake, LimitPeriod::Day, (7_499, 1));
    assert_refused(
        deal_heads_up(&test.house, player, bet, None).await,
        &refusal,
    );
    assert_refused(
        play(&test.house, player, Action::Raise, (None, None)).await,
        &refusal,
    );
    set_limit(&test.house, daily_stake(player), Some(7_499))
        .await
        .unwrap();
    let other = test.player("raiser-2", 1_000_000).await;
    limit(test, daily_stake(other), 7_500).await;
    deal_heads_up(&test.house, other, bet, None).await.unwrap();
    let refusal = reached(LimitKind::Stake, LimitPeriod::Day, (7_500, 1));
    assert_refused(stake(&test.house, other, 1).await, &refusal);
    // A limit that is set during the round reserves as much.
    limit(test, of(other, LimitKind::Loss, LimitPeriod::Week), 7_500).await;
    test.assert_clean().await;
    // Lowered below what is staked already: the round can still be raised.
    limit(test, daily_stake(other), 0).await;
    let raised = play(&test.house, other, Action::Raise, (None, None))
        .await
        .unwrap();
    assert_eq!(raised.round.stake.cents(), 7_500);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_rest_of_a_hand_that_ends_without_a_raise_can_be_staked(#[case] test: &Fixture) {
    let player = test.player("folder", 1_000_000).await;
    limit(test, daily_stake(player), 7_500).await;
    deal_heads_up(&test.house, player, heads_up_bet(25), None)
        .await
        .unwrap();
    play(&test.house, player, Action::Fold, (None, None))
        .await
        .unwrap();
    stake(&test.house, player, 5_000).await.unwrap();
    let refusal = reached(LimitKind::Stake, LimitPeriod::Day, (7_500, 1));
    assert_refused(stake(&test.house, player, 1).await, &refusal);
    test.assert_clean().await;
}

/// The refusal of a deposit on the first or a later day of a fixture with a cashier.
fn deposit_refusal(test: &Fixture, limit: i64) -> Refusal {
    let today = test.clock.now().day();
    Refusal::Limits(LimitRefusal::LimitReached(LimitReached {
        kind: LimitKind::Deposit,
        period: LimitPeriod::Day,
        limit,
        resets_at: Timestamp::start_of_day(today + 1),
    }))
}

#[apply(both_databases)]
async fn gli_19_2_5_5_deposits_and_open_invoices_fit_into_the_limit(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let daily = of(fixture.player, LimitKind::Deposit, LimitPeriod::Day);
    // The fixture begins at the time of the system, and the deposits must be on one day.
    let now = test.clock.now();
    let morning = Timestamp::start_of_day(now.day() + 1).saturating_add(DAY / 4);
    fixture.pass_time(morning.saturating_since(now));
    let (_, first) = fixture.deposit().await;
    limit(test, daily, 15_000).await;
    let refused = async |cents| {
        let outcome = fixture.deposit_of(cents, Currency::Btc).await;
        assert_refused(outcome, &deposit_refusal(test, 15_000));
    };
    // The open invoice counts, and so does what was paid for it.
    refused(5_001).await;
    fixture.pay_in_full(&first).await;
    assert_eq!(used(test, fixture.player).await, fixture.balance().await);
    refused(5_001).await;
    let second = fixture.deposit_of(5_000, Currency::Btc).await.unwrap();
    refused(1_000).await;
    // Money that arrives is credited, whatever the limit says.
    limit(test, daily, 0).await;
    let invoice = InvoiceId::parse(second.invoice_id.as_deref().unwrap()).unwrap();
    fixture.pay_in_full(&invoice).await;
    assert!(fixture.balance().await > 14_000);
    assert_eq!(used(test, fixture.player).await, fixture.balance().await);
    let limits = read_limits(&test.house, fixture.player).await.unwrap();
    assert_eq!(limits.limits[0].limit.value, 0);
    test.assert_clean().await;
}
