//! Timed rounds end on time: without a connected player, after a restart, on another server, and
//! after the system clock was changed.

use std::sync::Arc;
use std::time::Duration;

use futures_channel::mpsc::Receiver;
use glasshouse_casino::play::timed::{end_rounds, listen_to_rounds, open_rounds};
use glasshouse_casino::play::{AnyRound, read_round};
use glasshouse_casino::{Clock, House, SystemClock};
use glasshouse_domain::{RoundId, UserId};
use glasshouse_games::{crash, stonks};
use glasshouse_persistence::rounds::Round;
use rstest_reuse::apply;
use tokio::task::JoinHandle;

use crate::support::games::{
    CashOutCall, CrashRound, StonksRound, cash_out, points, start_crash_round, start_stonks_round,
};
use crate::support::predetermined_rounds::{
    balance, crash_bet, crashes_in, prepare, stonks_bet, times,
};
use crate::support::{Backend, Fixture, both_databases};

/// A server's background task that ends due rounds; aborted when dropped.
struct RoundEnder(JoinHandle<()>);

impl RoundEnder {
    fn start(house: &House) -> Self {
        Self(tokio::spawn(end_rounds(house.clone())))
    }
}

impl Drop for RoundEnder {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Waits for the next event of a settled round.
async fn next_end(events: &mut Receiver<Arc<AnyRound>>) -> Round {
    let wait = async {
        loop {
            let event = events.recv().await.expect("the event stream ended");
            if !event.round().is_open() {
                return event.round().clone();
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(100), wait)
        .await
        .expect("no round ended in time")
}

/// Waits until a round is settled, without subscribing to events.
async fn settled(house: &House, player: UserId, id: RoundId) -> Round {
    for _ in 0..20_000 {
        if let Ok(found) = read_round(house, player, id).await {
            return found.round.round().clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("round {id} was not settled");
}

#[apply(both_databases)]
async fn an_automatic_cash_out_pays_without_a_connected_player(#[case] test: &Fixture) {
    let _round_ender = RoundEnder::start(&test.house);
    let player = test.player("sleeper", 100_000).await;
    let terms = crash_bet(1_000, Some(150));
    let planned = prepare::<crash::Round>(test, player, terms, crashes_in(150..10_000)).await;
    let before = balance(test, player).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    let a_millisecond = Duration::from_millis(1);
    test.clock.advance(
        planned
            .ending()
            .after
            .unwrap()
            .saturating_sub(a_millisecond),
    );
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(
        read_round(&test.house, player, started.round.id)
            .await
            .is_err(),
        "the round ended early"
    );
    test.clock.advance(a_millisecond);
    let round = settled(&test.house, player, started.round.id).await;
    assert_eq!(
        (round.multiplier, round.payout.cents()),
        (Some(times(150)), 1_500)
    );
    assert_eq!(round.ended_at, started.round.due_at);
    assert_eq!(balance(test, player).await, before + 500);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn crashes_last_points_and_auto_sells_are_published_on_time(#[case] test: &Fixture) {
    let _round_ender = RoundEnder::start(&test.house);
    let player = test.player("watcher", 100_000).await;
    let mut events = listen_to_rounds(&test.house, player);

    let terms = crash_bet(1_000, Some(5_000));
    let planned = prepare::<crash::Round>(test, player, terms, crashes_in(101..200)).await;
    start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(planned.ending().after.unwrap());
    let round = next_end(&mut events).await;
    assert_eq!((round.is_win(), round.payout.cents()), (false, 0));

    let terms = stonks_bet(1_000, Some(1_050));
    let planned = prepare::<stonks::Round>(test, player, terms, |planned| {
        planned.ending().multiplier.is_some()
    })
    .await;
    start_stonks_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(planned.ending().after.unwrap());
    let round = next_end(&mut events).await;
    assert_eq!(
        (round.multiplier, round.payout),
        (
            planned.ending().multiplier,
            planned.ending().payout.rounded_down()
        )
    );
    assert!(round.payout.cents() >= 1_050);

    let terms = stonks_bet(1_000, None);
    let planned = prepare::<stonks::Round>(test, player, terms, |planned| {
        planned.ending().multiplier.is_none()
    })
    .await;
    start_stonks_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(planned.ending().after.unwrap());
    let round = next_end(&mut events).await;
    assert_eq!((round.multiplier, round.is_win()), (None, false));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_round_ends_after_its_server_was_killed(#[case] test: &Fixture) {
    let player = test.player("survivor", 100_000).await;
    let terms = crash_bet(1_000, Some(200));
    prepare::<crash::Round>(test, player, terms, crashes_in(200..10_000)).await;
    let before = balance(test, player).await;
    // The server that starts the round runs no background task, as if killed right afterwards.
    let started = start_crash_round(&test.another_house(), player, terms, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_mins(10));
    let _round_ender = RoundEnder::start(&test.house);
    let round = settled(&test.house, player, started.round.id).await;
    assert_eq!(round.payout.cents(), 2_000);
    assert_eq!(
        round.ended_at, started.round.due_at,
        "the end time is when the round was due, not when it was settled"
    );
    assert_eq!(balance(test, player).await, before + 1_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_running_server_ends_the_rounds_of_a_killed_one(#[case] test: &Fixture) {
    let _round_ender = RoundEnder::start(&test.house);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let player = test.player("orphan", 100_000).await;
    let terms = stonks_bet(1_000, None);
    let planned = prepare::<stonks::Round>(test, player, terms, |_| true).await;
    let started = start_stonks_round(&test.another_house(), player, terms, None)
        .await
        .unwrap();
    test.clock
        .advance(planned.ending().after.unwrap() + Duration::from_secs(5));
    let round = settled(&test.house, player, started.round.id).await;
    assert_eq!(
        (round.multiplier, round.payout),
        (
            planned.ending().multiplier,
            planned.ending().payout.rounded_down()
        )
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn two_servers_end_a_round_once_and_both_publish_it(#[case] test: &Fixture) {
    let other = test.another_house();
    let (_one, _two) = (RoundEnder::start(&test.house), RoundEnder::start(&other));
    let player = test.player("shared", 1_000_000).await;
    let (mut here, mut there) = (
        listen_to_rounds(&test.house, player),
        listen_to_rounds(&other, player),
    );
    for _ in 0..5 {
        let terms = crash_bet(1_000, Some(120));
        let planned = prepare::<crash::Round>(test, player, terms, crashes_in(120..10_000)).await;
        let before = balance(test, player).await;
        let started = start_crash_round(&test.house, player, terms, None)
            .await
            .unwrap();
        // Reading the open rounds on the other server makes it wait for the end as well.
        assert_eq!(open_rounds(&other, player).await.unwrap().len(), 1);
        test.clock.advance(planned.ending().after.unwrap());
        // Published at least once on each: a server may also receive an end that it settled itself.
        for events in [&mut here, &mut there] {
            while next_end(events).await.id != started.round.id {}
        }
        assert_eq!(balance(test, player).await, before + 200);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_start_settles_the_previous_round_if_it_is_due(#[case] test: &Fixture) {
    let player = test.player("returner", 100_000).await;
    let terms = crash_bet(1_000, Some(110));
    prepare::<crash::Round>(test, player, terms, crashes_in(110..10_000)).await;
    let before = balance(test, player).await;
    let first = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_mins(10));
    let second = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    assert_ne!(first.round.id, second.round.id);
    let ended = read_round(&test.house, player, first.round.id)
        .await
        .unwrap()
        .round;
    assert_eq!(ended.round().payout.cents(), 1_100);
    assert_eq!(balance(test, player).await, before + 100 - 1_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn reading_open_rounds_resumes_them_and_settles_due_ones(#[case] test: &Fixture) {
    let player = test.player("reloader", 100_000).await;
    let terms = stonks_bet(1_000, None);
    let planned =
        prepare::<stonks::Round>(test, player, terms, |planned| planned.points().len() > 6).await;
    start_stonks_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_millis(2_400));
    let open = open_rounds(&test.another_house(), player).await.unwrap();
    let [open] = open.as_slice() else {
        panic!("{open:?}")
    };
    let view: StonksRound = open.as_round_of().unwrap();
    assert_eq!(
        points(&view, test.house.published_until()),
        &planned.points()[..5]
    );
    // The next point is published at its time; the last one comes with the round's end.
    match view.view.next_point(4) {
        Some((after, point)) => {
            assert!(view.round.started_at.saturating_add(after) > test.house.now());
            assert_eq!(point, planned.points()[5]);
        }
        None => assert_eq!(planned.ending().after, Some(Duration::from_millis(2_500))),
    }
    test.clock.advance(Duration::from_mins(10));
    assert!(open_rounds(&test.house, player).await.unwrap().is_empty());
    assert!(read_round(&test.house, player, view.round.id).await.is_ok());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn one_timer_ends_thousands_of_rounds(#[case] test: &Fixture) {
    let _round_ender = RoundEnder::start(&test.house);
    let mut players = Vec::new();
    for number in 0..40 {
        players.push(test.player(&format!("crowd-{number}"), 100_000).await);
    }
    let mut started = Vec::new();
    for player in &players {
        let crash = start_crash_round(&test.house, *player, crash_bet(100, Some(200)), None)
            .await
            .unwrap();
        let stonks = start_stonks_round(&test.house, *player, stonks_bet(100, Some(200)), None)
            .await
            .unwrap();
        started.push((*player, crash.round.id));
        started.push((*player, stonks.round.id));
    }
    test.clock.advance(Duration::from_mins(3));
    for (player, id) in started {
        settled(&test.house, player, id).await;
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_house_clock_never_goes_back(#[case] test: &Fixture) {
    // The house has published rounds up to this moment, in 2027 by the test's clock.
    let _round_ender = RoundEnder::start(&test.house);
    let player = test.player("prophet", 100_000).await;
    let terms = crash_bet(1_000, None);
    prepare::<crash::Round>(test, player, terms, crashes_in(200..10_000)).await;
    start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    let seen = test.house.now();
    // The clock lease is stored within one second of the house's time.
    test.clock.advance(Duration::from_millis(1_001));
    let reopened = async {
        loop {
            let house = House::open(test.database.clone()).await.unwrap();
            if house.now() > seen {
                return house;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let house = tokio::time::timeout(Duration::from_secs(100), reopened)
        .await
        .expect("the clock lease was not stored");
    // The system clock is years behind.
    assert!(house.now() > seen);
}

/// Only PostgreSQL supports several servers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rounds_are_published_at_once_on_other_servers() {
    let test = &crate::support::Fixture::on(Backend::Postgres);
    let other = test.another_house();
    let (_one, _two) = (RoundEnder::start(&test.house), RoundEnder::start(&other));
    let player = test.player("roamer", 100_000).await;
    let mut there = listen_to_rounds(&other, player);
    // The listener's connection may not be open yet, so the first rounds may not be published.
    for attempt in 0.. {
        let terms = crash_bet(1_000, None);
        prepare::<crash::Round>(test, player, terms, crashes_in(200..10_000)).await;
        let started = start_crash_round(&test.house, player, terms, None)
            .await
            .unwrap();
        let opened = tokio::time::timeout(Duration::from_millis(500), there.recv()).await;
        cash_out(&test.house, player, times(100), CashOutCall::default())
            .await
            .unwrap();
        let Ok(Ok(event)) = opened else {
            assert!(attempt < 20, "the other server received no event");
            continue;
        };
        let view: CrashRound = event.as_round_of().unwrap();
        if view.round.id != started.round.id {
            continue;
        }
        assert!(view.round.is_open() && view.view.crash_point.is_none());
        let ended = next_end(&mut there).await;
        assert_eq!((ended.id, ended.payout.cents()), (started.round.id, 1_000));
        assert_eq!(ended.balance_after.cents(), balance(test, player).await);
        break;
    }
    test.assert_clean().await;
}

#[tokio::test]
async fn the_system_clock_continues_from_the_time_it_was_set_to() {
    let start = glasshouse_domain::Timestamp::from_micros(1_000_000);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::at(start));
    let first = clock.now();
    clock
        .wait_until(first.saturating_add(Duration::from_millis(20)))
        .await;
    let second = clock.now();
    assert!(first >= start && second >= first.saturating_add(Duration::from_millis(20)));
    assert!(second < start.saturating_add(Duration::from_secs(10)));
}
