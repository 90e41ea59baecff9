//! Rules 5, 11, 12 and 15 of `docs/payments.md#crediting`: which payment statuses credit a deposit.

use glasshouse_casino::money::deposits::await_deposit;
use glasshouse_casino::{CasinoError, Refusal};
use glasshouse_domain::{Currency, DepositStatus};
use glasshouse_sandbox::{Action, FaultInjection};
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, callback_body, dollars};
use crate::support::{Fixture, both_databases};
fn permutations(items: &[&'static str]) -> Vec<Vec<&'static str>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, first) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(index);
        for mut tail in permutations(&rest) {
            tail.insert(0, first);
            all.push(tail);
        }
    }
    all
}

#[apply(both_databases)]
async fn rule_05_statuses_never_go_backwards(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let orders = permutations(&["waiting", "confirming", "confirmed", "sending", "finished"]);
    assert_eq!(orders.len(), 120);
    let mut expected = 0;
    for order in orders {
        let deposit = fixture.deposit_of(1_000, Currency::Btc).await.unwrap();
        let invoice = glasshouse_payments::InvoiceId::parse(&deposit.invoice_id.clone().unwrap());
        // The callbacks of the payment are dropped; then the provider reports the five statuses in
        // this order.
        fixture.sandbox.inject_fault(FaultInjection {
            drop: true,
            count: Some(6),
            ..FaultInjection::default()
        });
        let payment = fixture.pay_percent(&invoice.unwrap(), 100).await;
        fixture.sandbox.inject_fault(FaultInjection::default());
        expected += 1_000;
        let mut is_finished = false;
        for status in &order {
            fixture.sandbox.set_status(&payment, status).unwrap();
            fixture.sandbox.rest().await.unwrap();
            is_finished |= *status == "finished";
            let record = fixture.payment(&payment).await.unwrap();
            assert_eq!(record.status == "finished", is_finished, "{order:?}");
            assert_eq!(
                record.credited,
                dollars(if is_finished { 1_000 } else { 0 }),
                "{order:?}"
            );
        }
        assert_eq!(fixture.balance().await, expected, "{order:?}");
        let after = fixture.find(&deposit).await;
        assert_eq!(after.external_status.as_deref(), Some("finished"));
        assert_eq!(after.status, DepositStatus::Completed);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_11_unfinished_payments_are_shown_but_not_credited(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_percent(&invoice, 100).await;
    for status in [
        "waiting",
        "confirming",
        "confirmed",
        "sending",
        "brand_new",
        "FINISHED",
    ] {
        fixture.sandbox.set_status(&payment, status).unwrap();
        fixture.sandbox.rest().await.unwrap();
        fixture
            .send_callback(&callback_body(&payment, status))
            .await
            .unwrap();
        let view = fixture.poll(&invoice).await;
        assert_eq!(view.deposit.external_status.as_deref(), Some(status));
        assert_eq!(view.deposit.status, DepositStatus::Pending);
        assert_eq!(fixture.balance().await, 0, "{status}");
    }
    fixture.sandbox.set_status(&payment, "finished").unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(
        fixture.poll(&invoice).await.deposit.credited,
        dollars(10_000)
    );
    assert_eq!(
        fixture.find(&deposit).await.status,
        DepositStatus::Completed
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_12_a_payment_returned_after_its_credit_is_reviewed(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    for (action, status) in [(Action::Refund, "refunded"), (Action::Fail, "failed")] {
        let (deposit, invoice) = fixture.deposit().await;
        let payment = fixture.pay_percent(&invoice, 100).await;
        let before = fixture.balance().await;
        fixture.act(&payment, &action).await;
        assert_eq!(
            fixture.balance().await,
            before,
            "the credit is not reversed"
        );
        assert_eq!(fixture.payment(&payment).await.unwrap().status, status);
        assert_eq!(
            fixture.find(&deposit).await.status,
            DepositStatus::Completed
        );
    }
    assert_eq!(
        fixture.reviews(),
        ["returned_after_credit", "returned_after_credit"]
    );
    // A payment that fails before any credit opens no review.
    let (deposit, invoice) = fixture.deposit().await;
    let payment = fixture
        .sandbox
        .pay(&invoice, Currency::Btc, &Action::Fail)
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(fixture.reviews().len(), 2);
    assert_eq!(fixture.find(&deposit).await.status, DepositStatus::Failed);
    // Money that arrives after the final status is not credited but opens a review.
    fixture.sandbox.set_status(&payment, "finished").unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(
        fixture.reviews().last().map(String::as_str),
        Some("unclear")
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_15_returning_from_the_payment_page_credits_nothing(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    fixture.close();
    fixture.pay_percent(&invoice, 100).await;
    // These calls do not query the provider.
    let page =
        glasshouse_casino::money::deposits::read_deposits(&test.house, fixture.player, None, 10)
            .await
            .unwrap();
    assert_eq!(page.entries.len(), 1);
    glasshouse_casino::money::deposits::read_wagering(&test.house, fixture.player)
        .await
        .unwrap();
    assert_eq!(fixture.balance().await, 0);
    assert_eq!(fixture.find(&deposit).await.credited, dollars(0));
    // Another player cannot poll the deposit.
    let other = test.player("somebody", 0).await;
    let outcome = await_deposit(&fixture.cashier, other, invoice.to_string()).await;
    assert!(matches!(
        outcome,
        Err(CasinoError::Refused(Refusal::NotFound))
    ));
    assert_eq!(fixture.balance().await, 0);
}
