//! `docs/payments.md#rule-17`: a player cannot profit from paying late, after a coin's price has
//! fallen.

use std::time::Duration;

use glasshouse_casino::money::RateTerms;
use glasshouse_casino::money::deposits::create_deposit;
use glasshouse_domain::{Currency, DepositStatus};
use glasshouse_payments::InvoiceId;
use glasshouse_sandbox::{Action, FaultInjection};
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, RATES, part};
use crate::support::{Fixture, both_databases};

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

#[apply(both_databases)]
async fn rule_17_a_rate_holds_for_an_hour(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let check = async |waited: Duration, price_percent: u32, expected: i64| {
        let before = fixture.balance().await;
        let (deposit, invoice) = fixture.deposit().await;
        let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
        fixture.sandbox.rest().await.unwrap();
        fixture.pass_time(waited);
        fixture.sandbox.set_price(&payment, price_percent).unwrap();
        fixture.act(&payment, &Action::PayFull).await;
        assert_eq!(
            fixture.balance().await - before,
            expected,
            "{waited:?} {price_percent}"
        );
        assert_eq!(
            fixture.find(&deposit).await.status,
            DepositStatus::Completed
        );
    };
    check(MINUTE * 59, 50, 10_000).await;
    // 100.0008 dollars in satoshis at half their price, less 0.5 % and plus 1 %.
    check(MINUTE * 61, 50, 5_024).await;
    check(HOUR * 24 * 6, 50, 5_024).await;
    // If the coin's price has risen, the rate applies.
    check(MINUTE * 61, 200, 10_000).await;
    // The rate holds from the opening of the payment, however old the deposit is.
    let (_, invoice) = fixture.deposit().await;
    fixture.pass_time(HOUR * 5);
    let before = fixture.balance().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.set_price(&payment, 50).unwrap();
    fixture.act(&payment, &Action::PayFull).await;
    assert_eq!(fixture.balance().await - before, 10_000);
    assert!(fixture.reviews().is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_17_a_timely_payment_keeps_its_rate_if_the_house_processes_it_late(
    #[case] test: &Fixture,
) {
    let mut fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_percent(&invoice, 100).await;
    fixture.sandbox.set_price(&payment, 50).unwrap();
    fixture.pass_time(HOUR * 24);
    fixture.restart();
    fixture.reconcile_after(HOUR).await;
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_17_a_timely_part_does_not_hold_the_rate_for_the_rest(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 50).await;
    let in_time = fixture.balance().await;
    assert!((4_999..=5_000).contains(&in_time), "{in_time}");
    fixture.pass_time(HOUR * 2);
    fixture.sandbox.set_price(&payment, 20).unwrap();
    fixture.act(&payment, &Action::PayFull).await;
    // 49.75 and 9.95 dollars, plus the provider's 1 %.
    let credited = fixture.balance().await;
    assert!((6_028..=6_030).contains(&credited), "{credited}");
    assert!(fixture.reviews().is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_17_a_child_payment_has_its_parents_rate_while_that_holds(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 100).await;
    let requested = fixture.sandbox.asked(&payment).unwrap();
    fixture.sandbox.set_price(&payment, 50).unwrap();
    fixture
        .act(&payment, &Action::Redeposit(part(&requested, 7)))
        .await;
    let in_time = fixture.balance().await - 10_000;
    assert!((699..=700).contains(&in_time), "{in_time}");
    fixture.pass_time(MINUTE * 61);
    fixture
        .act(&payment, &Action::Redeposit(part(&requested, 7)))
        .await;
    let late = fixture.balance().await - 10_000 - in_time;
    assert!((350..=352).contains(&late), "{late}");
    assert!(fixture.reviews().is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_17_a_late_payment_of_unknown_value_is_reviewed(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    fixture.sandbox.inject_fault(FaultInjection {
        outcome_in_coins: true,
        ..FaultInjection::default()
    });
    let (_, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 100).await;
    assert_eq!(
        fixture.balance().await,
        10_000,
        "a timely payment is credited at the rate"
    );
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.pass_time(MINUTE * 61);
    fixture.act(&payment, &Action::PayFull).await;
    assert_eq!(fixture.balance().await, 10_000);
    assert_eq!(fixture.reviews(), ["late_payment"]);
    assert!(fixture.poll(&invoice).await.is_under_review);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_17_a_fixed_rate_holds_for_twenty_minutes(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let cashier = fixture.cashier_with(|options| {
        options.rates = RateTerms {
            is_fixed: true,
            life: MINUTE * 20,
            ..RATES
        };
    });
    let open = async || {
        let deposit = create_deposit(&cashier, fixture.deposit_request(10_000, Currency::Btc))
            .await
            .unwrap();
        let invoice = InvoiceId::parse(deposit.invoice_id.as_deref().unwrap()).unwrap();
        let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
        fixture.sandbox.rest().await.unwrap();
        payment
    };
    let in_time = open().await;
    fixture.pass_time(MINUTE * 19);
    fixture.sandbox.set_price(&in_time, 50).unwrap();
    let body = crate::support::cashier_fixture::callback_body(&in_time, "finished");
    fixture.close();
    fixture.act(&in_time, &Action::PayFull).await;
    fixture.send_callback_to(&cashier, &body).await.unwrap();
    assert_eq!(fixture.balance().await, 10_000);
    let late = open().await;
    fixture.pass_time(MINUTE * 21);
    fixture.sandbox.rest().await.unwrap();
    fixture.sandbox.set_price(&late, 50).unwrap();
    // The provider let the payment expire, but the money still arrives.
    fixture.act(&late, &Action::PayFull).await;
    let body = crate::support::cashier_fixture::callback_body(&late, "finished");
    fixture.send_callback_to(&cashier, &body).await.unwrap();
    assert_eq!(fixture.balance().await, 15_024);
    test.assert_clean().await;
}
