//! `glasshouse check` detects changes of limits, exclusions and counters by somebody who can write to
//! the database past its triggers.

use glasshouse_casino::limits::{exclude, set_limit};
use glasshouse_domain::{ExclusionDuration, LimitKind, LimitPeriod};
use rstest::rstest;

use crate::support::games::deal_heads_up;
use crate::support::limits::{daily_stake, limit, of, stake};
use crate::support::poker::heads_up_bet;
use crate::support::tampering::{assert_rows, disable_triggers};
use crate::support::{Backend, Fixture};

const HISTORY: &str =
    "every limit, and every pending change of one, is the last one of its history";

/// A player with $31 staked of a limit of $100, of which a hand in play can take $50 more; a limit on
/// session time; a pending raise; and an exclusion.
async fn play_with_limits(test: &Fixture) {
    let player = test.player("limited", 100_000).await;
    stake(&test.house, player, 600).await.unwrap();
    limit(test, daily_stake(player), 10_000).await;
    set_limit(&test.house, daily_stake(player), Some(20_000))
        .await
        .unwrap();
    let time = of(player, LimitKind::SessionTime, LimitPeriod::Week);
    limit(test, time, 60).await;
    deal_heads_up(&test.house, player, heads_up_bet(25), None)
        .await
        .unwrap();
    exclude(&test.house, player, ExclusionDuration::Year)
        .await
        .unwrap();
    test.assert_clean().await;
}

async fn tamper(test: &Fixture, tampering: &str) {
    play_with_limits(test).await;
    let triggers = disable_triggers(test);
    test.sql(tampering).unwrap();
    test.sql(&triggers).unwrap();
}

#[rstest]
#[case::a_removed_copy(
    "UPDATE accounts SET play_rules = NULL",
    &["1: the exclusion", "1: the stake limit per day", "1: the session_time limit per week"],
)]
#[case::an_unreadable_copy("UPDATE accounts SET play_rules = '{'", &["play rules of account 1"])]
#[case::a_higher_limit_in_the_copy(
    "UPDATE accounts SET play_rules = REPLACE(play_rules, '[10000,', '[99999,')",
    &["1: the stake limit per day"],
)]
#[case::a_lower_counter(
    "UPDATE accounts SET play_rules = REPLACE(play_rules, ',3100,', ',100,')",
    &["1: the stake limit per day"],
)]
#[case::a_counter_of_another_day(
    "UPDATE accounts SET play_rules = REPLACE(play_rules, '3100,19675]', '0,19674]')",
    &["1: the stake limit per day"],
)]
#[case::nothing_reserved(
    "UPDATE accounts SET play_rules = REPLACE(play_rules, '\"reserved\":5000', '\"reserved\":0')",
    &["1: the stakes that moves can add"],
)]
#[case::a_shorter_exclusion_in_the_copy(
    "UPDATE accounts SET play_rules = REPLACE(play_rules, '\"excludedUntil\":1', '\"excludedUntil\":')",
    &["1: the exclusion"],
)]
#[case::a_removed_exclusion("DELETE FROM exclusions", &["1: the exclusion"])]
#[case::a_removed_limit(
    "DELETE FROM player_limits WHERE kind = 'session_time'",
    &["1: the session_time limit per week"],
)]
#[case::a_counted_minute(
    "INSERT INTO daily_play_time (player_id, day, active_micros, counted_until_micros)
        VALUES (1, 19675, 60000000, 0)",
    &["1: the session_time limit per week"],
)]
#[tokio::test]
async fn copies_are_compared_with_what_they_repeat(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[case] tampering: &str,
    #[case] rows: &[&str],
) {
    let test = &Fixture::on(backend);
    tamper(test, tampering).await;
    assert_rows(&test.check(), rows);
}

#[rstest]
#[case::a_higher_limit_everywhere(
    "UPDATE player_limits SET value = 15000 WHERE kind = 'stake';
     UPDATE accounts SET play_rules = REPLACE(play_rules, '[10000,', '[15000,')"
)]
#[case::a_limit_removed_everywhere(
    "DELETE FROM player_limits WHERE kind = 'session_time';
     UPDATE accounts SET play_rules = REPLACE(play_rules, '\"sessionTime\":{\"week\":[3600000000,0,19674]},', '')",
)]
#[case::an_earlier_request(
    "UPDATE player_limits SET pending_since_micros = pending_since_micros - 86400000000"
)]
#[case::a_higher_pending_limit("UPDATE player_limits SET pending_value = pending_value + 1")]
#[case::a_removed_history("DELETE FROM limit_changes")]
#[tokio::test]
async fn limits_are_compared_with_their_history(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[case] tampering: &str,
) {
    let test = &Fixture::on(backend);
    tamper(test, tampering).await;
    let report = test.check();
    let violated: Vec<_> = report
        .invariants
        .iter()
        .filter(|finding| finding.count > 0)
        .map(|finding| finding.invariant)
        .collect();
    assert_eq!(violated, [HISTORY]);
}
