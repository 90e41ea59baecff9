//! `docs/payments.md#rule-18`: limits on unpaid invoices and on amounts.

use std::time::Duration;

use glasshouse_casino::money::deposits::{create_deposit, read_deposits};
use glasshouse_casino::money::{TransferLimits, WithdrawalRequest, coin_terms, refresh_coins};
use glasshouse_casino::{CasinoError, Fault, Refusal};
use glasshouse_domain::{Currency, DepositStatus};
use glasshouse_payments::{ClientError, InvoiceId};
use glasshouse_sandbox::{Answer, FaultInjection};
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, LIMITS, at_once, dollars};
use crate::support::{Fixture, assert_refused, both_databases};

const HOUR: Duration = Duration::from_hours(1);

fn answer(answer: Answer, count: u32) -> FaultInjection {
    FaultInjection {
        answer: Some(answer),
        only: Some("/invoice".to_owned()),
        count: Some(count),
        ..FaultInjection::default()
    }
}

#[apply(both_databases)]
async fn rule_18_a_player_has_at_most_three_unpaid_invoices(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    // Two servers share the database.
    let servers = [fixture.cashier.clone(), fixture.another_cashier()];
    let request = fixture.deposit_request(10_000, Currency::Btc);
    let outcomes = at_once(10, |number| {
        let (cashier, request) = (servers[number % 2].clone(), request.clone());
        async move { create_deposit(&cashier, request).await }
    })
    .await;
    let (made, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(made.len(), 3);
    for outcome in refused {
        assert_refused(outcome, &Refusal::TooManyDeposits);
    }
    assert_eq!(fixture.sandbox.invoices().len(), 3);
    // Other players have their own limit of three.
    fixture.deposits_of_many(3).await;
    // An invoice with a payment being confirmed counts as paid; a partially paid one does not.
    let refused = || fixture.deposit_of(500, Currency::Btc);
    let first = made
        .into_iter()
        .flatten()
        .next()
        .unwrap()
        .invoice_id
        .unwrap();
    let invoice = InvoiceId::parse(&first).unwrap();
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.set_status(&payment, "waiting").unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_refused(refused().await, &Refusal::TooManyDeposits);
    fixture.sandbox.set_status(&payment, "confirming").unwrap();
    fixture.sandbox.rest().await.unwrap();
    let (_, invoice) = fixture.deposit().await;
    assert_refused(refused().await, &Refusal::TooManyDeposits);
    fixture.pay_percent(&invoice, 50).await;
    assert_refused(refused().await, &Refusal::TooManyDeposits);
    fixture.pay_percent(&invoice, 100).await;
    fixture.deposit().await;
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_18_failed_orders_do_not_count_as_unpaid_invoices(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    for trouble in [Answer::Fault, Answer::TooManyRequests, Answer::Lost] {
        let count = if trouble == Answer::Fault { 50 } else { 3 };
        fixture.sandbox.inject_fault(answer(trouble, count));
        for _ in 0..count {
            let outcome = fixture.deposit_of(10_000, Currency::Btc).await;
            assert!(
                matches!(outcome, Err(CasinoError::Fault(Fault::Provider(_)))),
                "{outcome:?}"
            );
        }
    }
    // They are not listed as payable.
    let page = read_deposits(&test.house, fixture.player, None, 100)
        .await
        .unwrap();
    assert_eq!(page.entries.len(), 56);
    assert!(
        page.entries
            .iter()
            .all(|view| view.deposit.status == DepositStatus::Failed)
    );
    for _ in 0..3 {
        fixture.deposit().await;
    }
    let fourth = fixture.deposit_of(10_000, Currency::Btc).await;
    assert_refused(fourth, &Refusal::TooManyDeposits);
}

#[apply(both_databases)]
async fn rule_14_an_invoice_created_despite_an_error_response_is_found(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    for (number, trouble) in [Answer::DoneMoved, Answer::DoneRefused, Answer::DoneBusy]
        .into_iter()
        .enumerate()
    {
        fixture.sandbox.inject_fault(answer(trouble, 1));
        let before = fixture.sandbox.invoices();
        assert!(fixture.deposit_of(10_000, Currency::Btc).await.is_err());
        let mut made = fixture.sandbox.invoices();
        made.retain(|invoice| !before.contains(invoice));
        let (invoice, _) = made.pop().unwrap();
        // Callbacks are dropped.
        fixture.sandbox.inject_fault(FaultInjection {
            drop: true,
            count: Some(1_000),
            ..FaultInjection::default()
        });
        fixture.pay_in_full(&invoice).await;
        fixture.reconcile_after(HOUR).await;
        let credited = i64::try_from(number + 1).unwrap() * 10_000;
        assert_eq!(fixture.balance().await, credited, "{trouble:?}");
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_search_for_the_invoice_of_a_failed_order_ends(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    fixture.sandbox.inject_fault(answer(Answer::Fault, 1));
    assert!(fixture.deposit_of(10_000, Currency::Btc).await.is_err());
    fixture.sandbox.inject_fault(FaultInjection::default());
    let calls = fixture.sandbox.calls();
    for _ in 0..24 * 30 {
        fixture.reconcile_after(HOUR).await;
    }
    let calls = fixture.sandbox.calls() - calls;
    assert!((2..20).contains(&calls), "{calls}");
    let due = "SELECT order_id AS value FROM deposits WHERE next_check_at_micros IS NOT NULL";
    assert!(test.texts(due).is_empty());
}

#[apply(both_databases)]
async fn an_order_is_not_assigned_the_invoice_of_another_deposit(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (first, invoice) = fixture.deposit().await;
    fixture.sandbox.inject_fault(FaultInjection {
        repeat_invoice: invoice.as_str().parse().ok(),
        ..FaultInjection::default()
    });
    let request = fixture.deposit_request(10_000, Currency::Btc);
    let servers = [fixture.cashier.clone(), fixture.another_cashier()];
    let outcomes = at_once(4, |number| {
        let (cashier, request) = (servers[number % 2].clone(), request.clone());
        async move { create_deposit(&cashier, request).await }
    })
    .await;
    for outcome in outcomes {
        match outcome {
            Err(CasinoError::Fault(Fault::Provider(error))) => assert!(error.may_have_been_done()),
            Err(CasinoError::Refused(refusal)) => assert_eq!(refusal, Refusal::TooManyDeposits),
            other => panic!("{other:?}"),
        }
    }
    // The invoice stays with its deposit.
    fixture.pay_percent(&invoice, 100).await;
    assert_eq!(fixture.find(&first).await.status, DepositStatus::Completed);
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_18_the_operator_sets_the_deposit_limits(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let cashier = fixture.cashier_with(|options| {
        options.limits = TransferLimits {
            minimum_deposit: dollars(500),
            maximum_deposit: dollars(10_000),
            ..LIMITS
        };
    });
    let ask =
        async |cents| create_deposit(&cashier, fixture.deposit_request(cents, Currency::Btc)).await;
    assert_refused(ask(0).await, &Refusal::DepositAmount);
    assert_refused(ask(499).await, &Refusal::DepositBelowMinimum(dollars(500)));
    assert_refused(
        ask(10_001).await,
        &Refusal::DepositAboveMaximum(dollars(10_000)),
    );
    let absurd = Refusal::DepositAboveMaximum(dollars(10_000));
    assert_refused(ask(99_999_999_900).await, &absurd);
    assert_eq!(absurd.to_string(), "The maximum deposit is $100.00.");
    let large = Refusal::DepositAboveMaximum(dollars(12_345_678_900));
    assert_eq!(large.to_string(), "The maximum deposit is $123,456,789.00.");
    assert!(
        test.texts("SELECT order_id AS value FROM deposits")
            .is_empty()
    );
    assert!(ask(500).await.is_ok());
    assert!(ask(10_000).await.is_ok());
}

#[test]
fn rule_18_the_operator_sets_the_maximum_withdrawal() {
    const ADDRESS: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    let ask = |amount: &str| {
        let request = WithdrawalRequest::parse(amount, "btc", ADDRESS);
        request.and_then(|request| request.up_to(dollars(10_000)))
    };
    assert!(ask("100.00").is_ok());
    let above = Refusal::WithdrawalAboveMaximum(dollars(10_000));
    assert_eq!(ask("100.01"), Err(above.clone()));
    assert_eq!(
        above.to_string(),
        "The maximum withdrawal amount is $100.00."
    );
}

#[apply(both_databases)]
async fn rule_18_a_coins_minimum_is_shown_before_it_is_selected(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let cashier = &fixture.cashier;
    refresh_coins(cashier).await;
    let terms_of = |currency| {
        let coins = coin_terms(cashier).into_iter();
        let coin = coins
            .into_iter()
            .find(|coin| coin.currency == currency)
            .unwrap();
        (coin.is_taken, coin.minimum)
    };
    assert_eq!(coin_terms(cashier).len(), Currency::ALL.len());
    assert_eq!(terms_of(Currency::Btc), (Some(true), Some(dollars(50))));
    let below = Refusal::DepositBelowCoinMinimum(Currency::Btc, dollars(50));
    let text = "The minimum deposit in BTC is $0.50 at the moment.";
    assert_eq!(below.to_string(), text);
    assert_refused(fixture.deposit_of(49, Currency::Btc).await, &below);
    assert!(fixture.deposit_of(50, Currency::Btc).await.is_ok());
    // A disabled coin is shown as such.
    fixture.sandbox.inject_fault(FaultInjection {
        disabled: Some("btc".to_owned()),
        ..FaultInjection::default()
    });
    assert_refused(
        fixture.deposit_of(500, Currency::Btc).await,
        &Refusal::DepositRefused,
    );
    refresh_coins(cashier).await;
    assert_eq!(terms_of(Currency::Btc), (Some(false), None));
    assert_eq!(terms_of(Currency::Eth), (Some(true), Some(dollars(50))));
    let refused = fixture.deposit_of(500, Currency::Btc).await;
    assert_refused(refused, &Refusal::CoinNotTaken(Currency::Btc));
    // While the provider is unavailable, the last known terms are shown for an hour.
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Fault),
        count: Some(1_000),
        ..FaultInjection::default()
    });
    refresh_coins(cashier).await;
    assert_eq!(terms_of(Currency::Eth), (Some(true), Some(dollars(50))));
    test.clock.advance(HOUR);
    assert_eq!(terms_of(Currency::Eth), (None, None));
    let outcome = fixture.deposit_of(1, Currency::Eth).await;
    assert!(
        matches!(
            outcome,
            Err(CasinoError::Fault(Fault::Provider(
                ClientError::OutcomeUnknown(_)
            )))
        ),
        "{outcome:?}"
    );
}
