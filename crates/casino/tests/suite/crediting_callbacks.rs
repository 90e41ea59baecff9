//! Rules 1 to 4 of `docs/payments.md#crediting`: callbacks are verified, and a payment is credited
//! once however often and in whatever order its callbacks arrive.

use std::time::Duration;

use glasshouse_casino::Refusal;
use glasshouse_casino::money::deposits::{await_deposit, reconcile_due};
use glasshouse_casino::money::payments::{IpnOutcome, handle_ipn};
use glasshouse_domain::{Currency, DepositStatus};
use glasshouse_sandbox::{Answer, CallbackOutcome, FaultInjection};
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, at_once, callback_body};
use crate::support::{Fixture, assert_refused, both_databases};
#[apply(both_databases)]
async fn rule_01_a_callback_without_a_valid_signature_changes_nothing(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    // Nine callbacks are corrupted: those of the five statuses, and repetitions.
    let corrupt = |wrong_signature, truncate| FaultInjection {
        wrong_signature,
        truncate,
        count: Some(1_000),
        ..FaultInjection::default()
    };
    fixture.sandbox.inject_fault(corrupt(true, false));
    let payment = fixture.pay_percent(&invoice, 100).await;
    fixture.sandbox.inject_fault(corrupt(false, true));
    fixture.sandbox.call_back(&payment).unwrap();
    fixture.sandbox.rest().await.unwrap();
    let callbacks = fixture.sandbox.callbacks();
    assert!(callbacks.len() >= 6);
    for callback in callbacks {
        assert_eq!(
            callback.outcome,
            CallbackOutcome::Answered(401),
            "{callback:?}"
        );
    }
    let body = callback_body(&payment, "finished");
    for signature in [
        None,
        Some(""),
        Some("0"),
        Some("ü"),
        Some(&*"0".repeat(128)),
    ] {
        let outcome = handle_ipn(&fixture.cashier, signature, body.as_bytes()).await;
        assert_refused(outcome, &Refusal::CallbackSignature);
    }
    assert_eq!(fixture.payment(&payment).await, None);
    assert_eq!(fixture.find(&deposit).await, deposit);
    assert!(
        test.texts("SELECT payment_id AS value FROM pending_callbacks")
            .is_empty()
    );
    assert_eq!(fixture.balance().await, 0);
    // The payment is credited once a callback arrives with a valid signature.
    fixture.sandbox.inject_fault(FaultInjection::default());
    fixture.sandbox.call_back(&payment).unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_02_a_callback_only_triggers_a_query_to_the_provider(#[case] test: &Fixture) {
    let mut fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    // Even a correctly signed callback is not trusted: the provider's API is queried.
    let false_claim = format!(
        r#"{{"payment_id":{payment},"payment_status":"finished","price_amount":100,
            "price_currency":"usd","actually_paid":9,"pay_amount":1,"pay_currency":"btc"}}"#
    );
    assert_eq!(
        fixture.send_callback(&false_claim).await.unwrap(),
        IpnOutcome::Processed
    );
    assert_eq!(fixture.balance().await, 0);
    let refused = fixture
        .send_callback(r#"{"payment_status":"finished"}"#)
        .await;
    assert_refused(refused, &Refusal::CallbackMalformed);

    // While the provider's API fails, callbacks are acknowledged and stored for a retry.
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Fault),
        only: Some("/payment".to_owned()),
        count: Some(1_000),
        ..FaultInjection::default()
    });
    fixture.pay_more(&payment, 100).await;
    let body = callback_body(&payment, "finished");
    assert_eq!(
        fixture.send_callback(&body).await.unwrap(),
        IpnOutcome::Deferred
    );
    for callback in fixture.sandbox.callbacks() {
        assert_eq!(
            callback.outcome,
            CallbackOutcome::Answered(200),
            "{callback:?}"
        );
    }
    assert_eq!(fixture.balance().await, 0);
    // The pending callback survives failed attempts and a restart.
    fixture.restart();
    fixture.reconcile_after(Duration::from_secs(10)).await;
    assert_eq!(
        test.texts("SELECT payment_id AS value FROM pending_callbacks"),
        [payment.to_string()]
    );
    fixture.sandbox.inject_fault(FaultInjection::default());
    fixture.reconcile_after(Duration::from_hours(1)).await;
    assert_eq!(fixture.balance().await, 10_000);
    assert!(
        test.texts("SELECT payment_id AS value FROM pending_callbacks")
            .is_empty()
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_02_a_hanging_provider_does_not_delay_the_callback_response(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Hang),
        only: Some("/payment".to_owned()),
        count: Some(1),
        ..FaultInjection::default()
    });
    let body = callback_body(&payment, "waiting");
    let outcome = tokio::time::timeout(Duration::from_secs(3), fixture.send_callback(&body)).await;
    assert_eq!(outcome.unwrap().unwrap(), IpnOutcome::Deferred);
}

