//! The rules of `docs/payments.md#crediting`, each under its number: from the provider's
//! callbacks to the player's balance. Rules 6 to 10 stand in `crediting_amounts.rs`, 13 and 14 in
//! `reconciliation.rs`.

use std::time::Duration;

use glasshouse_casino::money::deposits::{await_deposit, create_deposit, reconcile_due};
use glasshouse_casino::money::payments::{IpnOutcome, handle_ipn};
use glasshouse_casino::{CasinoError, Refusal};
use glasshouse_domain::{Currency, DepositStatus};
use glasshouse_payments::PaymentId;
use glasshouse_sandbox::{Action, Answer, CallbackOutcome, FaultInjection};
use rstest_reuse::apply;

use crate::cashier_fixture::{CashierFixture, at_once, dollars};
use crate::support::{Fixture, assert_refused, both_databases};

pub(crate) fn body_of(payment: &PaymentId, status: &str) -> String {
    format!(r#"{{"payment_id":{payment},"payment_status":"{status}"}}"#)
}

#[apply(both_databases)]
async fn rule_01_a_callback_without_a_good_signature_changes_nothing(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    // Nine callbacks in a row are spoiled: five statuses, the last three sent again.
    let spoil = |wrong_signature, truncate| FaultInjection {
        wrong_signature,
        truncate,
        count: Some(1_000),
        ..FaultInjection::default()
    };
    fixture.sandbox.inject_fault(spoil(true, false));
    let payment = fixture.pay_percent(&invoice, 100).await;
    fixture.sandbox.inject_fault(spoil(false, true));
    fixture.sandbox.call_back(&payment).unwrap();
    fixture.sandbox.rest().await.unwrap();
    let callbacks = fixture.sandbox.callbacks();
    assert!(callbacks.len() >= 6);
    for callback in callbacks {
        assert_eq!(
            callback.outcome,
            CallbackOutcome::Answered(401),
            "{callback:?}"
        );
    }
    let body = body_of(&payment, "finished");
    for signature in [
        None,
        Some(""),
        Some("0"),
        Some("ü"),
        Some(&*"0".repeat(128)),
    ] {
        let heard = handle_ipn(&fixture.cashier, signature, body.as_bytes()).await;
        assert_refused(heard, &Refusal::CallbackSignature);
    }
    assert_eq!(fixture.payment(&payment).await, None);
    assert_eq!(fixture.find(&deposit).await, deposit);
    assert!(
        test.texts("SELECT payment_id AS value FROM pending_callbacks")
            .is_empty()
    );
    assert_eq!(fixture.balance().await, 0);
    // The same payment is credited as soon as the provider says so.
    fixture.sandbox.inject_fault(FaultInjection::default());
    fixture.sandbox.call_back(&payment).unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(fixture.balance().await, 10_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_02_a_callback_is_only_a_hint(#[case] test: &Fixture) {
    let mut fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    // Signed with the right secret, and yet only the provider itself is believed.
    let lie = format!(
        r#"{{"payment_id":{payment},"payment_status":"finished","price_amount":100,
            "price_currency":"usd","actually_paid":9,"pay_amount":1,"pay_currency":"btc"}}"#
    );
    assert_eq!(fixture.hear(&lie).await.unwrap(), IpnOutcome::Processed);
    assert_eq!(fixture.balance().await, 0);
    let refused = fixture.hear(r#"{"payment_status":"finished"}"#).await;
    assert_refused(refused, &Refusal::CallbackMalformed);

    // While the provider answers nothing, every callback is answered and remembered.
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Fault),
        only: Some("/payment".to_owned()),
        count: Some(1_000),
        ..FaultInjection::default()
    });
    fixture.pay_more(&payment, 100).await;
    let body = body_of(&payment, "finished");
    assert_eq!(fixture.hear(&body).await.unwrap(), IpnOutcome::Deferred);
    for callback in fixture.sandbox.callbacks() {
        assert_eq!(
            callback.outcome,
            CallbackOutcome::Answered(200),
            "{callback:?}"
        );
    }
    assert_eq!(fixture.balance().await, 0);
    // It stays remembered over failing attempts and a restart.
    fixture.restart();
    fixture.reconcile_after(Duration::from_secs(10)).await;
    assert_eq!(
        test.texts("SELECT payment_id AS value FROM pending_callbacks"),
        [payment.to_string()]
    );
    fixture.sandbox.inject_fault(FaultInjection::default());
    fixture.reconcile_after(Duration::from_hours(1)).await;
    assert_eq!(fixture.balance().await, 10_000);
    assert!(
        test.texts("SELECT payment_id AS value FROM pending_callbacks")
            .is_empty()
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_02_a_provider_that_hangs_keeps_no_callback_waiting(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Hang),
        only: Some("/payment".to_owned()),
        count: Some(1),
        ..FaultInjection::default()
    });
    let body = body_of(&payment, "waiting");
    let heard = tokio::time::timeout(Duration::from_secs(3), fixture.hear(&body)).await;
    assert_eq!(heard.unwrap().unwrap(), IpnOutcome::Deferred);
}

