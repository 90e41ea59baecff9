//! GLI-19 2.5.5 and A.3.7: a tighter limit is in force at once, a looser one only after a day and a
//! second confirmation.

use std::time::Duration;

use glasshouse_casino::limits::{
    Limits, confirm_limit_change, read_limit_changes, read_limits, set_limit, withdraw_limit_change,
};
use glasshouse_casino::{ChangeAction, Clock as _, LimitRefusal, Refusal};
use glasshouse_domain::{LimitKind, LimitPeriod, PendingChange, Timestamp, UserId};
use rstest_reuse::apply;

use crate::support::limits::{DAY, daily_stake, limit, of, raise, reached, stake};
use crate::support::{Fixture, assert_refused, both_databases};

const MOMENT: Duration = Duration::from_micros(1);

/// The value and the pending change of the only limit.
fn only(limits: &Limits) -> (i64, Option<PendingChange>) {
    assert_eq!(limits.limits.len(), 1);
    let limit = limits.limits[0].limit;
    (limit.value, limit.pending)
}

async fn is_refused(test: &Fixture, player: UserId, cents: i64) -> bool {
    match stake(&test.house, player, cents).await {
        Ok(_) => false,
        Err(error) => {
            assert!(error.to_string().contains("stake limit"), "{error}");
            true
        }
    }
}

