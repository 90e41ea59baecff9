//! GLI-19 2.5.5: session time is counted once, limits it, and is shown with the session's
//! result.

use std::time::Duration;

use glasshouse_casino::accounts::{SessionKeyHash, end_session, open_session, record_activity};
use glasshouse_casino::limits::{SessionSummary, read_session_summary, set_reality_check};
use glasshouse_casino::{Clock as _, House, LimitRefusal, Refusal, RequestOrigin};
use glasshouse_domain::{LimitKind, LimitPeriod, Timestamp, UserId};
use rstest_reuse::apply;

use crate::support::limits::{limit, of, reached, stake, used};
use crate::support::{Fixture, assert_refused, both_databases};

const MINUTE: Duration = Duration::from_mins(1);

async fn session(test: &Fixture, player: UserId) -> SessionKeyHash {
    let key = open_session(&test.house, player, RequestOrigin::default()).await;
    SessionKeyHash::of(&key.unwrap())
}

async fn be_active(house: &House, player: UserId, key: &SessionKeyHash) {
    assert!(record_activity(house, player, key.clone()).await.unwrap());
}

async fn summary(test: &Fixture, player: UserId, key: &SessionKeyHash) -> SessionSummary {
    let summary = read_session_summary(&test.house, player, key.clone()).await;
    summary.unwrap().unwrap()
}

#[apply(both_databases)]
async fn gli_19_2_5_5_no_round_starts_once_the_time_is_used(#[case] test: &Fixture) {
    let player = test.player("timed", 100_000).await;
    let key = session(test, player).await;
    test.clock.advance(4 * MINUTE);
    be_active(&test.house, player, &key).await;
    // What was played before the limit was set counts.
    let daily = of(player, LimitKind::SessionTime, LimitPeriod::Day);
    limit(test, daily, 10).await;
    assert_eq!(used(test, player).await, 4);
    stake(&test.house, player, 100).await.unwrap();
    test.clock.advance(5 * MINUTE + MINUTE / 2);
    be_active(&test.house, player, &key).await;
    assert_eq!(used(test, player).await, 9);
    stake(&test.house, player, 100).await.unwrap();
    test.clock.advance(MINUTE / 2);
    be_active(&test.house, player, &key).await;
    let refusal = reached(LimitKind::SessionTime, LimitPeriod::Day, (10, 1));
    assert_refused(stake(&test.house, player, 100).await, &refusal);
    test.clock.set(Timestamp::start_of_day(19_676));
    stake(&test.house, player, 100).await.unwrap();
    test.assert_clean().await;
}

/// Activity is stored once a minute; sessions that are shorter must count all the same.
#[apply(both_databases)]
async fn signing_in_again_does_not_lose_the_time(#[case] test: &Fixture) {
    let player = test.player("brief", 100_000).await;
    let daily = of(player, LimitKind::SessionTime, LimitPeriod::Day);
    limit(test, daily, 10).await;
    for number in 0..12 {
        let key = session(test, player).await;
        assert_eq!(used(test, player).await, number * 50 / 60);
        stake(&test.house, player, 100).await.unwrap();
        test.clock.advance(Duration::from_secs(50));
        // Every second session is not ended: the next one begins beside it.
        if number % 2 == 0 {
            end_session(&test.house, player, key, None).await.unwrap();
        }
    }
    session(test, player).await;
    assert_eq!(used(test, player).await, 10);
    let refusal = reached(LimitKind::SessionTime, LimitPeriod::Day, (10, 1));
    assert_refused(stake(&test.house, player, 100).await, &refusal);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn sessions_in_parallel_count_each_minute_once(#[case] test: &Fixture) {
    let player = test.player("twofold", 0).await;
    let keys = [session(test, player).await, session(test, player).await];
    let houses = [test.house.clone(), test.another_house()];
    for _ in 0..10 {
        test.clock.advance(MINUTE);
        let both = [0, 1].map(|number| {
            let (house, key) = (houses[number].clone(), keys[number].clone());
            tokio::spawn(async move { be_active(&house, player, &key).await })
        });
        for one in both {
            one.await.unwrap();
        }
    }
    let days = test.texts("SELECT CAST(active_micros AS TEXT) AS value FROM daily_play_time");
    assert_eq!(days, ["600000000"]);
    for key in &keys {
        let usage = summary(test, player, key).await.usage;
        assert_eq!(usage.active, 10 * MINUTE);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn idle_time_is_not_counted_and_midnight_divides(#[case] test: &Fixture) {
    let player = test.player("pausing", 0).await;
    let key = session(test, player).await;
    test.clock
        .set(Timestamp::start_of_day(19_676).saturating_sub(3 * MINUTE));
    // Nobody was active for longer than a session lives.
    be_active(&test.house, player, &key).await;
    test.clock.advance(5 * MINUTE);
    be_active(&test.house, player, &key).await;
    let days = test.texts(
        "SELECT CAST(day AS TEXT) || ': ' || CAST(active_micros / 60000000 AS TEXT) AS value
         FROM daily_play_time ORDER BY day",
    );
    assert_eq!(days, ["19675: 3", "19676: 2"]);
    end_session(&test.house, player, key.clone(), None)
        .await
        .unwrap();
    test.clock.advance(MINUTE);
    let outcome = record_activity(&test.house, player, key.clone()).await;
    assert!(!outcome.unwrap(), "an ended session is not revived");
    let ended = read_session_summary(&test.house, player, key)
        .await
        .unwrap();
    assert_eq!(ended, None);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_summary_counts_from_signing_in(#[case] test: &Fixture) {
    let player = test.player("realist", 100_000).await;
    stake(&test.house, player, 5_000).await.unwrap();
    let key = session(test, player).await;
    let since = test.clock.now();
    let start = summary(test, player, &key).await.usage;
    assert_eq!((start.since, start.active), (since, Duration::ZERO));
    assert_eq!((start.staked.cents(), start.paid.cents()), (0, 0));
    let mut paid = 0;
    for cents in [100, 200, 300] {
        // Over midnight as well.
        test.clock.advance(59 * MINUTE);
        paid += stake(&test.house, player, cents)
            .await
            .unwrap()
            .round
            .payout
            .cents();
    }
    let later = summary(test, player, &key).await.usage;
    assert_eq!((later.staked.cents(), later.paid.cents()), (600, paid));
    let other = session(test, player).await;
    let usage = summary(test, player, &other).await.usage;
    assert_eq!((usage.staked.cents(), usage.paid.cents()), (0, 0));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_interval_is_one_of_those_offered(#[case] test: &Fixture) {
    let player = test.player("reminded", 0).await;
    let key = session(test, player).await;
    assert_eq!(
        summary(test, player, &key).await.reality_check_minutes,
        None
    );
    for minutes in [Some(15), Some(60), None, Some(120)] {
        set_reality_check(&test.house, player, minutes)
            .await
            .unwrap();
        assert_eq!(
            summary(test, player, &key).await.reality_check_minutes,
            minutes
        );
    }
    for minutes in [-15, 0, 1, 14, 61, 1_440, i64::MAX] {
        let outcome = set_reality_check(&test.house, player, Some(minutes)).await;
        assert_refused(
            outcome,
            &Refusal::Limits(LimitRefusal::RealityCheckInterval),
        );
    }
}