#[apply(both_databases)]
async fn rule_03_concurrent_callbacks_and_polls_credit_once(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_percent(&invoice, 100).await;
    assert_eq!(fixture.balance().await, 0);
    let body = callback_body(&payment, "finished");
    // Two servers share the database.
    let servers = [fixture.cashier.clone(), fixture.another_cashier()];
    let callbacks = at_once(100, |number| {
        let (cashier, body) = (servers[number % 2].clone(), body.clone());
        let secret =
            glasshouse_payments::signature::IpnSecret::new(fixture.sandbox.ipn_secret().to_owned());
        let signature = secret.unwrap().sign(body.as_bytes()).unwrap();
        async move {
            handle_ipn(&cashier, Some(&signature), body.as_bytes())
                .await
                .map(drop)
        }
    });
    let polls = at_once(30, |number| {
        let (cashier, player) = (servers[number % 2].clone(), fixture.player);
        let (invoice, clock) = (invoice.to_string(), test.clock.clone());
        async move {
            clock.advance(Duration::from_secs(4));
            await_deposit(&cashier, player, invoice).await.map(drop)
        }
    });
    let reconciliations = at_once(10, |number| {
        let cashier = servers[number % 2].clone();
        async move { reconcile_due(&cashier).await.map(drop) }
    });
    let (callbacks, polls, reconciliations) = tokio::join!(callbacks, polls, reconciliations);
    for outcome in callbacks.into_iter().chain(polls).chain(reconciliations) {
        outcome.unwrap();
    }
    fixture.reconcile_after(Duration::from_hours(2)).await;
    assert_eq!(fixture.balance().await, 10_000);
    assert_eq!(
        fixture.find(&deposit).await.status,
        DepositStatus::Completed
    );
    assert_eq!(
        test.texts("SELECT reference AS value FROM ledger_entries")
            .len(),
        1
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_03_duplicated_reordered_and_delayed_callbacks_credit_once(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    for (round, fault_injection) in [
        FaultInjection {
            duplicate: 3,
            ..FaultInjection::default()
        },
        FaultInjection {
            reorder: true,
            ..FaultInjection::default()
        },
        FaultInjection {
            delay_ms: 60,
            duplicate: 1,
            ..FaultInjection::default()
        },
    ]
    .into_iter()
    .enumerate()
    {
        let (_, invoice) = fixture.deposit().await;
        fixture.sandbox.inject_fault(FaultInjection {
            count: Some(1_000),
            ..fault_injection
        });
        fixture.pay_percent(&invoice, 100).await;
        fixture.sandbox.inject_fault(FaultInjection::default());
        fixture.reconcile_after(Duration::from_mins(1)).await;
        assert_eq!(
            fixture.balance().await,
            10_000 * (i64::try_from(round).unwrap() + 1)
        );
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_04_the_database_rejects_a_second_credit(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 100).await;
    assert_eq!(
        test.texts("SELECT reference AS value FROM ledger_entries"),
        [format!("payment:{payment}/1")]
    );
    let player = fixture.player;
    for statement in [
        format!("INSERT INTO payment_credits VALUES ('{payment}', 1, {player}, 10000, 1)"),
        format!(
            "INSERT INTO ledger_entries VALUES ({player}, 2, 'deposit', 10000, 20000, \
             'payment:{payment}/1', 1)"
        ),
        "UPDATE payment_credits SET amount_cents = 1".to_owned(),
        "DELETE FROM payment_credits".to_owned(),
        "UPDATE payments SET credits = 0, credited_cents = 0".to_owned(),
        "DELETE FROM payments".to_owned(),
        "UPDATE deposits SET credited_cents = 0".to_owned(),
        "UPDATE deposits SET price_cents = 1".to_owned(),
        "UPDATE deposits SET invoice_id = 'other'".to_owned(),
        "UPDATE deposits SET player_id = player_id + 1".to_owned(),
        "DELETE FROM deposits".to_owned(),
    ] {
        assert!(test.sql(&statement).is_err(), "{statement}");
    }
    test.assert_clean().await;
}