#[apply(both_databases)]
async fn gli_19_2_5_5_lowering_is_in_force_at_once(#[case] test: &Fixture) {
    let player = test.player("sober", 100_000).await;
    limit(test, daily_stake(player), 1_000).await;
    stake(&test.house, player, 500).await.unwrap();
    // A pending raise is dropped.
    set_limit(&test.house, daily_stake(player), Some(9_000))
        .await
        .unwrap();
    let lowered = limit(test, daily_stake(player), 500).await;
    assert_eq!(only(&lowered), (500, None));
    assert!(is_refused(test, player, 1).await);
    let outcome = confirm_limit_change(&test.house, daily_stake(player)).await;
    assert_refused(outcome, &Refusal::Limits(LimitRefusal::NoPendingChange));
    test.clock.advance(2 * DAY);
    let outcome = confirm_limit_change(&test.house, daily_stake(player)).await;
    assert_refused(outcome, &Refusal::Limits(LimitRefusal::NoPendingChange));
    assert!(is_refused(test, player, 501).await);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_2_5_5_raising_takes_a_day_and_a_confirmation(#[case] test: &Fixture) {
    let player = test.player("eager", 100_000).await;
    limit(test, daily_stake(player), 1_000).await;
    let requested_at = test.clock.now();
    let requested = set_limit(&test.house, daily_stake(player), Some(2_000))
        .await
        .unwrap();
    let pending = PendingChange {
        value: Some(2_000),
        requested_at,
    };
    assert_eq!(only(&requested), (1_000, Some(pending)));
    // Asking again does not restart the wait, and confirming early changes nothing.
    test.clock.advance(DAY.checked_sub(MOMENT).unwrap());
    let again = set_limit(&test.house, daily_stake(player), Some(2_000))
        .await
        .unwrap();
    assert_eq!(only(&again), (1_000, Some(pending)));
    let early = confirm_limit_change(&test.house, daily_stake(player)).await;
    let confirmable = requested_at.saturating_add(DAY);
    assert_refused(
        early,
        &Refusal::Limits(LimitRefusal::NotYetConfirmable(confirmable)),
    );
    test.clock.advance(MOMENT);
    assert!(is_refused(test, player, 1_001).await, "not confirmed");
    let confirmed = confirm_limit_change(&test.house, daily_stake(player))
        .await
        .unwrap();
    assert_eq!(only(&confirmed), (2_000, None));
    assert!(!is_refused(test, player, 2_000).await);
    assert!(is_refused(test, player, 1).await);
    let again = confirm_limit_change(&test.house, daily_stake(player)).await;
    assert_refused(again, &Refusal::Limits(LimitRefusal::NoPendingChange));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_2_5_5_removing_takes_a_day_and_a_confirmation(#[case] test: &Fixture) {
    let player = test.player("free", 100_000).await;
    let nothing = set_limit(&test.house, daily_stake(player), None).await;
    assert_refused(nothing, &Refusal::Limits(LimitRefusal::NoLimit));
    limit(test, daily_stake(player), 1_000).await;
    set_limit(&test.house, daily_stake(player), None)
        .await
        .unwrap();
    assert!(is_refused(test, player, 1_001).await);
    test.clock.advance(DAY);
    assert!(is_refused(test, player, 1_001).await);
    let removed = confirm_limit_change(&test.house, daily_stake(player))
        .await
        .unwrap();
    assert!(removed.limits.is_empty());
    assert!(!is_refused(test, player, 1_001).await);
    let rules = test.texts("SELECT play_rules AS value FROM accounts WHERE play_rules IS NOT NULL");
    assert!(rules.is_empty(), "{rules:?}");
    // A new limit counts what was staked while there was none.
    let limits = limit(test, daily_stake(player), 2_000).await;
    assert_eq!(limits.limits[0].used, 1_001);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_request_lapses_and_can_be_withdrawn(#[case] test: &Fixture) {
    let player = test.player("hesitant", 100_000).await;
    limit(test, daily_stake(player), 1_000).await;
    let nothing = withdraw_limit_change(&test.house, daily_stake(player)).await;
    assert_refused(nothing, &Refusal::Limits(LimitRefusal::NoPendingChange));
    set_limit(&test.house, daily_stake(player), Some(2_000))
        .await
        .unwrap();
    let withdrawn = withdraw_limit_change(&test.house, daily_stake(player))
        .await
        .unwrap();
    assert_eq!(only(&withdrawn), (1_000, None));
    set_limit(&test.house, daily_stake(player), Some(2_000))
        .await
        .unwrap();
    test.clock.advance((8 * DAY).checked_sub(MOMENT).unwrap());
    let read = read_limits(&test.house, player).await.unwrap();
    assert!(only(&read).1.is_some());
    test.clock.advance(MOMENT);
    let read = read_limits(&test.house, player).await.unwrap();
    assert_eq!(only(&read), (1_000, None));
    for outcome in [
        confirm_limit_change(&test.house, daily_stake(player)).await,
        withdraw_limit_change(&test.house, daily_stake(player)).await,
    ] {
        assert_refused(outcome, &Refusal::Limits(LimitRefusal::NoPendingChange));
    }
    // The same request waits for a whole day again.
    set_limit(&test.house, daily_stake(player), Some(2_000))
        .await
        .unwrap();
    let early = confirm_limit_change(&test.house, daily_stake(player)).await;
    let confirmable = test.clock.now().saturating_add(DAY);
    assert_refused(
        early,
        &Refusal::Limits(LimitRefusal::NotYetConfirmable(confirmable)),
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_a_3_7_every_change_is_kept_as_history(#[case] test: &Fixture) {
    let player = test.player("recorded", 100_000).await;
    let (daily, weekly) = (
        daily_stake(player),
        of(player, LimitKind::Loss, LimitPeriod::Week),
    );
    limit(test, daily, 1_000).await;
    limit(test, weekly, 5_000).await;
    limit(test, daily, 900).await;
    raise(test, daily, Some(2_000)).await;
    set_limit(&test.house, daily, None).await.unwrap();
    withdraw_limit_change(&test.house, daily).await.unwrap();
    // What changes nothing is not recorded.
    limit(test, weekly, 5_000).await;
    let page = read_limit_changes(&test.house, player, None, 3)
        .await
        .unwrap();
    let next = page.next.unwrap();
    let rest = read_limit_changes(&test.house, player, Some(next), 100)
        .await
        .unwrap();
    assert_eq!(rest.next, None);
    let changes: Vec<_> = page
        .entries
        .iter()
        .chain(&rest.entries)
        .map(|(_, change)| {
            (
                change.kind,
                change.action,
                change.old_value,
                change.new_value,
            )
        })
        .collect();
    let (stake, loss) = (LimitKind::Stake, LimitKind::Loss);
    let expected = [
        (stake, ChangeAction::Withdrawn, Some(2_000), Some(2_000)),
        (stake, ChangeAction::Requested, Some(2_000), None),
        (stake, ChangeAction::Confirmed, Some(900), Some(2_000)),
        (stake, ChangeAction::Requested, Some(900), Some(2_000)),
        (stake, ChangeAction::Set, Some(1_000), Some(900)),
        (loss, ChangeAction::Set, None, Some(5_000)),
        (stake, ChangeAction::Set, None, Some(1_000)),
    ];
    assert_eq!(changes, expected);
    let other = test.player("somebody", 0).await;
    let others = read_limit_changes(&test.house, other, None, 100)
        .await
        .unwrap();
    assert!(others.entries.is_empty());
    for change in [
        "UPDATE limit_changes SET new_value = 9",
        "DELETE FROM limit_changes",
    ] {
        let refused = test.sql(change).unwrap_err();
        assert!(refused.contains("append-only"), "{refused}");
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_limit_that_is_set_at_midnight_counts_the_new_period(#[case] test: &Fixture) {
    let player = test.player("midnight", 100_000).await;
    stake(&test.house, player, 300).await.unwrap();
    test.clock.set(Timestamp::start_of_day(19_676));
    let limits = limit(test, daily_stake(player), 500).await;
    assert_eq!(limits.limits[0].used, 0);
    let limits = limit(test, of(player, LimitKind::Stake, LimitPeriod::Week), 600).await;
    assert_eq!(limits.limits[1].used, 300);
    stake(&test.house, player, 300).await.unwrap();
    let refusal = reached(LimitKind::Stake, LimitPeriod::Day, (500, 2));
    assert_refused(stake(&test.house, player, 300).await, &refusal);
    test.assert_clean().await;
}
