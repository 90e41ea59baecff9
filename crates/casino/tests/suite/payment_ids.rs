//! Payments and invoices are numbered separately, so an ID can denote both; and reading a payment
//! changes nothing.

use glasshouse_casino::Refusal;
use glasshouse_casino::administration::{Confirmation, IdKind, check_payment, inspect_payment};
use glasshouse_domain::Currency;
use glasshouse_payments::PaymentStatus;
use rstest_reuse::apply;

use crate::support::administration::{administrator, confirm_payment, context};
use crate::support::cashier_fixture::{CashierFixture, dollars};
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn an_id_of_both_a_payment_and_an_invoice_needs_its_kind(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (deposit, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    // Another player's payment whose ID equals the invoice's.
    let reported = format!(
        r#"{{"payment_id":{invoice},"payment_status":"finished","price_amount":100,"price_currency":"usd"}}"#
    );
    test.sql(&format!(
        "INSERT INTO payments (id, standing, status, credited_cents, credits, details,
            first_seen_at_micros, updated_at_micros)
         VALUES ('{invoice}', 'orphan', 'finished', 0, 0, '{reported}', 1, 1)"
    ))
    .unwrap();
    let confirmation_as = |id_kind| Confirmation {
        id: invoice.to_string(),
        id_kind,
        player: fixture.player,
        amount: dollars(100),
        currency: "BTC".to_owned(),
        reason: "it has arrived".to_owned(),
        may_propose: false,
    };
    let confirm =
        async |kind| confirm_payment(&fixture.cashier, context(admin), confirmation_as(kind)).await;
    assert_refused(confirm(None).await, &Refusal::AmbiguousId);
    assert_eq!(fixture.balance().await, 0);
    let confirmed = confirm(Some(IdKind::Invoice)).await.unwrap();
    assert_eq!(confirmed.payment, payment.to_string());
    assert_eq!(fixture.find(&deposit).await.credited, dollars(100));
    let confirmed = confirm(Some(IdKind::Payment)).await.unwrap();
    assert_eq!(confirmed.payment, invoice.to_string());
    assert_eq!(fixture.balance().await, 200);
    // A payment's ID is not accepted as an invoice's.
    let confirmation = Confirmation {
        id: payment.to_string(),
        ..confirmation_as(Some(IdKind::Invoice))
    };
    let refused = confirm_payment(&fixture.cashier, context(admin), confirmation).await;
    assert_refused(refused, &Refusal::UnknownPayment);
}

#[apply(both_databases)]
async fn reading_a_payment_credits_nothing_and_checking_it_does(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_in_full(&invoice).await;
    for id in [payment.as_str(), invoice.as_str()] {
        let payment_view = inspect_payment(&fixture.cashier, id, None).await.unwrap();
        assert_eq!(
            (&*payment_view.id, payment_view.status),
            (id, PaymentStatus::Finished)
        );
        assert_eq!(payment_view.record, None);
    }
    let wrong = inspect_payment(&fixture.cashier, invoice.as_str(), Some(IdKind::Payment)).await;
    assert_refused(wrong, &Refusal::UnknownPayment);
    assert_eq!(fixture.balance().await, 0);
    assert!(test.texts("SELECT id AS value FROM payments").is_empty());
    let kind = Some(IdKind::Invoice);
    let check = check_payment(&fixture.cashier, invoice.as_str(), kind)
        .await
        .unwrap();
    assert_eq!(check.record.unwrap().credited, dollars(10_000));
    let payment_view = inspect_payment(&fixture.cashier, payment.as_str(), None)
        .await
        .unwrap();
    assert_eq!(payment_view.deposit.unwrap().credited, dollars(10_000));
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}
