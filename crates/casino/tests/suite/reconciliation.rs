//! `docs/payments.md#rule-13` and `docs/payments.md#rule-14`: no payment is lost, whatever callback
//! or answer is.

use std::time::Duration;

use glasshouse_casino::money::deposits::{DepositRequest, create_deposit};
use glasshouse_casino::{CasinoError, Fault, IdempotencyKey};
use glasshouse_domain::{Currency, DepositStatus};
use glasshouse_payments::{ClientError, InvoiceId};
use glasshouse_persistence::money::PendingCallback;
use glasshouse_persistence::{DatabaseError, Scope};
use glasshouse_sandbox::{Action, Answer, FaultInjection};
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, dollars};
use crate::support::{Fixture, both_databases};

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

fn drop_all() -> FaultInjection {
    FaultInjection {
        drop: true,
        count: Some(100_000),
        ..FaultInjection::default()
    }
}

fn answer_all(answer: Answer, only: &str) -> FaultInjection {
    FaultInjection {
        answer: Some(answer),
        only: Some(only.to_owned()),
        count: Some(100_000),
        ..FaultInjection::default()
    }
}

#[apply(both_databases)]
async fn rule_13_payments_without_any_callback_are_credited(#[case] test: &Fixture) {
    let mut fixture = CashierFixture::open(test).await;
    fixture.sandbox.inject_fault(drop_all());
    let deposits = fixture.deposits_of_many(40).await;
    for (_, invoice) in &deposits {
        fixture
            .sandbox
            .pay(invoice, Currency::Btc, &Action::PayFull)
            .unwrap();
    }
    fixture.sandbox.rest().await.unwrap();
    let credits = "SELECT payment_id AS value FROM payment_credits";
    assert!(test.texts(credits).is_empty());
    // The house restarts before its first reconciliation.
    fixture.restart();
    fixture.reconcile_after(HOUR).await;
    assert_eq!(test.texts(credits).len(), 40);
    for (deposit, _) in &deposits {
        let deposit = fixture.find(deposit).await;
        assert_eq!(
            (deposit.status, deposit.credited),
            (DepositStatus::Completed, dollars(10_000))
        );
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_13_payments_are_polled_until_their_status_is_final(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    fixture.sandbox.inject_fault(drop_all());
    let (deposit, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    for status in ["waiting", "confirming", "brand_new"] {
        fixture.sandbox.set_status(&payment, status).unwrap();
        fixture.sandbox.rest().await.unwrap();
        fixture.reconcile_after(HOUR).await;
        assert_eq!(fixture.payment(&payment).await.unwrap().status, status);
    }
    fixture.sandbox.set_status(&payment, "expired").unwrap();
    // The invoice stays unpaid long beyond its lifetime, and polls become rare.
    let mut polls = 0;
    for _ in 0..200 {
        fixture.reconcile_after(DAY).await;
        let next = fixture.find(&deposit).await.next_check_at.unwrap();
        let wait = next.saturating_since(fixture.cashier.house().now());
        assert!(wait <= DAY * 7, "{wait:?}");
        polls += u32::from(wait > DAY);
    }
    assert!(polls > 20, "only {polls} polls");
    assert_eq!(fixture.find(&deposit).await.status, DepositStatus::Expired);
    // It is paid after two hundred days.
    fixture.sandbox.pass_time(DAY * 200).unwrap();
    fixture.sandbox.act(&payment, &Action::PayLate).unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture.reconcile_after(DAY * 8).await;
    // Credited by its outcome amount, which is no less because the coin's price is unchanged.
    assert_eq!(fixture.balance().await, 10_000);
    let after = fixture.find(&deposit).await;
    assert_eq!(
        (after.status, after.next_check_at),
        (DepositStatus::Completed, None)
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_13_an_unavailable_provider_is_retried(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.close();
    fixture.pay_percent(&invoice, 100).await;
    for answer in [Answer::Fault, Answer::TooManyRequests, Answer::Hang] {
        fixture.sandbox.inject_fault(answer_all(answer, "/"));
        fixture.reconcile_after(HOUR).await;
        // The player's poll shows the last known state.
        let view = fixture.poll(&invoice).await;
        assert_eq!(view.deposit.status, DepositStatus::Pending);
        assert_eq!(fixture.balance().await, 0);
    }
    fixture.sandbox.inject_fault(FaultInjection::default());
    fixture.reconcile_after(HOUR).await;
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_13_two_servers_do_not_poll_the_same_deposit(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    fixture.deposits_of_many(20).await;
    test.clock.advance(HOUR);
    let other = fixture.another_cashier();
    let (one, two) = tokio::join!(
        glasshouse_casino::money::deposits::reconcile_due(&fixture.cashier),
        glasshouse_casino::money::deposits::reconcile_due(&other),
    );
    assert_eq!(one.unwrap().deposits + two.unwrap().deposits, 20);
}

#[apply(both_databases)]
async fn rule_14_a_deposit_is_recorded_before_the_provider_is_called(#[case] test: &Fixture) {
    let mut fixture = CashierFixture::open(test).await;
    fixture
        .sandbox
        .inject_fault(answer_all(Answer::Lost, "/invoice"));
    // The provider creates the invoice, but its answer is lost.
    let outcome = fixture.deposit_of(10_000, Currency::Btc).await;
    assert!(
        matches!(
            outcome,
            Err(CasinoError::Fault(Fault::Provider(
                ClientError::OutcomeUnknown(_)
            )))
        ),
        "{outcome:?}"
    );
    let page =
        glasshouse_casino::money::deposits::read_deposits(&test.house, fixture.player, None, 10)
            .await
            .unwrap();
    let deposit = page.entries.into_iter().next().unwrap().deposit;
    assert_eq!(deposit.status, DepositStatus::Failed);
    assert_eq!((&deposit.invoice_id, deposit.credited), (&None, dollars(0)));
    let (invoice, order) = fixture.sandbox.invoices().into_iter().next().unwrap();
    assert_eq!(order.as_ref(), Some(&deposit.order_id));
    // The player was not given the invoice's address, but a payment of it is found even without a
    // callback.
    fixture.sandbox.inject_fault(drop_all());
    fixture.pay_in_full(&invoice).await;
    fixture.restart();
    fixture.reconcile_after(HOUR).await;
    let after = fixture.find(&deposit).await;
    assert_eq!(after.invoice_id.as_deref(), Some(invoice.as_str()));
    assert_eq!(after.status, DepositStatus::Completed);
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_14_order_ids_are_random_and_unpaid_orders_are_no_longer_polled(
    #[case] test: &Fixture,
) {
    let fixture = CashierFixture::open(test).await;
    let mut orders = std::collections::HashSet::new();
    for (deposit, _) in fixture.deposits_of_many(20).await {
        let random = deposit.order_id.strip_prefix("gh-").unwrap();
        assert!(random.len() == 32 && random.bytes().all(|byte| byte.is_ascii_hexdigit()));
        orders.insert(deposit.order_id);
    }
    assert_eq!(orders.len(), 20);
    let statuses = |test: &Fixture| test.texts("SELECT DISTINCT status AS value FROM deposits");
    assert_eq!(statuses(test), ["pending"]);
    fixture.reconcile_after(DAY * 9).await;
    assert_eq!(statuses(test), ["expired"]);
    let due = "SELECT order_id AS value FROM deposits WHERE next_check_at_micros IS NOT NULL";
    assert!(test.texts(due).is_empty(), "nothing is due any more");
}

#[apply(both_databases)]
async fn rule_14_a_failed_or_refused_order_is_recorded(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    fixture
        .sandbox
        .inject_fault(answer_all(Answer::Fault, "/invoice"));
    let key = IdempotencyKey::parse("down-1").unwrap();
    let request = DepositRequest {
        player: fixture.player,
        amount: dollars(10_000),
        currency: Currency::Btc,
        key: Some(key),
    };
    let outcome = create_deposit(&fixture.cashier, request.clone()).await;
    assert!(
        matches!(outcome, Err(CasinoError::Fault(Fault::Provider(_)))),
        "{outcome:?}"
    );
    let text = format!("{:?} {}", outcome, outcome.as_ref().unwrap_err());
    assert!(
        !text.contains(fixture.sandbox.api_key()) && !text.contains(fixture.sandbox.ipn_secret())
    );
    assert_eq!(test.texts("SELECT status AS value FROM deposits").len(), 1);
    // A retry with the same key creates no second order.
    assert!(create_deposit(&fixture.cashier, request).await.is_err());
    assert_eq!(test.texts("SELECT status AS value FROM deposits").len(), 1);
    fixture.sandbox.inject_fault(FaultInjection::default());
    let (deposit, invoice) = fixture.deposit().await;
    assert_eq!(deposit.status, DepositStatus::Pending);
    assert_eq!(
        InvoiceId::parse(deposit.invoice_id.as_deref().unwrap()),
        Some(invoice)
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_13_retries_back_off_while_the_provider_is_unavailable(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    fixture
        .sandbox
        .pay(&invoice, Currency::Btc, &Action::Expire)
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture.sandbox.inject_fault(answer_all(Answer::Fault, "/"));
    let mut longest = Duration::ZERO;
    for _ in 0..30 {
        fixture.reconcile_after(DAY).await;
        let next = fixture.find(&deposit).await.next_check_at.unwrap();
        let wait = next.saturating_since(fixture.cashier.house().now());
        assert!(wait >= Duration::from_secs(1), "{wait:?}");
        longest = longest.max(wait);
    }
    assert!(longest > DAY, "{longest:?}");
}

#[apply(both_databases)]
async fn rule_13_an_unresolvable_payment_does_not_block_others(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    // A recorded payment that the provider does not know.
    let statement = format!(
        "INSERT INTO payments (id, deposit_id, standing, status, credited_cents, credits, details,
            first_seen_at_micros, updated_at_micros)
         VALUES ('1', {}, 'tracked', 'waiting', 0, 0, '{{}}', 1, 1)",
        deposit.id
    );
    test.sql(&statement).unwrap();
    fixture.close();
    fixture.pay_percent(&invoice, 100).await;
    fixture.reconcile_after(HOUR).await;
    assert_eq!(fixture.balance().await, 10_000);
    assert_eq!(fixture.reviews(), ["unfetchable"]);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_13_a_callback_repeated_during_its_retry_stays_pending(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let now = fixture.cashier.house().now();
    let pending_after_retry = async |version: i64| {
        test.database
            .write::<_, DatabaseError, _>(Scope::nobody(), move |transaction| {
                transaction.add_pending_callback("77", None, now, now)?;
                let due = transaction.take_due_callbacks(now, now, 10)?;
                let callback = PendingCallback {
                    version,
                    ..due.into_iter().next().unwrap()
                };
                transaction.complete_callback(&callback)
            })
            .await
            .unwrap();
        test.texts("SELECT payment_id AS value FROM pending_callbacks")
            .len()
    };
    assert_eq!(
        pending_after_retry(0).await,
        1,
        "the callback changed after it was taken"
    );
    assert_eq!(pending_after_retry(2).await, 0);
}
