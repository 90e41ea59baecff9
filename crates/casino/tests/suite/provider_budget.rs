//! `docs/payments.md#rule-19`: the number of calls to the provider, and the time limit of the
//! response to its callbacks.

use std::time::Duration;

use glasshouse_casino::administration::check_payment;
use glasshouse_casino::money::coin_terms;
use glasshouse_casino::money::deposits::{await_deposit, reconcile_due};
use glasshouse_casino::money::payments::IpnOutcome;
use glasshouse_casino::{CasinoError, Fault};
use glasshouse_domain::Currency;
use glasshouse_sandbox::{Answer, FaultInjection};
use rstest_reuse::apply;

use crate::support::cashier_fixture::CashierFixture;
use crate::support::cashier_fixture::callback_body;
use crate::support::{Fixture, both_databases};

/// The provider expects a response to a callback within this time.
const THREE_SECONDS: Duration = Duration::from_secs(3);

#[apply(both_databases)]
async fn rule_19_all_calls_respect_retry_after(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let deposits = fixture.deposits_of_many(20).await;
    let payment = fixture.pay_percent(&deposits[0].1, 50).await;
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::TooManyRequests),
        retry_after: 600,
        count: Some(1_000),
        ..FaultInjection::default()
    });
    let calls = fixture.sandbox.calls();
    for turn in 0..3 {
        test.clock.advance(Duration::from_mins(5));
        for (deposit, invoice) in &deposits {
            let view = await_deposit(&fixture.cashier, deposit.player, invoice.to_string()).await;
            assert_eq!(view.unwrap().deposit.id, deposit.id);
        }
        reconcile_due(&fixture.cashier).await.unwrap();
        let outcome = fixture
            .send_callback(&callback_body(&payment, "partially_paid"))
            .await;
        assert_eq!(outcome.unwrap(), IpnOutcome::Deferred);
        assert!(
            check_payment(&fixture.cashier, payment.as_str(), None)
                .await
                .is_err()
        );
        assert!(fixture.deposit_of(1_000, Currency::Btc).await.is_err());
        assert_eq!(coin_terms(&fixture.cashier).len(), Currency::ALL.len());
        assert_eq!(fixture.sandbox.calls() - calls, 1, "turn {turn}");
    }
}

#[apply(both_databases)]
async fn rule_19_a_players_polls_query_the_provider_once_in_three_seconds(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let mut invoices = Vec::new();
    for _ in 0..3 {
        invoices.push(fixture.deposit().await.1);
    }
    let poll_calls = async || {
        let before = fixture.sandbox.calls();
        for invoice in invoices.iter().chain(&invoices) {
            await_deposit(&fixture.cashier, fixture.player, invoice.to_string())
                .await
                .unwrap();
        }
        fixture.sandbox.calls() - before
    };
    // A sign-in and one list.
    assert_eq!(poll_calls().await, 2);
    assert_eq!(poll_calls().await, 0);
    test.clock.advance(Duration::from_millis(2_999));
    assert_eq!(poll_calls().await, 0);
    test.clock.advance(Duration::from_millis(1));
    assert_eq!(poll_calls().await, 1);
}

#[apply(both_databases)]
async fn rule_19_callbacks_have_separate_permits(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let waiting = fixture.deposits_of_many(24).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_percent(&invoice, 100).await;
    // All permits for players' calls are taken by calls that hang.
    let cashier = fixture.cashier_with(|options| {
        let mut patient = fixture.sandbox.client_options().unwrap();
        patient.timeout = Duration::from_mins(1);
        patient.calls_per_second = std::num::NonZeroU32::MAX;
        options.client = glasshouse_payments::Client::new(patient).unwrap();
    });
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Hang),
        count: Some(8),
        ..FaultInjection::default()
    });
    let calls = fixture.sandbox.calls();
    let polls: Vec<_> = waiting
        .iter()
        .step_by(3)
        .map(|(deposit, invoice)| {
            let (cashier, player, invoice) = (cashier.clone(), deposit.player, invoice.to_string());
            tokio::spawn(async move { await_deposit(&cashier, player, invoice).await })
        })
        .collect();
    while fixture.sandbox.calls() < calls + 8 {
        tokio::task::yield_now().await;
    }
    let outcome = fixture
        .send_callback_to(&cashier, &callback_body(&payment, "finished"))
        .await;
    assert_eq!(outcome.unwrap(), IpnOutcome::Processed);
    assert_eq!(fixture.balance().await, 10_000);
    for poll in polls {
        poll.await.unwrap().unwrap();
    }
}

#[apply(both_databases)]
async fn a_callback_is_answered_in_time_while_the_database_is_locked(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_percent(&invoice, 100).await;
    let body = callback_body(&payment, "finished");
    let lock = test.lock_payments();
    let outcome = tokio::time::timeout(THREE_SECONDS, fixture.send_callback(&body)).await;
    // The database stays locked until the response has arrived.
    drop(lock);
    let outcome = outcome.expect("no response within three seconds");
    assert!(
        matches!(outcome, Err(CasinoError::Fault(Fault::Overloaded))),
        "{outcome:?}"
    );
    // A repeated callback settles the payment, as reconciliation does without one.
    fixture.send_callback(&body).await.unwrap();
    fixture.reconcile_after(Duration::from_mins(1)).await;
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_slow_provider_and_a_locked_database_together_stay_within_three_seconds(
    #[case] test: &Fixture,
) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_in_full(&invoice).await;
    let mut options = fixture.sandbox.client_options().unwrap();
    options.timeout = Duration::from_mins(1);
    let cashier = fixture.cashier_with(|changed| {
        changed.client = glasshouse_payments::Client::new(options).unwrap();
    });
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Hang),
        count: Some(1),
        ..FaultInjection::default()
    });
    let lock = test.lock_payments();
    let body = callback_body(&payment, "finished");
    let outcome =
        tokio::time::timeout(THREE_SECONDS, fixture.send_callback_to(&cashier, &body)).await;
    drop(lock);
    let outcome = outcome.expect("no response within three seconds");
    assert!(
        matches!(outcome, Err(CasinoError::Fault(Fault::Overloaded))),
        "{outcome:?}"
    );
}
