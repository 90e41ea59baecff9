//! `docs/payments.md#rule-17`: nobody waits at the house's cost until a coin has fallen.

use std::time::Duration;

use glasshouse_casino::money::RateTerms;
use glasshouse_casino::money::deposits::create_deposit;
use glasshouse_domain::{Currency, DepositStatus};
use glasshouse_payments::InvoiceId;
use glasshouse_sandbox::{Action, Misbehaviour};

use crate::desk::{Desk, RATES, part};
use crate::support::both;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

both! {
async fn rule_17_a_rate_holds_for_an_hour(test: &Fixture) {
    let desk = Desk::open(test).await;
    let check = async |waited: Duration, price_percent: u32, expected: i64| {
        let before = desk.balance().await;
        let (deposit, invoice) = desk.deposit().await;
        let payment = desk.sandbox.open(&invoice, Currency::Btc).unwrap();
        desk.sandbox.rest().await.unwrap();
        desk.pass_time(waited);
        desk.sandbox.set_price(&payment, price_percent).unwrap();
        desk.act(&payment, &Action::PayFull).await;
        assert_eq!(desk.balance().await - before, expected, "{waited:?} {price_percent}");
        assert_eq!(desk.find(&deposit).await.status, DepositStatus::Completed);
    };
    check(MINUTE * 59, 50, 10_000).await;
    // 100.0008 dollars in satoshis at half their price, less half a percent and with one more.
    check(MINUTE * 61, 50, 5_024).await;
    check(HOUR * 24 * 6, 50, 5_024).await;
    // A coin that has risen is credited at the rate.
    check(MINUTE * 61, 200, 10_000).await;
    // The deposit may be old: what counts is when its payment was opened.
    let (_, invoice) = desk.deposit().await;
    desk.pass_time(HOUR * 5);
    let before = desk.balance().await;
    let payment = desk.sandbox.open(&invoice, Currency::Btc).unwrap();
    desk.sandbox.set_price(&payment, 50).unwrap();
    desk.act(&payment, &Action::PayFull).await;
    assert_eq!(desk.balance().await - before, 10_000);
    assert!(desk.reviews().is_empty());
    test.assert_clean().await;
}
}

both! {
async fn rule_17_money_that_came_in_time_is_not_late_because_the_house_was(test: &Fixture) {
    let mut desk = Desk::open(test).await;
    let (_, invoice) = desk.deposit().await;
    desk.close();
    let payment = desk.pay_percent(&invoice, 100).await;
    desk.sandbox.set_price(&payment, 50).unwrap();
    desk.pass_time(HOUR * 24);
    desk.restart();
    desk.reconcile_after(HOUR).await;
    assert_eq!(desk.balance().await, 10_000);
    test.assert_clean().await;
}
}

both! {
async fn rule_17_a_part_in_time_does_not_hold_the_rate_for_the_rest(test: &Fixture) {
    let desk = Desk::open(test).await;
    let (_, invoice) = desk.deposit().await;
    let payment = desk.pay_percent(&invoice, 50).await;
    let in_time = desk.balance().await;
    assert!((4_999..=5_000).contains(&in_time), "{in_time}");
    desk.pass_time(HOUR * 2);
    desk.sandbox.set_price(&payment, 20).unwrap();
    desk.act(&payment, &Action::PayFull).await;
    // 49.75 dollars and 9.95, with the provider's percent.
    let credited = desk.balance().await;
    assert!((6_028..=6_030).contains(&credited), "{credited}");
    assert!(desk.reviews().is_empty());
    test.assert_clean().await;
}
}

both! {
async fn rule_17_a_child_has_its_parents_rate_for_as_long_as_that_holds(test: &Fixture) {
    let desk = Desk::open(test).await;
    let (_, invoice) = desk.deposit().await;
    let payment = desk.pay_percent(&invoice, 100).await;
    let asked = desk.sandbox.asked(&payment).unwrap();
    desk.sandbox.set_price(&payment, 50).unwrap();
    desk.act(&payment, &Action::Redeposit(part(&asked, 7))).await;
    let in_time = desk.balance().await - 10_000;
    assert!((699..=700).contains(&in_time), "{in_time}");
    desk.pass_time(MINUTE * 61);
    desk.act(&payment, &Action::Redeposit(part(&asked, 7))).await;
    let late = desk.balance().await - 10_000 - in_time;
    assert!((350..=352).contains(&late), "{late}");
    assert!(desk.reviews().is_empty());
    test.assert_clean().await;
}
}

both! {
async fn rule_17_what_late_money_brought_in_is_known_or_a_person_looks(test: &Fixture) {
    let desk = Desk::open(test).await;
    desk.sandbox.misbehave(Misbehaviour {
        outcome_in_coins: true,
        ..Misbehaviour::default()
    });
    let (_, invoice) = desk.deposit().await;
    desk.pay_percent(&invoice, 100).await;
    assert_eq!(desk.balance().await, 10_000, "in time, it is the rate that counts");
    let (_, invoice) = desk.deposit().await;
    let payment = desk.sandbox.open(&invoice, Currency::Btc).unwrap();
    desk.pass_time(MINUTE * 61);
    desk.act(&payment, &Action::PayFull).await;
    assert_eq!(desk.balance().await, 10_000);
    assert_eq!(desk.reviews(), ["late_payment"]);
    assert!(desk.poll(&invoice).await.is_under_review);
    test.assert_clean().await;
}
}

both! {
async fn rule_17_a_fixed_rate_holds_for_twenty_minutes(test: &Fixture) {
    let desk = Desk::open(test).await;
    let cashier = desk.cashier_with(|options| {
        options.rates = RateTerms {
            is_fixed: true,
            life: MINUTE * 20,
            ..RATES
        };
    });
    let open = async || {
        let deposit = create_deposit(&cashier, desk.wish(10_000, Currency::Btc)).await.unwrap();
        let invoice = InvoiceId::parse(deposit.invoice_id.as_deref().unwrap()).unwrap();
        let payment = desk.sandbox.open(&invoice, Currency::Btc).unwrap();
        desk.sandbox.rest().await.unwrap();
        payment
    };
    let in_time = open().await;
    desk.pass_time(MINUTE * 19);
    desk.sandbox.set_price(&in_time, 50).unwrap();
    let body = crate::crediting::body_of(&in_time, "finished");
    desk.close();
    desk.act(&in_time, &Action::PayFull).await;
    desk.hear_at(&cashier, &body).await.unwrap();
    assert_eq!(desk.balance().await, 10_000);
    let late = open().await;
    desk.pass_time(MINUTE * 21);
    desk.sandbox.rest().await.unwrap();
    desk.sandbox.set_price(&late, 50).unwrap();
    // The provider has let it expire; the money comes all the same.
    desk.act(&late, &Action::PayFull).await;
    let body = crate::crediting::body_of(&late, "finished");
    desk.hear_at(&cashier, &body).await.unwrap();
    assert_eq!(desk.balance().await, 15_024);
    test.assert_clean().await;
}
}
