//! Everything that can become of a payment.

use glasshouse_domain::{Currency, Money};
use glasshouse_payments::{Payment, PaymentStatus, proportion};
use glasshouse_sandbox::Action;

use crate::support::{World, decimal};

const WAY: [&str; 4] = ["waiting", "confirming", "confirmed", "sending"];

/// One action on a payment of ten dollars in USDT; the payment, and the callbacks about it.
async fn after(actions: &[Action]) -> (Payment, Vec<String>) {
    let world = World::start();
    let invoice = world.invoice(1_000).await;
    let payment = world.sandbox.open(&invoice.id, Currency::UsdtSol).unwrap();
    for action in actions {
        world.sandbox.act(&payment, action).unwrap();
    }
    world.sandbox.rest().await.unwrap();
    (world.payment(&payment).await, world.statuses())
}

fn credit(payment: &Payment) -> i64 {
    let (paid, asked) = (&payment.actually_paid, &payment.pay_amount);
    let price = payment.price_amount.as_ref().unwrap().to_money().unwrap();
    proportion(price, paid.as_ref().unwrap(), asked.as_ref().unwrap())
        .unwrap()
        .cents()
}

#[track_caller]
fn check_way(statuses: &[String], ends: &[&str]) {
    let mut expected = WAY.to_vec();
    expected.extend(ends);
    assert_eq!(statuses, expected);
}

#[tokio::test]
async fn paid_in_full() {
    let (payment, statuses) = after(&[Action::PayFull]).await;
    assert_eq!(payment.status, PaymentStatus::Finished);
    assert_eq!(payment.actually_paid, payment.pay_amount);
    assert_eq!(credit(&payment), 1_000);
    assert!(payment.payin_hash.is_some());
    assert_eq!(payment.outcome_amount, Some(decimal("9.95")));
    check_way(&statuses, &["finished"]);
}

#[tokio::test]
async fn paid_in_part_and_then_the_rest() {
    let part = Action::Pay(decimal("3.333333"));
    let (payment, statuses) = after(std::slice::from_ref(&part)).await;
    assert_eq!(payment.status, PaymentStatus::PartiallyPaid);
    assert_eq!(credit(&payment), 333);
    check_way(&statuses, &["partially_paid"]);
    let (payment, statuses) = after(&[part, Action::PayFull]).await;
    assert_eq!(payment.status, PaymentStatus::Finished);
    assert_eq!(credit(&payment), 1_000);
    check_way(&statuses, &["partially_paid", "finished"]);
}

#[tokio::test]
async fn paid_too_much() {
    let (payment, _) = after(&[Action::Pay(decimal("25"))]).await;
    assert_eq!(payment.status, PaymentStatus::Finished);
    assert_eq!(credit(&payment), 2_500);
}

#[tokio::test]
async fn expired_and_paid_late() {
    let (payment, statuses) = after(&[Action::Expire]).await;
    assert_eq!(payment.status, PaymentStatus::Expired);
    assert_eq!(payment.actually_paid, Some(decimal("0")));
    assert_eq!(statuses, ["waiting", "expired"]);
    for actions in [&[Action::PayLate][..], &[Action::Expire, Action::PayFull]] {
        let (payment, statuses) = after(actions).await;
        assert_eq!(payment.status, PaymentStatus::Finished);
        assert_eq!(credit(&payment), 1_000);
        let expected = [
            "waiting",
            "expired",
            "confirming",
            "confirmed",
            "sending",
            "finished",
        ];
        assert_eq!(statuses, expected);
    }
}

#[tokio::test]
async fn failed_and_refunded() {
    let (payment, statuses) = after(&[Action::Fail]).await;
    assert_eq!(payment.status, PaymentStatus::Failed);
    assert_eq!(statuses, ["waiting", "failed"]);
    let (payment, statuses) = after(&[Action::PayFull, Action::Refund]).await;
    assert_eq!(payment.status, PaymentStatus::Refunded);
    check_way(&statuses, &["finished", "refunded"]);
}

#[tokio::test]
async fn more_and_something_else_to_the_same_address() {
    let world = World::start();
    let invoice = world.invoice(1_000).await;
    let parent = world
        .sandbox
        .pay(&invoice.id, Currency::Btc, &Action::PayFull)
        .unwrap();
    let more = Action::Redeposit(decimal("0.00001"));
    let other = Action::WrongAsset(Currency::Ltc, decimal("2"));
    for (action, code) in [(more, "btc"), (other, "ltc")] {
        let child = world.sandbox.act(&parent, &action).unwrap();
        world.sandbox.rest().await.unwrap();
        let (of, child) = (world.payment(&parent).await, world.payment(&child).await);
        assert_ne!(child.id, parent);
        assert_eq!(child.parent.as_ref(), Some(&parent));
        assert_eq!(child.status, PaymentStatus::Finished);
        assert_eq!(child.pay_currency.as_deref(), Some(code));
        assert_eq!(child.actually_paid, child.pay_amount);
        // What the parent was for, and no word of what the child is worth but the outcome.
        assert_eq!(child.order_id, of.order_id);
        assert_eq!(child.invoice, of.invoice);
        assert_eq!(child.price_amount, of.price_amount);
        assert_eq!(child.pay_address, of.pay_address);
        assert_ne!(child.outcome_amount, of.outcome_amount);
    }
}

#[tokio::test]
async fn an_unknown_status_is_kept() {
    let world = World::start();
    let invoice = world.invoice(1_000).await;
    let id = world.sandbox.open(&invoice.id, Currency::Xmr).unwrap();
    world.sandbox.set_status(&id, "hibernating").unwrap();
    world.sandbox.rest().await.unwrap();
    let payment = world.payment(&id).await;
    assert_eq!(payment.status, PaymentStatus::parse("hibernating"));
    assert!(!payment.status.is_final());
    assert_eq!(
        payment.price_amount.unwrap().to_money(),
        Some(Money::from_cents(1_000))
    );
}
