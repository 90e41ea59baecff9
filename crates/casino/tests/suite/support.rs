//! Shared by the tests: fixtures, the calls of each game, and helpers.

use std::fs;

use glasshouse_casino::accounts::Registration;
use glasshouse_casino::{CasinoError, DatabaseUrl, IdempotencyKey, Refusal};
use glasshouse_domain::{Money, NewPassword, Username};
use glasshouse_games::dice::{Bet, BetType, Target};
use rstest_reuse::template;

pub(crate) mod administration;
pub(crate) mod alerts;
pub(crate) mod approvals;
pub(crate) mod cashier_fixture;
pub(crate) mod email;
pub(crate) mod every_game;
mod fixture;
pub(crate) mod games;
pub(crate) mod house_history;
pub(crate) mod limits;
pub(crate) mod log_keeping;
pub(crate) mod log_tampering;
pub(crate) mod mailbox;
pub(crate) mod panel_reads;
pub(crate) mod passkeys;
pub(crate) mod payouts;
pub(crate) mod poker;
pub(crate) mod predetermined_rounds;
pub(crate) mod public_log;
pub(crate) mod rows_read;
pub(crate) mod second_factors;
pub(crate) mod seeds;
pub(crate) mod tampering;
pub(crate) mod workload;

pub(crate) use fixture::{Fixture, TestClock};
pub(crate) use glasshouse_testing::{
    Backend, EmptyDatabase, audit_keys, house_keys, log_keys, open_database, seed_keys, texts,
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

/// Everything that somebody who copies the database can read, as one text.
pub(crate) fn stored_texts(test: &Fixture) -> String {
    if let DatabaseUrl::Sqlite(path) = &test.url {
        // The journal contains the newest pages.
        let files = ["", "-wal"].map(|suffix| format!("{}{suffix}", path.display()));
        let bytes: Vec<u8> = files
            .iter()
            .flat_map(|file| fs::read(file).unwrap())
            .collect();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let tables = test.texts(
        "SELECT tablename::text AS value FROM pg_tables WHERE schemaname = current_schema()",
    );
    let rows = |table: String| test.texts(&format!("SELECT t::text AS value FROM {table} t"));
    tables.into_iter().flat_map(rows).collect()
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
