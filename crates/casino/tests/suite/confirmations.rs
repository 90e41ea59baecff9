//! Confirming payments by hand, and resolving reviews.

use std::time::Duration;

use glasshouse_casino::administration::{Confirmation, check_payment, list, resolve_review};
use glasshouse_casino::{ActivePaymentQuery, Refusal, ReviewQuery};
use glasshouse_domain::Currency;
use glasshouse_sandbox::Action;
use rstest_reuse::apply;

use crate::support::administration::{
    administrator, audit_actions, confirm_payment, context, keyed,
};
use crate::support::cashier_fixture::{CashierFixture, at_once, dollars, open_review};
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn a_payment_is_credited_once_by_an_administrator_or_the_provider(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = fixture.deposit().await;
    let confirmation = |id: &str, cents| Confirmation {
        id: id.to_owned(),
        id_kind: None,
        player: fixture.player,
        amount: dollars(cents),
        currency: "BTC".to_owned(),
        reason: "it has arrived".to_owned(),
        may_propose: false,
    };
    let refused = confirm_payment(&fixture.cashier, context(admin), confirmation("1", 0)).await;
    assert_refused(refused, &Refusal::ConfirmedAmount);
    let refused = confirm_payment(&fixture.cashier, context(admin), confirmation("\u{0}", 5)).await;
    assert_refused(refused, &Refusal::UnknownPayment);
    let refused =
        confirm_payment(&fixture.cashier, context(admin), confirmation("123456", 5)).await;
    assert_refused(refused, &Refusal::UnknownPayment);
    let refused = confirm_payment(
        &fixture.cashier,
        context(admin),
        confirmation(invoice.as_str(), 5),
    )
    .await;
    assert_refused(refused, &Refusal::NoPayment);
    // Another coin is not credited automatically; an administrator decides once.
    let payment = fixture.pay_percent(&invoice, 100).await;
    let eth = "0.01".parse().unwrap();
    let child = fixture
        .act(&payment, &Action::WrongAsset(Currency::Eth, eth))
        .await;
    assert_eq!(fixture.reviews(), ["wrong_asset"]);
    let other = test.player("other", 0).await;
    let foreign = Confirmation {
        player: other,
        ..confirmation(child.as_str(), 2_500)
    };
    let refused = confirm_payment(&fixture.cashier, context(admin), foreign).await;
    assert_refused(refused, &Refusal::OtherPlayer);
    let servers = [fixture.cashier.clone(), fixture.another_cashier()];
    let outcomes = at_once(10, |number| {
        let (cashier, confirmation) = (
            servers[number % 2].clone(),
            confirmation(child.as_str(), 2_500),
        );
        async move { confirm_payment(&cashier, context(admin), confirmation).await }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for outcome in outcomes.into_iter().filter(Result::is_err) {
        assert_refused(outcome, &Refusal::AlreadyProcessed(dollars(2_500)));
    }
    assert_eq!(fixture.balance().await, 12_500);
    assert!(
        fixture.reviews().is_empty(),
        "the confirmation resolves the review"
    );
    // A payment credited automatically cannot be confirmed.
    let refused = confirm_payment(
        &fixture.cashier,
        context(admin),
        confirmation(payment.as_str(), 5),
    )
    .await;
    assert_refused(refused, &Refusal::AlreadyProcessed(dollars(10_000)));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_later_payment_is_credited_less_the_confirmed_amount(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    let confirmation = Confirmation {
        id: invoice.to_string(),
        id_kind: None,
        player: fixture.player,
        amount: dollars(6_000),
        currency: "btc".to_owned(),
        reason: "it has arrived".to_owned(),
        may_propose: false,
    };
    let done = confirm_payment(&fixture.cashier, context(admin), confirmation)
        .await
        .unwrap();
    assert_eq!(done.payment, payment.to_string());
    assert_eq!(fixture.balance().await, 6_000);
    fixture.act(&payment, &Action::PayFull).await;
    assert_eq!(fixture.balance().await, 10_000, "only the difference");
    let check = check_payment(&fixture.cashier, payment.as_str(), None)
        .await
        .unwrap();
    assert_eq!(check.record.unwrap().credits, 2);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn reviews_are_resolved_once(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "reader").await;
    let (_, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 300).await;
    let query = ReviewQuery {
        is_open: Some(true),
        limit: 10,
        ..ReviewQuery::default()
    };
    let review = list(&test.house, query.clone())
        .await
        .unwrap()
        .entries
        .remove(0);
    assert_eq!(review.player.as_ref().unwrap().id, fixture.player);
    let refused = resolve_review(&test.house, context(admin), review.id, " ").await;
    assert_refused(refused, &Refusal::ResolutionRequired);
    let done = resolve_review(&test.house, context(admin), review.id, "sent back")
        .await
        .unwrap();
    assert_eq!(done.resolution.as_deref(), Some("sent back"));
    let refused = resolve_review(&test.house, context(admin), review.id, "again").await;
    assert_refused(refused, &Refusal::AlreadyResolved);
    assert!(list(&test.house, query).await.unwrap().entries.is_empty());
    // The same payment state does not open the review again.
    fixture.reconcile_after(Duration::from_hours(2)).await;
    assert!(fixture.reviews().is_empty());
}

#[apply(both_databases)]
async fn confirming_an_invoice_credits_its_only_payment(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = fixture.deposit().await;
    let confirmation = |id: &str| Confirmation {
        id: id.to_owned(),
        id_kind: None,
        player: fixture.player,
        amount: dollars(1_000),
        currency: "btc".to_owned(),
        reason: "it has arrived".to_owned(),
        may_propose: false,
    };
    let one = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    let other = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    let confirm =
        async |id: &str| confirm_payment(&fixture.cashier, context(admin), confirmation(id)).await;
    assert_refused(confirm(invoice.as_str()).await, &Refusal::SeveralPayments);
    confirm(one.as_str()).await.unwrap();
    // The credited payment cannot be confirmed again by its own ID.
    let credited = Refusal::AlreadyProcessed(dollars(1_000));
    assert_refused(confirm(invoice.as_str()).await, &credited);
    assert_eq!(fixture.balance().await, 1_000);
    confirm(other.as_str()).await.unwrap();
    assert_eq!(fixture.balance().await, 2_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_repeated_confirmation_returns_the_first_result(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    let confirm = async |id: &str, cents, key: &str| {
        let confirmation = Confirmation {
            id: id.to_owned(),
            id_kind: None,
            player: fixture.player,
            amount: dollars(cents),
            currency: "btc".to_owned(),
            reason: "it has arrived".to_owned(),
            may_propose: false,
        };
        confirm_payment(&fixture.cashier, keyed(admin, key), confirmation).await
    };
    for _ in 0..2 {
        let done = confirm(invoice.as_str(), 1_000, "a").await.unwrap();
        assert_eq!(
            (done.payment.as_str(), done.credited),
            (payment.as_str(), dollars(1_000))
        );
    }
    assert_refused(
        confirm(invoice.as_str(), 1_001, "a").await,
        &Refusal::IdempotencyConflict,
    );
    assert_refused(
        confirm(payment.as_str(), 1_000, "a").await,
        &Refusal::IdempotencyConflict,
    );
    let credited = Refusal::AlreadyProcessed(dollars(1_000));
    assert_refused(confirm(payment.as_str(), 1_000, "b").await, &credited);
    assert_eq!(fixture.balance().await, 1_000);
    assert_eq!(
        audit_actions(test).await,
        ["payment_confirmed", "administrator_created"]
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn finished_payments_are_not_listed_as_active(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, paid) = fixture.deposit().await;
    fixture.pay_percent(&paid, 100).await;
    let (_, overpaid) = fixture.deposit().await;
    let payment = fixture.pay_percent(&overpaid, 300).await;
    let active = async || {
        let query = ActivePaymentQuery {
            limit: 10,
            ..ActivePaymentQuery::default()
        };
        let page = list(&test.house, query).await.unwrap();
        let entries = page.entries.into_iter();
        entries
            .map(|entry| (entry.id, entry.reviews))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        active().await,
        [(payment.to_string(), Some("overpaid".to_owned()))]
    );
    let review = open_review(&test.house).await;
    resolve_review(&test.house, context(admin), review.id, "sent back")
        .await
        .unwrap();
    assert_eq!(active().await, []);
}