#[apply(both_databases)]
async fn rule_03_a_hundred_callbacks_beside_polling_credit_once(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    fixture.close();
    let payment = fixture.pay_percent(&invoice, 100).await;
    assert_eq!(fixture.balance().await, 0);
    let body = body_of(&payment, "finished");
    // Two servers on the same data.
    let servers = [fixture.cashier.clone(), fixture.another_cashier()];
    let callbacks = at_once(100, |number| {
        let (cashier, body) = (servers[number % 2].clone(), body.clone());
        let secret =
            glasshouse_payments::signature::IpnSecret::new(fixture.sandbox.ipn_secret().to_owned());
        let signature = secret.unwrap().sign(body.as_bytes()).unwrap();
        async move {
            handle_ipn(&cashier, Some(&signature), body.as_bytes())
                .await
                .map(drop)
        }
    });
    let polls = at_once(30, |number| {
        let (cashier, player) = (servers[number % 2].clone(), fixture.player);
        let (invoice, clock) = (invoice.to_string(), test.clock.clone());
        async move {
            clock.advance(Duration::from_secs(4));
            await_deposit(&cashier, player, invoice).await.map(drop)
        }
    });
    let reconciliations = at_once(10, |number| {
        let cashier = servers[number % 2].clone();
        async move { reconcile_due(&cashier).await.map(drop) }
    });
    let (callbacks, polls, reconciliations) = tokio::join!(callbacks, polls, reconciliations);
    for outcome in callbacks.into_iter().chain(polls).chain(reconciliations) {
        outcome.unwrap();
    }
    fixture.reconcile_after(Duration::from_hours(2)).await;
    assert_eq!(fixture.balance().await, 10_000);
    assert_eq!(
        fixture.find(&deposit).await.status,
        DepositStatus::Completed
    );
    assert_eq!(
        test.texts("SELECT reference AS value FROM ledger_entries")
            .len(),
        1
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_03_duplicated_reordered_and_delayed_callbacks_credit_once(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    for (round, fault_injection) in [
        FaultInjection {
            duplicate: 3,
            ..FaultInjection::default()
        },
        FaultInjection {
            reorder: true,
            ..FaultInjection::default()
        },
        FaultInjection {
            delay_ms: 60,
            duplicate: 1,
            ..FaultInjection::default()
        },
    ]
    .into_iter()
    .enumerate()
    {
        let (_, invoice) = fixture.deposit().await;
        fixture.sandbox.inject_fault(FaultInjection {
            count: Some(1_000),
            ..fault_injection
        });
        fixture.pay_percent(&invoice, 100).await;
        fixture.sandbox.inject_fault(FaultInjection::default());
        fixture.reconcile_after(Duration::from_mins(1)).await;
        assert_eq!(
            fixture.balance().await,
            10_000 * (i64::try_from(round).unwrap() + 1)
        );
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_04_a_unique_key_guards_each_credit(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 100).await;
    assert_eq!(
        test.texts("SELECT reference AS value FROM ledger_entries"),
        [format!("payment:{payment}/1")]
    );
    let player = fixture.player;
    for statement in [
        format!("INSERT INTO payment_credits VALUES ('{payment}', 1, {player}, 10000, 1)"),
        format!(
            "INSERT INTO ledger_entries VALUES ({player}, 2, 'deposit', 10000, 20000, \
             'payment:{payment}/1', 1)"
        ),
        "UPDATE payment_credits SET amount_cents = 1".to_owned(),
        "DELETE FROM payment_credits".to_owned(),
        "UPDATE payments SET credits = 0, credited_cents = 0".to_owned(),
        "DELETE FROM payments".to_owned(),
        "UPDATE deposits SET credited_cents = 0".to_owned(),
        "UPDATE deposits SET price_cents = 1".to_owned(),
        "UPDATE deposits SET invoice_id = 'other'".to_owned(),
        "UPDATE deposits SET player_id = player_id + 1".to_owned(),
        "DELETE FROM deposits".to_owned(),
    ] {
        assert!(test.sql(&statement).is_err(), "{statement}");
    }
    test.assert_clean().await;
}

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
async fn rule_05_statuses_never_go_backwards_in_whatever_order(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let orders = permutations(&["waiting", "confirming", "confirmed", "sending", "finished"]);
    assert_eq!(orders.len(), 120);
    let mut expected = 0;
    for order in orders {
        let deposit = fixture.deposit_of(1_000, Currency::Btc).await.unwrap();
        let invoice = glasshouse_payments::InvoiceId::parse(&deposit.invoice_id.clone().unwrap());
        // Paid while nobody listens; then the provider tells the five statuses in this order.
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
async fn rule_11_what_has_not_arrived_is_shown_and_never_credited(#[case] test: &Fixture) {
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
        fixture.hear(&body_of(&payment, status)).await.unwrap();
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
async fn rule_12_what_goes_back_after_a_credit_is_for_a_person(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    for (action, status) in [(Action::Refund, "refunded"), (Action::Fail, "failed")] {
        let (deposit, invoice) = fixture.deposit().await;
        let payment = fixture.pay_percent(&invoice, 100).await;
        let before = fixture.balance().await;
        fixture.act(&payment, &action).await;
        assert_eq!(fixture.balance().await, before, "nothing is taken back");
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
    // Before a credit there is nothing to look at.
    let (deposit, invoice) = fixture.deposit().await;
    let payment = fixture
        .sandbox
        .pay(&invoice, Currency::Btc, &Action::Fail)
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(fixture.reviews().len(), 2);
    assert_eq!(fixture.find(&deposit).await.status, DepositStatus::Failed);
    // Money that arrives after the end is not credited, and not forgotten.
    fixture.sandbox.set_status(&payment, "finished").unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(
        fixture.reviews().last().map(String::as_str),
        Some("unclear")
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rule_15_coming_back_from_the_payment_page_credits_nothing(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (deposit, invoice) = fixture.deposit().await;
    fixture.close();
    fixture.pay_percent(&invoice, 100).await;
    // What a browser can ask for without the provider being asked.
    let page =
        glasshouse_casino::money::deposits::read_deposits(&test.house, fixture.player, None, 10)
            .await
            .unwrap();
    assert_eq!(page.deposits.len(), 1);
    glasshouse_casino::money::deposits::read_wagering(&test.house, fixture.player)
        .await
        .unwrap();
    assert_eq!(fixture.balance().await, 0);
    assert_eq!(fixture.find(&deposit).await.credited, dollars(0));
    // Nor can somebody else look after it.
    let other = test.player("somebody", 0).await;
    let outcome = await_deposit(&fixture.cashier, other, invoice.to_string()).await;
    assert!(matches!(
        outcome,
        Err(CasinoError::Refused(Refusal::NotFound))
    ));
    assert_eq!(fixture.balance().await, 0);
}

#[apply(both_databases)]
async fn rule_16_amounts_beyond_a_floating_point_number_are_exact(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    // 0.01 dollars and the largest amount that a form takes.
    let cashier =
        fixture.cashier_with(|options| options.limits.maximum_deposit = dollars(i64::MAX));
    let mut expected = 0;
    for cents in [1, 100_000_000_000] {
        let wish = fixture.wish(cents, Currency::Shib);
        let deposit = create_deposit(&cashier, wish).await.unwrap();
        let invoice = deposit.invoice_id.as_deref();
        let invoice = glasshouse_payments::InvoiceId::parse(invoice.unwrap()).unwrap();
        let payment = fixture
            .sandbox
            .pay(&invoice, Currency::Shib, &Action::PayFull)
            .unwrap();
        fixture.sandbox.rest().await.unwrap();
        expected += cents;
        assert_eq!(fixture.balance().await, expected);
        let record = fixture.payment(&payment).await.unwrap();
        assert_eq!(record.pay_amount, record.actually_paid);
    }
    test.assert_clean().await;
}

/// No source of ours that money passes through mentions a floating-point type.
#[test]
fn rule_16_no_floating_point_in_any_of_it() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<_> = [
        "domain/src",
        "payments/src",
        "persistence/src",
        "casino/src/money",
    ]
    .map(|name| crates.join(name))
    .into();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 50);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text
            .lines()
            .filter(|line| line.contains("f64") || line.contains("f32"))
        {
            // The size of a batch, for the metrics, and what the rules let expect, for a confidence
            // interval: no money.
            let name = file.file_name().unwrap().to_str().unwrap();
            let is_no_money = ["writer.rs", "house_totals.rs", "spread.rs"].contains(&name);
            assert!(is_no_money, "{}: {line}", file.display());
        }
    }
}
