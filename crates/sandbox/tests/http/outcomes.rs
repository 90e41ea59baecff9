//! All possible courses of a payment.

use glasshouse_domain::{Currency, Money};
use glasshouse_payments::{Payment, PaymentStatus, proportion};
use glasshouse_sandbox::Action;

use crate::support::{Fixture, decimal};

const IN_PROGRESS: [&str; 4] = ["waiting", "confirming", "confirmed", "sending"];

/// Applies actions to a payment of ten dollars in USDT. Returns the payment and the statuses of its
/// callbacks.
async fn run_actions(actions: &[Action]) -> (Payment, Vec<String>) {
    let fixture = Fixture::start();
    let invoice = fixture.invoice(1_000).await;
    let payment = fixture
        .sandbox
        .open(&invoice.id, Currency::UsdtSol)
        .unwrap();
    for action in actions {
        fixture.sandbox.act(&payment, action).unwrap();
    }
    fixture.sandbox.rest().await.unwrap();
    (fixture.payment(&payment).await, fixture.statuses())
}

fn credit(payment: &Payment) -> i64 {
    let (paid, asked) = (&payment.actually_paid, &payment.pay_amount);
    let price = payment.price_amount.as_ref().unwrap().to_money().unwrap();
    proportion(price, paid.as_ref().unwrap(), asked.as_ref().unwrap())
        .unwrap()
        .cents()
}

#[track_caller]
fn assert_statuses_after_progress(statuses: &[String], last: &[&str]) {
    let mut expected = IN_PROGRESS.to_vec();
    expected.extend(last);
    assert_eq!(statuses, expected);
}

#[tokio::test]
async fn full_payment_is_finished() {
    let (payment, statuses) = run_actions(&[Action::PayFull]).await;
    assert_eq!(payment.status, PaymentStatus::Finished);
    assert_eq!(payment.actually_paid, payment.pay_amount);
    assert_eq!(credit(&payment), 1_000);
    assert!(payment.payin_hash.is_some());
    assert_eq!(payment.outcome_amount, Some(decimal("9.95")));
    assert_statuses_after_progress(&statuses, &["finished"]);
}

#[tokio::test]
async fn partial_payment_can_be_completed() {
    let part = Action::Pay(decimal("3.333333"));
    let (payment, statuses) = run_actions(std::slice::from_ref(&part)).await;
    assert_eq!(payment.status, PaymentStatus::PartiallyPaid);
    assert_eq!(credit(&payment), 333);
    assert_statuses_after_progress(&statuses, &["partially_paid"]);
    let (payment, statuses) = run_actions(&[part, Action::PayFull]).await;
    assert_eq!(payment.status, PaymentStatus::Finished);
    assert_eq!(credit(&payment), 1_000);
    assert_statuses_after_progress(&statuses, &["partially_paid", "finished"]);
}

#[tokio::test]
async fn overpayment_is_finished_with_the_actual_amount() {
    let (payment, _) = run_actions(&[Action::Pay(decimal("25"))]).await;
    assert_eq!(payment.status, PaymentStatus::Finished);
    assert_eq!(credit(&payment), 2_500);
}

#[tokio::test]
async fn expired_payment_can_be_paid_late() {
    let (payment, statuses) = run_actions(&[Action::Expire]).await;
    assert_eq!(payment.status, PaymentStatus::Expired);
    assert_eq!(payment.actually_paid, Some(decimal("0")));
    assert_eq!(statuses, ["waiting", "expired"]);
    for actions in [&[Action::PayLate][..], &[Action::Expire, Action::PayFull]] {
        let (payment, statuses) = run_actions(actions).await;
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
async fn payments_can_fail_and_be_refunded() {
    let (payment, statuses) = run_actions(&[Action::Fail]).await;
    assert_eq!(payment.status, PaymentStatus::Failed);
    assert_eq!(statuses, ["waiting", "failed"]);
    let (payment, statuses) = run_actions(&[Action::PayFull, Action::Refund]).await;
    assert_eq!(payment.status, PaymentStatus::Refunded);
    assert_statuses_after_progress(&statuses, &["finished", "refunded"]);
}

#[tokio::test]
async fn further_money_to_the_same_address_creates_child_payments() {
    let fixture = Fixture::start();
    let invoice = fixture.invoice(1_000).await;
    let parent = fixture
        .sandbox
        .pay(&invoice.id, Currency::Btc, &Action::PayFull)
        .unwrap();
    let more = Action::Redeposit(decimal("0.00001"));
    let other = Action::WrongAsset(Currency::Ltc, decimal("2"));
    for (action, code) in [(more, "btc"), (other, "ltc")] {
        let child = fixture.sandbox.act(&parent, &action).unwrap();
        fixture.sandbox.rest().await.unwrap();
        let (parent_payment, child) = (
            fixture.payment(&parent).await,
            fixture.payment(&child).await,
        );
        assert_ne!(child.id, parent);
        assert_eq!(child.parent.as_ref(), Some(&parent));
        assert_eq!(child.status, PaymentStatus::Finished);
        assert_eq!(child.pay_currency.as_deref(), Some(code));
        assert_eq!(child.actually_paid, child.pay_amount);
        // A child repeats its parent's order and price; only the outcome shows the child's own
        // value.
        assert_eq!(child.order_id, parent_payment.order_id);
        assert_eq!(child.invoice, parent_payment.invoice);
        assert_eq!(child.price_amount, parent_payment.price_amount);
        assert_eq!(child.pay_address, parent_payment.pay_address);
        assert_ne!(child.outcome_amount, parent_payment.outcome_amount);
    }
}

#[tokio::test]
async fn unknown_status_is_preserved() {
    let fixture = Fixture::start();
    let invoice = fixture.invoice(1_000).await;
    let id = fixture.sandbox.open(&invoice.id, Currency::Xmr).unwrap();
    fixture.sandbox.set_status(&id, "hibernating").unwrap();
    fixture.sandbox.rest().await.unwrap();
    let payment = fixture.payment(&id).await;
    assert_eq!(payment.status, PaymentStatus::parse("hibernating"));
    assert!(!payment.status.is_final());
    assert_eq!(
        payment.price_amount.unwrap().to_money(),
        Some(Money::from_cents(1_000))
    );
}
