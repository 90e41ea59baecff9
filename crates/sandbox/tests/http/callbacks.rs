//! Callbacks: signed, retried until accepted, and with injected faults.

use std::time::{Duration, Instant};

use glasshouse_domain::Currency;
use glasshouse_payments::signature::IpnSecret;
use glasshouse_payments::{Payment, PaymentId};
use glasshouse_sandbox::{Action, CallbackOutcome, FaultInjection};

use crate::support::Fixture;

/// Opens a payment and waits for its first callback.
async fn open_payment(fixture: &Fixture) -> PaymentId {
    let invoice = fixture.invoice(5).await;
    let payment = fixture.sandbox.open(&invoice.id, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    payment
}

async fn statuses_after_payment(fixture: &Fixture, faults: FaultInjection) -> Vec<String> {
    let payment = open_payment(fixture).await;
    fixture.sandbox.inject_fault(faults);
    fixture.sandbox.act(&payment, &Action::PayFull).unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture.statuses().split_off(1)
}

#[tokio::test]
async fn every_status_is_reported_in_order_and_signed() {
    let fixture = Fixture::start();
    let statuses = statuses_after_payment(&fixture, FaultInjection::default()).await;
    assert_eq!(statuses, ["confirming", "confirmed", "sending", "finished"]);
    let received = fixture.received();
    assert_eq!(received.len(), 5);
    let text = |index: usize| String::from_utf8(received.get(index).unwrap().body.clone()).unwrap();
    // Numbers in JavaScript's format, and both forms of the values.
    let all: String = (0..5).map(text).collect();
    assert!(all.contains(r#""pay_amount":5.6e-7"#) && all.contains(r#""pay_amount":"5.6e-7""#));
    assert!(all.contains(r#""payment_id":5"#) && all.contains(r#""payment_id":"5"#));
    let callbacks = fixture.sandbox.callbacks();
    assert!(
        callbacks
            .iter()
            .all(|callback| callback.outcome == CallbackOutcome::Answered(200))
    );
}

#[tokio::test]
async fn callbacks_can_be_duplicated_and_reordered() {
    let fixture = Fixture::start();
    let twice = FaultInjection {
        duplicate: 2,
        ..FaultInjection::default()
    };
    let statuses = statuses_after_payment(&fixture, twice).await;
    assert_eq!(
        statuses,
        [
            "confirming",
            "confirming",
            "confirming",
            "confirmed",
            "sending",
            "finished"
        ]
    );
    let fixture = Fixture::start();
    let reordered = FaultInjection {
        reorder: true,
        count: Some(10),
        ..FaultInjection::default()
    };
    let statuses = statuses_after_payment(&fixture, reordered).await;
    assert_eq!(statuses, ["confirmed", "confirming", "finished", "sending"]);
}

#[tokio::test]
async fn callbacks_can_be_dropped_and_delayed() {
    let fixture = Fixture::start();
    let dropped = FaultInjection {
        drop: true,
        count: Some(3),
        ..FaultInjection::default()
    };
    assert_eq!(
        statuses_after_payment(&fixture, dropped).await,
        ["finished"]
    );
    let dropped = fixture.sandbox.callbacks();
    let dropped = dropped
        .iter()
        .filter(|callback| callback.outcome == CallbackOutcome::Dropped);
    assert_eq!(dropped.count(), 3);
    let fixture = Fixture::start();
    let late = FaultInjection {
        delay_ms: 200,
        ..FaultInjection::default()
    };
    let started = Instant::now();
    let statuses = statuses_after_payment(&fixture, late).await;
    assert_eq!(statuses, ["confirmed", "sending", "finished", "confirming"]);
    assert!(started.elapsed() >= Duration::from_millis(200));
}

#[tokio::test]
async fn callbacks_can_have_a_wrong_signature_or_be_truncated() {
    let fixture = Fixture::start();
    let secret = IpnSecret::new(fixture.sandbox.ipn_secret().to_owned()).unwrap();
    let wrong = FaultInjection {
        wrong_signature: true,
        ..FaultInjection::default()
    };
    let statuses = statuses_after_payment(&fixture, wrong).await;
    assert_eq!(statuses, ["confirmed", "sending", "finished"]);
    let callback = fixture.received().into_iter().nth(1).unwrap();
    assert!(Payment::parse(&callback.body).is_ok());
    assert!(secret.verify(&callback.body, &callback.signature).is_err());
    let fixture = Fixture::start();
    let truncated = FaultInjection {
        truncate: true,
        ..FaultInjection::default()
    };
    let statuses = statuses_after_payment(&fixture, truncated).await;
    assert_eq!(statuses, ["confirmed", "sending", "finished"]);
    let callback = fixture.received().into_iter().nth(1).unwrap();
    assert!(Payment::parse(&callback.body).is_err());
}

#[tokio::test]
async fn rejected_callbacks_are_retried() {
    let fixture = Fixture::start();
    let mut request = fixture.request(100);
    // This path does not exist.
    request.ipn_callback_url = request.ipn_callback_url.replace("/ipn", "/nothing");
    let invoice = fixture.client.create_invoice(&request).await.unwrap();
    let payment = fixture.sandbox.open(&invoice.id, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    let callbacks = fixture.sandbox.callbacks();
    assert_eq!(callbacks.len(), 3);
    let is_404 = |outcome| outcome == CallbackOutcome::Answered(404);
    assert!(
        callbacks
            .into_iter()
            .all(|callback| is_404(callback.outcome))
    );
    fixture.sandbox.call_back(&payment).unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(fixture.sandbox.callbacks().len(), 6);
}
