//! Confirming unmatched payments, overpayments, and payments that were credited elsewhere.

use std::collections::HashMap;

use glasshouse_casino::administration::{
    self, Confirmation, Outcome, approve_proposal, check_payment, list, order_id_of, resolve_review,
};
use glasshouse_casino::{ActivePaymentQuery, MatchStatus, Refusal};
use glasshouse_domain::{Currency, ReviewKind, UserId};
use glasshouse_payments::{InvoiceRequest, PaymentId};
use glasshouse_sandbox::Action;
use rstest_reuse::apply;

use crate::support::administration::{administrator, confirm_payment, context};
use crate::support::cashier_fixture::{CashierFixture, client_of, dollars, open_review};
use crate::support::{Fixture, assert_refused, both_databases};

/// A payment made directly at the provider and announced to the house: it matches no deposit.
pub(crate) async fn unmatched_payment(fixture: &CashierFixture<'_>, cents: i64) -> PaymentId {
    let foreign = InvoiceRequest {
        price: dollars(cents),
        order_id: "made-by-hand".to_owned(),
        order_description: "by hand".to_owned(),
        pay_currency: None,
        ipn_callback_url: "http://127.0.0.1:1/".to_owned(),
        success_url: "http://127.0.0.1:1/".to_owned(),
        cancel_url: "http://127.0.0.1:1/".to_owned(),
        is_fixed_rate: false,
    };
    let invoice = client_of(&fixture.sandbox)
        .create_invoice(&foreign)
        .await
        .unwrap();
    let payment = fixture.pay_in_full(&invoice.id).await;
    check_payment(&fixture.cashier, payment.as_str(), None)
        .await
        .unwrap();
    payment
}

pub(crate) fn confirmation(id: &str, player: UserId, cents: i64) -> Confirmation {
    Confirmation {
        id: id.to_owned(),
        id_kind: None,
        player,
        amount: dollars(cents),
        currency: "btc".to_owned(),
        reason: "it has arrived".to_owned(),
        may_propose: false,
    }
}

