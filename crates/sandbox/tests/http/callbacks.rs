//! The callbacks: signed, repeated until taken, and spoiled when told.

use std::time::{Duration, Instant};

use glasshouse_domain::Currency;
use glasshouse_payments::signature::IpnSecret;
use glasshouse_payments::{Payment, PaymentId};
use glasshouse_sandbox::{Action, CallbackOutcome, FaultInjection};

use crate::support::World;

/// A payment that waits, with its first callback behind it.
async fn waiting(world: &World) -> PaymentId {
    let invoice = world.invoice(5).await;
    let payment = world.sandbox.open(&invoice.id, Currency::Btc).unwrap();
    world.sandbox.rest().await.unwrap();
    payment
}

async fn paid(world: &World, switches: FaultInjection) -> Vec<String> {
    let payment = waiting(world).await;
    world.sandbox.inject_fault(switches);
    world.sandbox.act(&payment, &Action::PayFull).unwrap();
    world.sandbox.rest().await.unwrap();
    world.statuses().split_off(1)
}

#[tokio::test]
async fn every_status_is_told_in_order_and_signed() {
    let world = World::start();
    let statuses = paid(&world, FaultInjection::default()).await;
    assert_eq!(statuses, ["confirming", "confirmed", "sending", "finished"]);
    let received = world.received();
    assert_eq!(received.len(), 5);
    let text = |place: usize| String::from_utf8(received.get(place).unwrap().body.clone()).unwrap();
    // Numbers as JavaScript writes them, and both forms of the traps.
    let all: String = (0..5).map(text).collect();
    assert!(all.contains(r#""pay_amount":5.6e-7"#) && all.contains(r#""pay_amount":"5.6e-7""#));
    assert!(all.contains(r#""payment_id":5"#) && all.contains(r#""payment_id":"5"#));
    let callbacks = world.sandbox.callbacks();
    assert!(
        callbacks
            .iter()
            .all(|callback| callback.outcome == CallbackOutcome::Answered(200))
    );
}

#[tokio::test]
async fn callbacks_come_twice_or_in_another_order() {
    let world = World::start();
    let twice = FaultInjection {
        duplicate: 2,
        ..FaultInjection::default()
    };
    let statuses = paid(&world, twice).await;
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
    let world = World::start();
    let reordered = FaultInjection {
        reorder: true,
        count: Some(10),
        ..FaultInjection::default()
    };
    let statuses = paid(&world, reordered).await;
    assert_eq!(statuses, ["confirmed", "confirming", "finished", "sending"]);
}

#[tokio::test]
async fn callbacks_are_lost_or_late() {
    let world = World::start();
    let dropped = FaultInjection {
        drop: true,
        count: Some(3),
        ..FaultInjection::default()
    };
    assert_eq!(paid(&world, dropped).await, ["finished"]);
    let lost = world.sandbox.callbacks();
    let lost = lost
        .iter()
        .filter(|callback| callback.outcome == CallbackOutcome::Dropped);
    assert_eq!(lost.count(), 3);
    let world = World::start();
    let late = FaultInjection {
        delay_ms: 200,
        ..FaultInjection::default()
    };
    let begun = Instant::now();
    let statuses = paid(&world, late).await;
    assert_eq!(statuses, ["confirmed", "sending", "finished", "confirming"]);
    assert!(begun.elapsed() >= Duration::from_millis(200));
}

#[tokio::test]
async fn callbacks_are_spoiled() {
    let world = World::start();
    let secret = IpnSecret::new(world.sandbox.ipn_secret().to_owned()).unwrap();
    let wrong = FaultInjection {
        wrong_signature: true,
        ..FaultInjection::default()
    };
    let statuses = paid(&world, wrong).await;
    assert_eq!(statuses, ["confirmed", "sending", "finished"]);
    let spoiled = world.received().into_iter().nth(1).unwrap();
    assert!(Payment::parse(&spoiled.body).is_ok());
    assert!(secret.verify(&spoiled.body, &spoiled.signature).is_err());
    let world = World::start();
    let truncated = FaultInjection {
        truncate: true,
        ..FaultInjection::default()
    };
    let statuses = paid(&world, truncated).await;
    assert_eq!(statuses, ["confirmed", "sending", "finished"]);
    let spoiled = world.received().into_iter().nth(1).unwrap();
    assert!(Payment::parse(&spoiled.body).is_err());
}

#[tokio::test]
async fn a_house_that_does_not_take_it_is_called_again() {
    let world = World::start();
    let mut request = world.request(100);
    // There is nothing at that path.
    request.ipn_callback_url = request.ipn_callback_url.replace("/ipn", "/nothing");
    let invoice = world.client.create_invoice(&request).await.unwrap();
    let payment = world.sandbox.open(&invoice.id, Currency::Btc).unwrap();
    world.sandbox.rest().await.unwrap();
    let callbacks = world.sandbox.callbacks();
    assert_eq!(callbacks.len(), 3);
    let is_404 = |outcome| outcome == CallbackOutcome::Answered(404);
    assert!(
        callbacks
            .into_iter()
            .all(|callback| is_404(callback.outcome))
    );
    world.sandbox.call_back(&payment).unwrap();
    world.sandbox.rest().await.unwrap();
    assert_eq!(world.sandbox.callbacks().len(), 6);
}
