//! The balance at the payment provider, and how often the provider is asked for it.

use std::time::Duration;

use glasshouse_casino::money::{KnownBalance, read_provider_balance};
use glasshouse_domain::Currency;
use glasshouse_sandbox::{Answer, FaultInjection};
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, at_once};
use crate::support::{Fixture, both_databases};

/// The balance, and the estimate for each coin.
const ALL_CALLS: usize = 1 + Currency::ALL.len();

fn fault(path: &str, count: u32) -> FaultInjection {
    FaultInjection {
        answer: Some(Answer::Fault),
        only: Some(path.to_owned()),
        count: Some(count),
        ..FaultInjection::default()
    }
}

#[apply(both_databases)]
async fn the_provider_is_asked_once_a_minute_whoever_wants_to_know(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let calls = fixture.sandbox.calls();
    let answers = at_once(20, |_| {
        let cashier = fixture.cashier.clone();
        async move { read_provider_balance(&cashier).await }
    })
    .await;
    assert_eq!(fixture.sandbox.calls() - calls, ALL_CALLS);
    let KnownBalance { latest, problem } = &answers[0];
    assert!(answers.iter().all(|answer| answer == &answers[0]));
    assert_eq!(*problem, None);
    let balance = latest.as_ref().unwrap();
    assert_eq!(balance.at, test.house.now());
    assert!(balance.is_complete());
    assert_eq!(balance.coins.len(), Currency::ALL.len());
    // The sandbox begins with a million dollars in each coin.
    for coin in &balance.coins {
        let value = coin.value.unwrap().cents();
        assert!((99_999_000..=100_001_000).contains(&value), "{coin:?}");
    }
    let sum: i64 = balance
        .coins
        .iter()
        .map(|coin| coin.value.unwrap().cents())
        .sum();
    assert_eq!(balance.total.cents(), sum);
    assert!(
        balance
            .coins
            .is_sorted_by(|one, next| one.value >= next.value)
    );
    let bitcoin = balance
        .coins
        .iter()
        .find(|coin| coin.code == "btc")
        .unwrap();
    assert_eq!(bitcoin.amount.to_string(), "11.11111112");
    let rate = bitcoin.rate.as_ref().unwrap().to_string();
    assert!(
        rate.starts_with("8999") || rate.starts_with("9000"),
        "{rate}"
    );

    test.clock.advance(Duration::from_secs(59));
    assert_eq!(read_provider_balance(&fixture.cashier).await, answers[0]);
    assert_eq!(fixture.sandbox.calls() - calls, ALL_CALLS);
    test.clock.advance(Duration::from_secs(1));
    let later = read_provider_balance(&fixture.cashier).await;
    assert_eq!(later.latest.unwrap().at, test.house.now());
    assert_eq!(fixture.sandbox.calls() - calls, 2 * ALL_CALLS);
}

#[apply(both_databases)]
async fn a_failing_provider_leaves_the_last_balance(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    fixture.sandbox.inject_fault(fault("/balance", 1));
    let failed = read_provider_balance(&fixture.cashier).await;
    assert_eq!(failed.latest, None);
    assert!(failed.problem.is_some());
    let calls = fixture.sandbox.calls();
    test.clock.advance(Duration::from_secs(14));
    assert_eq!(read_provider_balance(&fixture.cashier).await, failed);
    assert_eq!(
        fixture.sandbox.calls(),
        calls,
        "the provider is left alone for a while"
    );
    test.clock.advance(Duration::from_secs(1));
    let known = read_provider_balance(&fixture.cashier).await;
    assert_eq!(known.problem, None);
    test.clock.advance(Duration::from_mins(1));
    fixture.sandbox.inject_fault(fault("/balance", 1));
    let outdated = read_provider_balance(&fixture.cashier).await;
    assert_eq!(outdated.latest, known.latest);
    assert!(outdated.problem.is_some());
}

#[apply(both_databases)]
async fn a_coin_without_a_price_hides_no_other(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    fixture.sandbox.inject_fault(fault("/estimate", 1));
    let known = read_provider_balance(&fixture.cashier).await;
    let balance = known.latest.unwrap();
    assert!(!balance.is_complete());
    let (unknown, others) = balance.coins.split_last().unwrap();
    assert_eq!((unknown.value, &unknown.rate), (None, &None));
    assert!(!unknown.amount.is_zero());
    let sum: i64 = others.iter().map(|coin| coin.value.unwrap().cents()).sum();
    assert_eq!(balance.total.cents(), sum);
}