#[apply(both_databases)]
async fn an_unmatched_payment_is_credited_to_the_confirmed_player(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (deposit, _) = fixture.deposit().await;
    let payment = unmatched_payment(&fixture, 3_000).await;
    let query = ActivePaymentQuery {
        limit: 10,
        ..ActivePaymentQuery::default()
    };
    let active = list(&test.house, query).await.unwrap().entries;
    let standings: HashMap<_, _> = active
        .iter()
        .map(|one| (one.id.clone(), one.match_status))
        .collect();
    let waiting = deposit.invoice_id.unwrap();
    assert_eq!(
        standings,
        HashMap::from([
            (payment.to_string(), MatchStatus::Unmatched),
            (waiting, MatchStatus::Matched),
        ])
    );
    let order = order_id_of(&active[0]);
    assert_eq!(
        order.as_deref(),
        Some("made-by-hand"),
        "as the provider reports it"
    );
    let request = confirmation(payment.as_str(), fixture.player, 3_000);
    confirm_payment(&fixture.cashier, context(admin), request)
        .await
        .unwrap();
    assert_eq!(fixture.balance().await, 3_000);
    assert!(fixture.reviews().is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_second_payment_of_a_confirmed_invoice_is_not_credited_on_top(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = fixture.deposit().await;
    let early = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    let request = confirmation(early.as_str(), fixture.player, 10_000);
    confirm_payment(&fixture.cashier, context(admin), request)
        .await
        .unwrap();
    // The money arrives by a second payment of the invoice: the cap of 150 % does not apply to it.
    fixture.pay_in_full(&invoice).await;
    assert_eq!(fixture.balance().await, 10_000);
    let review = open_review(&test.house).await;
    assert_eq!(
        (review.kind, review.amount),
        (ReviewKind::Overpaid, Some(dollars(10_000)))
    );
    assert!(
        review.details.contains(early.as_str()),
        "{}",
        review.details
    );
    // If the first payment then expires, a review is opened.
    fixture.act(&early, &Action::Expire).await;
    assert_eq!(fixture.reviews(), ["overpaid", "returned_after_credit"]);
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_overpaid_remainder_can_be_credited_only_once(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 200).await;
    assert_eq!(
        (fixture.balance().await, fixture.reviews()),
        (15_000, vec!["overpaid".to_owned()])
    );
    let confirm = async |cents| {
        let request = Confirmation {
            may_propose: true,
            ..confirmation(payment.as_str(), fixture.player, cents)
        };
        administration::confirm_payment(&fixture.cashier, context(admin), request).await
    };
    let second = administrator(test, "second").await;
    let credited = Refusal::AlreadyProcessed(dollars(15_000));
    assert_refused(confirm(5_001).await, &credited);
    // It is above the cap, so it takes two.
    let Outcome::Proposed(id) = confirm(5_000).await.unwrap() else {
        panic!("one person has credited more than the cap");
    };
    approve_proposal(&fixture.cashier, context(second), id)
        .await
        .unwrap();
    assert_refused(
        confirm(5_000).await,
        &Refusal::AlreadyProcessed(dollars(20_000)),
    );
    assert_eq!(fixture.balance().await, 20_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_credited_unmatched_payment_stays_with_its_player(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let other = test.player("other", 0).await;
    let payment = unmatched_payment(&fixture, 3_000).await;
    let request = confirmation(payment.as_str(), other, 3_000);
    confirm_payment(&fixture.cashier, context(admin), request)
        .await
        .unwrap();
    // A deposit for its order appears, as after restoring a backup.
    test.sql(&format!(
        "INSERT INTO deposits (player_id, order_id, currency, price_cents, status, credited_cents,
            created_at_micros, updated_at_micros)
         VALUES ({}, 'made-by-hand', 'btc', 3000, 'requested', 0, {now}, {now})",
        fixture.player,
        now = test.house.now().as_micros(),
    ))
    .unwrap();
    check_payment(&fixture.cashier, payment.as_str(), None)
        .await
        .unwrap();
    assert_eq!(fixture.reviews(), ["credited_to_another"]);
    assert_eq!(fixture.balance().await, 0);
    let review = open_review(&test.house).await;
    resolve_review(&test.house, context(admin), review.id, "told both")
        .await
        .unwrap();
    check_payment(&fixture.cashier, payment.as_str(), None)
        .await
        .unwrap();
    assert!(fixture.reviews().is_empty(), "the payment is reviewed once");
    // If the payment is then refunded, a review is opened.
    fixture.act(&payment, &Action::Refund).await;
    check_payment(&fixture.cashier, payment.as_str(), None)
        .await
        .unwrap();
    assert_eq!(fixture.reviews(), ["returned_after_credit"]);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_refunded_unmatched_payment_is_reviewed_if_it_was_credited(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let payment = unmatched_payment(&fixture, 3_000).await;
    let sent_back = unmatched_payment(&fixture, 2_000).await;
    let request = confirmation(payment.as_str(), fixture.player, 3_000);
    confirm_payment(&fixture.cashier, context(admin), request)
        .await
        .unwrap();
    assert_eq!(fixture.reviews(), ["orphan"], "the other payment's review");
    for payment in [&payment, &sent_back] {
        fixture.act(payment, &Action::Refund).await;
        check_payment(&fixture.cashier, payment.as_str(), None)
            .await
            .unwrap();
    }
    assert_eq!(fixture.reviews(), ["orphan", "returned_after_credit"]);
    let request = confirmation(sent_back.as_str(), fixture.player, 2_000);
    let refused = confirm_payment(&fixture.cashier, context(admin), request).await;
    assert_refused(refused, &Refusal::PaymentRefunded);
    assert_eq!(fixture.balance().await, 3_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn checking_an_invoice_checks_its_payments(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    let check = check_payment(&fixture.cashier, invoice.as_str(), None)
        .await
        .unwrap();
    assert_eq!(
        (check.id.as_str(), check.status.as_str()),
        (invoice.as_str(), "waiting")
    );
    assert!(check.record.is_none());
    assert_eq!(check.deposit.unwrap().id, deposit.id);
    let payment = fixture.pay_percent(&invoice, 100).await;
    let check = check_payment(&fixture.cashier, invoice.as_str(), None)
        .await
        .unwrap();
    assert_eq!(check.status.as_str(), "finished");
    assert_eq!(check.record.unwrap().id, payment.as_str());
    let unknown = check_payment(&fixture.cashier, "123456", None).await;
    assert_refused(unknown, &Refusal::UnknownPayment);
}
