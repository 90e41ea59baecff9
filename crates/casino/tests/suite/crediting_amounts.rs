//! The rules of `docs/payments.md#crediting` that say how much: rules 6 to 10; and what
//! no text of the provider's can do.

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
async fn rule_06_a_payment_that_is_not_our_record_is_quarantined(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    // A second invoice with our order id, for ten times as much.
    let forged = InvoiceRequest {
        price: dollars(100_000),
        order_id: deposit.order_id.clone(),
        order_description: "forged".to_owned(),
        pay_currency: None,
        ipn_callback_url: format!(
            "{}{}",
            desk_url(&fixture),
            glasshouse_casino::money::CALLBACK_PATH
        ),
        success_url: desk_url(&fixture),
        cancel_url: desk_url(&fixture),
        is_fixed_rate: false,
    };
    let other = client_of(&fixture.sandbox)
        .create_invoice(&forged)
        .await
        .unwrap();
    let payment = fixture
        .sandbox
        .pay(&other.id, Currency::Btc, &Action::PayFull)
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture
        .hear(&callback_body(&payment, "finished"))
        .await
        .unwrap();
    let record = fixture.payment(&payment).await.unwrap();
    assert_eq!(record.match_status, MatchStatus::OnHold);
    assert_eq!(record.deposit, Some(deposit.id));
    assert_eq!(fixture.reviews(), ["mismatch"]);
    assert_eq!(fixture.balance().await, 0);
    assert!(fixture.poll(&invoice).await.is_under_review);
    // It stays quarantined whatever is told of it later, and the real payment is not held up.
    fixture
        .sandbox
        .set_status(&payment, "partially_paid")
        .unwrap();
    fixture.sandbox.set_status(&payment, "finished").unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture
        .hear(&callback_body(&payment, "finished"))
        .await
        .unwrap();
    assert_eq!(fixture.balance().await, 0);
    fixture.pay_percent(&invoice, 100).await;
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

fn desk_url(fixture: &CashierFixture<'_>) -> String {
    fixture.sandbox.address().to_owned()
}

#[apply(both_databases)]
async fn rule_07_a_part_is_credited_as_a_part_and_then_only_the_rest(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    let asked = fixture.sandbox.asked(&payment).unwrap();
    let third = part(&asked, 33);
    fixture.act(&payment, &Action::Pay(third.clone())).await;
    let exact = glasshouse_payments::proportion(dollars(10_000), &third, &asked).unwrap();
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
    // More of it, still not all.
    fixture.pay_more(&payment, 33).await;
    let more = fixture.balance().await;
    assert!(more > 6_590 && more <= 6_600, "{more}");
    // The rest.
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
async fn rule_08_more_is_credited_up_to_the_cap_and_then_looked_at(#[case] test: &Fixture) {
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
    let told = test.texts("SELECT CAST(amount_cents AS TEXT) AS value FROM reviews");
    let rest: i64 = told.first().unwrap().parse().unwrap();
    assert!((34_999..=35_000).contains(&rest), "{rest}");
    assert_eq!(
        fixture.find(&deposit).await.status,
        DepositStatus::Completed
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_09_a_child_is_worth_its_own_amount(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 100).await;
    let asked = fixture.sandbox.asked(&payment).unwrap();
    // Its price says a hundred dollars like its parent's.
    let child = fixture
        .act(&payment, &Action::Redeposit(part(&asked, 7)))
        .await;
    assert_ne!(child, payment);
    let credited = fixture.balance().await;
    assert!((10_699..=10_700).contains(&credited), "{credited}");
    // Another coin has no rate here.
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
async fn rule_09_a_child_whose_parent_was_never_told_waits_for_it(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_percent(&invoice, 50).await;
    let asked = fixture.sandbox.asked(&payment).unwrap();
    let child = fixture
        .act(&payment, &Action::Redeposit(part(&asked, 10)))
        .await;
    fixture
        .hear(&callback_body(&child, "finished"))
        .await
        .unwrap();
    assert_eq!(fixture.payment(&payment).await.unwrap().credits, 1);
    let credited = fixture.balance().await;
    assert!((5_998..=6_000).contains(&credited), "{credited}");
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_09_what_belongs_to_no_order_is_an_orphan(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let foreign = InvoiceRequest {
        price: dollars(5_000),
        order_id: "of-somebody-else".to_owned(),
        order_description: "foreign".to_owned(),
        pay_currency: None,
        ipn_callback_url: format!("{}/nowhere", desk_url(&fixture)),
        success_url: desk_url(&fixture),
        cancel_url: desk_url(&fixture),
        is_fixed_rate: false,
    };
    let other = client_of(&fixture.sandbox)
        .create_invoice(&foreign)
        .await
        .unwrap();
    let payment = fixture
        .sandbox
        .pay(&other.id, Currency::Btc, &Action::PayFull)
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    let asked = fixture.sandbox.asked(&payment).unwrap();
    let child = fixture
        .sandbox
        .act(&payment, &Action::Redeposit(part(&asked, 50)))
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    for id in [&child, &payment, &child] {
        assert_eq!(
            fixture.hear(&callback_body(id, "finished")).await.unwrap(),
            IpnOutcome::Processed
        );
        let record = fixture.payment(id).await.unwrap();
        assert_eq!(
            (record.match_status, record.deposit),
            (MatchStatus::Unmatched, None)
        );
        assert!(
            record.details.contains("of-somebody-else"),
            "all of it is kept"
        );
    }
    assert_eq!(fixture.reviews(), ["orphan", "orphan"]);
    assert_eq!(fixture.balance().await, 0);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_10_late_money_is_still_credited(#[case] test: &Fixture) {
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
    // What it brought in, with the provider's fee, is no less than its rate says.
    assert_eq!(fixture.balance().await, 10_000);
    assert_eq!(
        fixture.find(&deposit).await.status,
        DepositStatus::Completed
    );
    // A part that is late is a part.
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
async fn rule_08_the_cap_holds_for_all_payments_of_a_deposit_together(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let mut first = None;
    for _ in 0..3 {
        first = Some(fixture.pay_percent(&invoice, 100).await);
    }
    assert_eq!(fixture.balance().await, 15_000);
    let first = first.unwrap();
    let asked = fixture.sandbox.asked(&first).unwrap();
    fixture
        .act(&first, &Action::Redeposit(part(&asked, 50)))
        .await;
    assert_eq!(fixture.balance().await, 15_000);
    assert_eq!(fixture.reviews(), ["overpaid"; 3]);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_09_a_child_whose_parent_is_left_out_is_a_child_all_the_same(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 100).await;
    let asked = fixture.sandbox.asked(&payment).unwrap();
    fixture.sandbox.inject_fault(FaultInjection {
        omit_parent: true,
        ..FaultInjection::default()
    });
    // The callback tells the parent.
    let child = fixture
        .act(&payment, &Action::Redeposit(part(&asked, 1)))
        .await;
    assert_eq!(
        fixture.payment(&child).await.unwrap().parent,
        Some(payment.to_string())
    );
    // No callback, so nothing tells it but that both went to one address.
    fixture.close();
    fixture
        .act(&payment, &Action::Redeposit(part(&asked, 1)))
        .await;
    fixture.reconcile_after(Duration::from_hours(2)).await;
    let credited = fixture.balance().await;
    assert!((10_198..=10_200).contains(&credited), "{credited}");
    assert!(fixture.reviews().is_empty());
    // What it was once is not forgotten when it is told otherwise.
    fixture.sandbox.act(&child, &Action::Refund).unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture
        .hear(&callback_body(&child, "refunded"))
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
async fn rule_11_no_text_of_the_providers_disturbs_the_house(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    for status in [
        "x\u{0}y",
        "\u{1b}[2J",
        "\u{202e}",
        &"long".repeat(1_000),
        "'; DROP TABLE payments",
    ] {
        fixture.sandbox.set_status(&payment, status).unwrap();
        fixture.sandbox.rest().await.unwrap();
        assert_eq!(
            fixture
                .hear(&callback_body(&payment, "waiting"))
                .await
                .unwrap(),
            IpnOutcome::Processed
        );
        let kept = fixture.payment(&payment).await.unwrap().status;
        assert!(
            kept.len() <= 64 && !kept.contains(char::is_control),
            "{kept}"
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
