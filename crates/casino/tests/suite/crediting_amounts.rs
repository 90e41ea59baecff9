//! Rules 6 to 10 of `docs/payments.md#crediting`: which amount is credited; and rule 11 for
//! malformed texts from the provider.

use std::time::Duration;

use glasshouse_casino::money::deposits::await_deposit;
use glasshouse_casino::money::payments::IpnOutcome;
use glasshouse_casino::{CasinoError, Refusal};
use glasshouse_domain::{Currency, DepositStatus};
use glasshouse_payments::InvoiceRequest;
use glasshouse_persistence::money::MatchStatus;
use glasshouse_sandbox::{Action, FaultInjection};
use rstest_reuse::apply;

use crate::support::cashier_fixture::callback_body;
use crate::support::cashier_fixture::{CashierFixture, client_of, dollars, part};
use crate::support::{Fixture, both_databases};

const DAY: Duration = Duration::from_hours(24);

#[apply(both_databases)]
async fn rule_06_a_payment_that_differs_from_our_record_is_quarantined(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    // A second invoice with our order ID, for ten times the amount.
    let forged = InvoiceRequest {
        price: dollars(100_000),
        order_id: deposit.order_id.clone(),
        order_description: "forged".to_owned(),
        pay_currency: None,
        ipn_callback_url: format!(
            "{}{}",
            sandbox_url(&fixture),
            crate::support::cashier_fixture::CALLBACK_PATH
        ),
        success_url: sandbox_url(&fixture),
        cancel_url: sandbox_url(&fixture),
        is_fixed_rate: false,
    };
    let other = client_of(&fixture.sandbox)
        .create_invoice(&forged)
        .await
        .unwrap();
    let payment = fixture.pay_in_full(&other.id).await;
    fixture
        .send_callback(&callback_body(&payment, "finished"))
        .await
        .unwrap();
    let record = fixture.payment(&payment).await.unwrap();
    assert_eq!(record.match_status, MatchStatus::OnHold);
    assert_eq!(record.deposit, Some(deposit.id));
    assert_eq!(fixture.reviews(), ["mismatch"]);
    assert_eq!(fixture.balance().await, 0);
    assert!(fixture.poll(&invoice).await.is_under_review);
    // It stays quarantined whatever its later statuses are, and does not block the real payment.
    fixture
        .sandbox
        .set_status(&payment, "partially_paid")
        .unwrap();
    fixture.sandbox.set_status(&payment, "finished").unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture
        .send_callback(&callback_body(&payment, "finished"))
        .await
        .unwrap();
    assert_eq!(fixture.balance().await, 0);
    fixture.pay_percent(&invoice, 100).await;
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

fn sandbox_url(fixture: &CashierFixture<'_>) -> String {
    fixture.sandbox.address().to_owned()
}

#[apply(both_databases)]
async fn rule_07_a_partial_payment_is_credited_in_proportion_and_then_the_rest(
    #[case] test: &Fixture,
) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    let requested = fixture.sandbox.asked(&payment).unwrap();
    let third = part(&requested, 33);
    fixture.act(&payment, &Action::Pay(third.clone())).await;
    let exact = glasshouse_payments::proportion(dollars(10_000), &third, &requested).unwrap();
    assert!(
        exact <= dollars(3_300) && exact >= dollars(3_299),
        "{exact}"
    );
    assert_eq!(fixture.balance().await, exact.cents());
    let view = fixture.poll(&invoice).await;
    assert_eq!(view.deposit.status, DepositStatus::Pending);
    assert_eq!(
        view.deposit.external_status.as_deref(),
        Some("partially_paid")
    );
    assert_eq!(view.deposit.credited, exact);
    // A second part; the price is still not reached.
    fixture.pay_more(&payment, 33).await;
    let more = fixture.balance().await;
    assert!(more > 6_590 && more <= 6_600, "{more}");
    // The remaining amount.
    fixture.act(&payment, &Action::PayFull).await;
    assert_eq!(fixture.balance().await, 10_000);
    assert_eq!(
        fixture.find(&deposit).await.status,
        DepositStatus::Completed
    );
    assert_eq!(fixture.payment(&payment).await.unwrap().credits, 3);
    assert!(fixture.reviews().is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_08_an_overpayment_is_credited_up_to_the_cap_and_then_reviewed(
    #[case] test: &Fixture,
) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 120).await;
    let credited = fixture.balance().await;
    assert!((11_999..=12_000).contains(&credited), "{credited}");
    assert!(fixture.reviews().is_empty());
    let (deposit, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 500).await;
    assert_eq!(fixture.balance().await, credited + 15_000);
    assert_eq!(fixture.reviews(), ["overpaid"]);
    let amounts = test.texts("SELECT CAST(amount_cents AS TEXT) AS value FROM reviews");
    let rest: i64 = amounts.first().unwrap().parse().unwrap();
    assert!((34_999..=35_000).contains(&rest), "{rest}");
    assert_eq!(
        fixture.find(&deposit).await.status,
        DepositStatus::Completed
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_09_a_child_payment_is_credited_by_its_own_amount(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 100).await;
    let requested = fixture.sandbox.asked(&payment).unwrap();
    // Its price is 100 dollars, like its parent's.
    let child = fixture
        .act(&payment, &Action::Redeposit(part(&requested, 7)))
        .await;
    assert_ne!(child, payment);
    let credited = fixture.balance().await;
    assert!((10_699..=10_700).contains(&credited), "{credited}");
    // There is no rate for a payment in another coin.
    let eth = "0.5".parse().unwrap();
    let wrong = fixture
        .act(&payment, &Action::WrongAsset(Currency::Eth, eth))
        .await;
    assert_eq!(fixture.payment(&wrong).await.unwrap().status, "finished");
    assert_eq!(fixture.reviews(), ["wrong_asset"]);
    assert_eq!(fixture.balance().await, credited);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_09_a_child_payment_also_credits_its_unannounced_parent(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_percent(&invoice, 50).await;
    let requested = fixture.sandbox.asked(&payment).unwrap();
    let child = fixture
        .act(&payment, &Action::Redeposit(part(&requested, 10)))
        .await;
    fixture
        .send_callback(&callback_body(&child, "finished"))
        .await
        .unwrap();
    assert_eq!(fixture.payment(&payment).await.unwrap().credits, 1);
    let credited = fixture.balance().await;
    assert!((5_998..=6_000).contains(&credited), "{credited}");
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_09_a_payment_without_an_order_is_unmatched(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let foreign = InvoiceRequest {
        price: dollars(5_000),
        order_id: "of-somebody-else".to_owned(),
        order_description: "foreign".to_owned(),
        pay_currency: None,
        ipn_callback_url: format!("{}/nowhere", sandbox_url(&fixture)),
        success_url: sandbox_url(&fixture),
        cancel_url: sandbox_url(&fixture),
        is_fixed_rate: false,
    };
    let other = client_of(&fixture.sandbox)
        .create_invoice(&foreign)
        .await
        .unwrap();
    let payment = fixture.pay_in_full(&other.id).await;
    let requested = fixture.sandbox.asked(&payment).unwrap();
    let child = fixture
        .sandbox
        .act(&payment, &Action::Redeposit(part(&requested, 50)))
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    for id in [&child, &payment, &child] {
        assert_eq!(
            fixture
                .send_callback(&callback_body(id, "finished"))
                .await
                .unwrap(),
            IpnOutcome::Processed
        );
        let record = fixture.payment(id).await.unwrap();
        assert_eq!(
            (record.match_status, record.deposit),
            (MatchStatus::Unmatched, None)
        );
        assert!(
            record.details.contains("of-somebody-else"),
            "the provider's answer is stored"
        );
    }
    assert_eq!(fixture.reviews(), ["orphan", "orphan"]);
    assert_eq!(fixture.balance().await, 0);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_10_a_late_payment_is_still_credited(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    let payment = fixture
        .sandbox
        .pay(&invoice, Currency::Btc, &Action::Expire)
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(fixture.find(&deposit).await.status, DepositStatus::Expired);
    assert_eq!(fixture.balance().await, 0);
    fixture.pass_time(DAY * 30);
    fixture.act(&payment, &Action::PayLate).await;
    // The outcome amount plus the provider's fee is worth no less than by the payment's rate.
    assert_eq!(fixture.balance().await, 10_000);
    assert_eq!(
        fixture.find(&deposit).await.status,
        DepositStatus::Completed
    );
    // A late partial payment is credited in proportion.
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture
        .sandbox
        .pay(&invoice, Currency::Btc, &Action::Expire)
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture.pay_more(&payment, 50).await;
    let credited = fixture.balance().await;
    assert!((14_999..=15_000).contains(&credited), "{credited}");
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_08_the_cap_applies_to_the_sum_of_a_deposits_payments(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let mut first = None;
    for _ in 0..3 {
        first = Some(fixture.pay_percent(&invoice, 100).await);
    }
    assert_eq!(fixture.balance().await, 15_000);
    let first = first.unwrap();
    let requested = fixture.sandbox.asked(&first).unwrap();
    fixture
        .act(&first, &Action::Redeposit(part(&requested, 50)))
        .await;
    assert_eq!(fixture.balance().await, 15_000);
    assert_eq!(fixture.reviews(), ["overpaid"; 3]);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_09_a_child_payment_is_recognized_without_its_parent_id(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 100).await;
    let requested = fixture.sandbox.asked(&payment).unwrap();
    fixture.sandbox.inject_fault(FaultInjection {
        omit_parent: true,
        ..FaultInjection::default()
    });
    // The callback names the parent.
    let child = fixture
        .act(&payment, &Action::Redeposit(part(&requested, 1)))
        .await;
    assert_eq!(
        fixture.payment(&child).await.unwrap().parent,
        Some(payment.to_string())
    );
    // Without a callback, only the shared address identifies the child.
    fixture.close();
    fixture
        .act(&payment, &Action::Redeposit(part(&requested, 1)))
        .await;
    fixture.reconcile_after(Duration::from_hours(2)).await;
    let credited = fixture.balance().await;
    assert!((10_198..=10_200).contains(&credited), "{credited}");
    assert!(fixture.reviews().is_empty());
    // The parent stays recorded when a later answer omits it.
    fixture.sandbox.act(&child, &Action::Refund).unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture
        .send_callback(&callback_body(&child, "refunded"))
        .await
        .unwrap();
    assert_eq!(
        fixture.payment(&child).await.unwrap().parent,
        Some(payment.to_string())
    );
    assert_eq!(fixture.reviews(), ["returned_after_credit"]);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_11_malformed_texts_from_the_provider_are_harmless(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    for malformed in [
        "x\u{0}y",
        "\u{1b}[2J",
        "\u{202e}",
        &"long".repeat(1_000),
        "'; DROP TABLE payments",
    ] {
        fixture.sandbox.set_status(&payment, malformed).unwrap();
        fixture.sandbox.rest().await.unwrap();
        assert_eq!(
            fixture
                .send_callback(&callback_body(&payment, "waiting"))
                .await
                .unwrap(),
            IpnOutcome::Processed
        );
        let status = fixture.payment(&payment).await.unwrap().status;
        assert!(
            status.len() <= 64 && !status.contains(char::is_control),
            "{status}"
        );
    }
    let outcome = await_deposit(&fixture.cashier, fixture.player, "\u{0}".to_owned()).await;
    assert!(matches!(
        outcome,
        Err(CasinoError::Refused(Refusal::NotFound))
    ));
    assert!(
        test.texts("SELECT payment_id AS value FROM pending_callbacks")
            .is_empty()
    );
}
