//! Shared by the tests: fixtures, the calls of each game, and helpers.

use glasshouse_casino::accounts::Registration;
use glasshouse_casino::{CasinoError, IdempotencyKey, Refusal};
use glasshouse_domain::{Money, NewPassword, Username};
use glasshouse_games::dice::{Bet, BetType, Target};
use rstest_reuse::template;

pub(crate) mod administration;
pub(crate) mod cashier_fixture;
mod fixture;
pub(crate) mod games;
pub(crate) mod log_keeping;
pub(crate) mod poker;
pub(crate) mod predetermined_rounds;
pub(crate) mod public_log;
pub(crate) mod seeds;
pub(crate) mod tampering;
pub(crate) mod workload;

pub(crate) use fixture::{Fixture, TestClock};
pub(crate) use glasshouse_testing::{
    Backend, EmptyDatabase, audit_keys, house_keys, open_database, seed_keys, texts,
};

/// Runs a test on each database: `#[apply(both_databases)]` above `async fn name(#[case] test:
/// &Fixture)`.
#[template]
#[rstest::rstest]
#[case::sqlite(&crate::support::Fixture::on(crate::support::Backend::Sqlite))]
#[case::postgres(&crate::support::Fixture::on(crate::support::Backend::Postgres))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_databases(#[case] test: &Fixture) {}

pub(crate) fn registration(name: &str) -> Registration {
    Registration {
        username: Username::parse(name).unwrap(),
        password: NewPassword::parse("tr4vel-lamp".to_owned()).unwrap(),
    }
}

pub(crate) fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey::parse(text).unwrap()
}

pub(crate) fn bet(cents: i64, target: i64, bet_type: BetType) -> Bet {
    Bet::new(
        Money::from_cents(cents),
        Target::new(target).unwrap(),
        bet_type,
    )
    .unwrap()
}

#[track_caller]
pub(crate) fn assert_refused<T: std::fmt::Debug>(
    outcome: Result<T, CasinoError>,
    expected: &Refusal,
) {
    match outcome {
        Err(CasinoError::Refused(refusal)) => assert_eq!(&refusal, expected),
        other => panic!("expected {expected:?}, got {other:?}"),
    }
}
