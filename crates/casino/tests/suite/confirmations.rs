//! Payments that a person confirms, and what a person must look at.

use std::time::Duration;

use glasshouse_casino::administration::{
    Confirmation, check_payment, confirm_payment, list, resolve_review,
};
use glasshouse_casino::{ActivePaymentQuery, Refusal, ReviewQuery};
use glasshouse_domain::Currency;
use glasshouse_sandbox::Action;

use crate::administration::{acting, actions, administrator, keyed};
use crate::desk::{Desk, at_once, dollars};
use crate::support::{assert_refused, both};

both! {
async fn a_payment_is_confirmed_once_by_hand_or_by_the_provider(test: &Fixture) {
    let desk = Desk::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = desk.deposit().await;
    let wish = |id: &str, cents| Confirmation {
        id: id.to_owned(),
        id_kind: None,
        player: desk.player,
        amount: dollars(cents),
        currency: "BTC".to_owned(),
    };
    let refused = confirm_payment(&desk.cashier, acting(admin), wish("1", 0)).await;
    assert_refused(refused, &Refusal::ConfirmedAmount);
    let refused = confirm_payment(&desk.cashier, acting(admin), wish("\u{0}", 5)).await;
    assert_refused(refused, &Refusal::UnknownPayment);
    let refused = confirm_payment(&desk.cashier, acting(admin), wish("123456", 5)).await;
    assert_refused(refused, &Refusal::UnknownPayment);
    let refused = confirm_payment(&desk.cashier, acting(admin), wish(invoice.as_str(), 5)).await;
    assert_refused(refused, &Refusal::NoPayment);
    // Another coin: nothing is credited by itself, and a person decides, once.
    let payment = desk.pay_percent(&invoice, 100).await;
    let eth = "0.01".parse().unwrap();
    let child = desk.act(&payment, &Action::WrongAsset(Currency::Eth, eth)).await;
    assert_eq!(desk.reviews(), ["wrong_asset"]);
    let other = test.player("other", 0).await;
    let foreign = Confirmation { player: other, ..wish(child.as_str(), 2_500) };
    let refused = confirm_payment(&desk.cashier, acting(admin), foreign).await;
    assert_refused(refused, &Refusal::OtherPlayer);
    let servers = [desk.cashier.clone(), desk.another_cashier()];
    let outcomes = at_once(10, |number| {
        let (cashier, wish) = (servers[number % 2].clone(), wish(child.as_str(), 2_500));
        async move { confirm_payment(&cashier, acting(admin), wish).await }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for outcome in outcomes.into_iter().filter(Result::is_err) {
        assert_refused(outcome, &Refusal::AlreadyProcessed(dollars(2_500)));
    }
    assert_eq!(desk.balance().await, 12_500);
    assert!(desk.reviews().is_empty(), "the confirmation answers the review");
    // What was credited by the provider's word is not credited by hand.
    let refused = confirm_payment(&desk.cashier, acting(admin), wish(payment.as_str(), 5)).await;
    assert_refused(refused, &Refusal::AlreadyProcessed(dollars(10_000)));
    test.assert_clean().await;
}
}

both! {
async fn a_confirmation_by_hand_counts_when_the_provider_tells_of_it_later(test: &Fixture) {
    let desk = Desk::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = desk.deposit().await;
    let payment = desk.sandbox.open(&invoice, Currency::Btc).unwrap();
    desk.sandbox.rest().await.unwrap();
    let wish = Confirmation {
        id: invoice.to_string(),
        id_kind: None,
        player: desk.player,
        amount: dollars(6_000),
        currency: "btc".to_owned(),
    };
    let done = confirm_payment(&desk.cashier, acting(admin), wish).await.unwrap();
    assert_eq!(done.payment, payment.to_string());
    assert_eq!(desk.balance().await, 6_000);
    desk.act(&payment, &Action::PayFull).await;
    assert_eq!(desk.balance().await, 10_000, "only the difference");
    let check = check_payment(&desk.cashier, payment.as_str(), None).await.unwrap();
    assert_eq!(check.record.unwrap().credits, 2);
    test.assert_clean().await;
}
}

both! {
async fn reviews_are_resolved_once(test: &Fixture) {
    let desk = Desk::open(test).await;
    let admin = administrator(test, "reader").await;
    let (_, invoice) = desk.deposit().await;
    desk.pay_percent(&invoice, 300).await;
    let query = ReviewQuery { is_open: Some(true), limit: 10, ..ReviewQuery::default() };
    let review = list(&test.house, query.clone()).await.unwrap().entries.remove(0);
    assert_eq!(review.player.as_ref().unwrap().id, desk.player);
    let refused = resolve_review(&test.house, acting(admin), review.id, " ").await;
    assert_refused(refused, &Refusal::ResolutionRequired);
    let done = resolve_review(&test.house, acting(admin), review.id, "sent back").await.unwrap();
    assert_eq!(done.resolution.as_deref(), Some("sent back"));
    let refused = resolve_review(&test.house, acting(admin), review.id, "again").await;
    assert_refused(refused, &Refusal::AlreadyResolved);
    assert!(list(&test.house, query).await.unwrap().entries.is_empty());
    // The same facts do not open it again.
    desk.reconcile_after(Duration::from_hours(2)).await;
    assert!(desk.reviews().is_empty());
}
}

both! {
async fn an_invoice_is_confirmed_by_its_only_payment(test: &Fixture) {
    let desk = Desk::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = desk.deposit().await;
    let wish = |id: &str| Confirmation {
        id: id.to_owned(),
        id_kind: None,
        player: desk.player,
        amount: dollars(1_000),
        currency: "btc".to_owned(),
    };
    let one = desk.sandbox.open(&invoice, Currency::Btc).unwrap();
    let other = desk.sandbox.open(&invoice, Currency::Btc).unwrap();
    desk.sandbox.rest().await.unwrap();
    let confirm = async |id: &str| confirm_payment(&desk.cashier, acting(admin), wish(id)).await;
    assert_refused(confirm(invoice.as_str()).await, &Refusal::SeveralPayments);
    confirm(one.as_str()).await.unwrap();
    // Whichever payment of it was credited: by its own id it is not credited again.
    let credited = Refusal::AlreadyProcessed(dollars(1_000));
    assert_refused(confirm(invoice.as_str()).await, &credited);
    assert_eq!(desk.balance().await, 1_000);
    confirm(other.as_str()).await.unwrap();
    assert_eq!(desk.balance().await, 2_000);
    test.assert_clean().await;
}
}

both! {
async fn a_repeated_confirmation_answers_the_first_one(test: &Fixture) {
    let desk = Desk::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, invoice) = desk.deposit().await;
    let payment = desk.sandbox.open(&invoice, Currency::Btc).unwrap();
    desk.sandbox.rest().await.unwrap();
    let confirm = async |id: &str, cents, key: &str| {
        let wish = Confirmation {
            id: id.to_owned(),
        id_kind: None,
            player: desk.player,
            amount: dollars(cents),
            currency: "btc".to_owned(),
        };
        confirm_payment(&desk.cashier, keyed(admin, key), wish).await
    };
    for _ in 0..2 {
        let done = confirm(invoice.as_str(), 1_000, "a").await.unwrap();
        assert_eq!((done.payment.as_str(), done.credited), (payment.as_str(), dollars(1_000)));
    }
    assert_refused(confirm(invoice.as_str(), 1_001, "a").await, &Refusal::IdempotencyConflict);
    assert_refused(confirm(payment.as_str(), 1_000, "a").await, &Refusal::IdempotencyConflict);
    let credited = Refusal::AlreadyProcessed(dollars(1_000));
    assert_refused(confirm(payment.as_str(), 1_000, "b").await, &credited);
    assert_eq!(desk.balance().await, 1_000);
    assert_eq!(actions(test).await, ["payment_confirmed", "administrator_created"]);
    test.assert_clean().await;
}
}

both! {
async fn what_has_ended_well_is_not_listed_as_active(test: &Fixture) {
    let desk = Desk::open(test).await;
    let admin = administrator(test, "cashier").await;
    let (_, paid) = desk.deposit().await;
    desk.pay_percent(&paid, 100).await;
    let (_, overpaid) = desk.deposit().await;
    let payment = desk.pay_percent(&overpaid, 300).await;
    let active = async || {
        let query = ActivePaymentQuery { limit: 10, ..ActivePaymentQuery::default() };
        let page = list(&test.house, query).await.unwrap();
        let entries = page.entries.into_iter();
        entries.map(|entry| (entry.id, entry.reviews)).collect::<Vec<_>>()
    };
    assert_eq!(active().await, [(payment.to_string(), Some("overpaid".to_owned()))]);
    let query = ReviewQuery { is_open: Some(true), limit: 10, ..ReviewQuery::default() };
    let review = list(&test.house, query).await.unwrap().entries.remove(0);
    resolve_review(&test.house, acting(admin), review.id, "sent back").await.unwrap();
    assert_eq!(active().await, []);
}
}
