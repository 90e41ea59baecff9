//! Payouts: created, verified, paid and kept over restarts.

use std::time::Duration;

use glasshouse_domain::{Currency, Money};
use glasshouse_payments::{Client, Decimal, Payout, PayoutRequest, PayoutStatus, payout_amount};
use glasshouse_sandbox::{FaultInjection, Sandbox, SandboxOptions};

use crate::support::{Fixture, client_of, decimal};

pub(crate) fn request(external_id: &str) -> PayoutRequest {
    PayoutRequest {
        address: "an address".to_owned(),
        currency: Currency::Bnb,
        amount: decimal("1.234567"),
        external_id: external_id.to_owned(),
    }
}

/// The day before today, so that a test over midnight still finds its payouts.
fn yesterday() -> jiff::civil::Date {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    now.date().yesterday().unwrap()
}

pub(crate) async fn create(client: &Client, external_id: &str) -> Payout {
    client.create_payout(&request(external_id)).await.unwrap()
}

pub(crate) async fn find(client: &Client, external_id: &str) -> Option<Payout> {
    client.find_payout(external_id, yesterday()).await.unwrap()
}

pub(crate) async fn balance(client: &Client, code: &str) -> Decimal {
    let balances = client.balances().await.unwrap();
    let mut balances = balances.into_iter();
    balances.find(|(name, _)| name == code).unwrap().1
}

#[tokio::test]
async fn a_payout_is_created_found_verified_and_paid() {
    let fixture = Fixture::start();
    let client = &fixture.client;
    assert!(client.can_pay_out());
    assert_eq!(find(client, "w-1").await, None);
    // Each call takes turns with the forms and shapes of the provider's answers.
    for external_id in ["w-1", "w-2", "w-3"] {
        let created = create(client, external_id).await;
        assert_eq!(created.status, PayoutStatus::Creating);
        assert!(created.matches(&request(external_id)));
        let found = find(client, external_id).await.unwrap();
        assert_eq!(found.status, PayoutStatus::Waiting);
        assert_eq!((&found.id, &found.batch), (&created.id, &created.batch));
        client
            .verify_payout(&created.batch, &client.payout_code().unwrap())
            .await
            .unwrap();
        fixture.sandbox.rest().await.unwrap();
        let paid = client.payout(&created.id).await.unwrap();
        assert_eq!(paid.status, PayoutStatus::Finished);
        assert!(paid.matches(&request(external_id)));
        assert_eq!(paid.fee, Some(decimal("0.0001")));
        assert!(paid.hash.is_some() && paid.error.is_none());
        assert_eq!(find(client, external_id).await, Some(paid));
    }
    let payouts = fixture.sandbox.payouts();
    assert!(payouts.iter().all(|payout| payout.verified && payout.paid));
    let ids: Vec<_> = payouts
        .iter()
        .map(|payout| payout.external_id.as_deref())
        .collect();
    assert_eq!(ids, [Some("w-1"), Some("w-2"), Some("w-3")]);
}

#[tokio::test]
async fn an_estimate_is_what_the_dollars_are_worth() {
    let fixture = Fixture::start();
    for _ in 0..2 {
        let dollars = Money::from_cents(2475);
        let estimate = fixture
            .client
            .estimate(dollars, Currency::Btc)
            .await
            .unwrap();
        assert_eq!(payout_amount(&estimate), decimal("0.000275"));
    }
}

#[tokio::test]
async fn an_unverified_payout_is_never_paid() {
    let fixture = Fixture::start();
    let payout = create(&fixture.client, "w-1").await;
    let before = balance(&fixture.client, "bnbbsc").await;
    fixture
        .sandbox
        .pass_time(Duration::from_hours(24 * 365))
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    let payout = fixture.client.payout(&payout.id).await.unwrap();
    assert!(payout.status.is_unverified());
    assert_eq!(balance(&fixture.client, "bnbbsc").await, before);
    let view = fixture.sandbox.payouts().remove(0);
    assert!(!view.verified && !view.paid);
}

#[tokio::test]
async fn a_batch_verified_twice_is_paid_once() {
    let fixture = Fixture::start();
    let client = &fixture.client;
    let before = balance(client, "bnbbsc").await;
    let payout = create(client, "w-1").await;
    for _ in 0..2 {
        client
            .verify_payout(&payout.batch, &client.payout_code().unwrap())
            .await
            .unwrap();
    }
    fixture.sandbox.rest().await.unwrap();
    let paid = client.payout(&payout.id).await.unwrap();
    client
        .verify_payout(&payout.batch, &client.payout_code().unwrap())
        .await
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(client.payout(&payout.id).await, Ok(paid));
    assert_eq!(
        before.minus_at_most(&balance(client, "bnbbsc").await),
        payout.amount
    );
}

#[tokio::test]
async fn a_failed_or_rejected_payout_gives_its_amount_back() {
    let fixture = Fixture::start();
    let client = &fixture.client;
    let before = balance(client, "bnbbsc").await;
    fixture.sandbox.inject_fault(FaultInjection {
        fail_payouts: 1,
        reject_payouts: 1,
        ..FaultInjection::default()
    });
    for (external_id, status) in [
        ("w-1", PayoutStatus::Failed),
        ("w-2", PayoutStatus::Rejected),
        ("w-3", PayoutStatus::Finished),
    ] {
        let payout = create(client, external_id).await;
        client
            .verify_payout(&payout.batch, &client.payout_code().unwrap())
            .await
            .unwrap();
        fixture.sandbox.rest().await.unwrap();
        let payout = client.payout(&payout.id).await.unwrap();
        assert_eq!(payout.status, status);
        assert_eq!(payout.error.is_some(), status == PayoutStatus::Failed);
        assert_eq!(payout.hash.is_some(), !status.is_lost());
    }
    let taken = before.minus_at_most(&balance(client, "bnbbsc").await);
    assert_eq!(taken, request("w-3").amount);
}

#[tokio::test]
async fn a_held_payout_goes_on_when_it_is_released() {
    let fixture = Fixture::start();
    let client = &fixture.client;
    fixture.sandbox.inject_fault(FaultInjection {
        hold_payouts: true,
        ..FaultInjection::default()
    });
    let payout = create(client, "w-1").await;
    client
        .verify_payout(&payout.batch, &client.payout_code().unwrap())
        .await
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    let held = client.payout(&payout.id).await.unwrap();
    assert_eq!(held.status, PayoutStatus::Processing);
    fixture.sandbox.inject_fault(FaultInjection::default());
    fixture.sandbox.rest().await.unwrap();
    let paid = client.payout(&payout.id).await.unwrap();
    assert_eq!(paid.status, PayoutStatus::Finished);
}

#[tokio::test]
async fn a_restart_keeps_payouts_and_resumes_their_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let options = SandboxOptions {
        data: Some(folder.path().join("sandbox.json")),
        ..SandboxOptions::for_tests()
    };
    let slow = SandboxOptions {
        status_delay: Duration::from_mins(10),
        ..options.clone()
    };
    let (payout, unverified, left) = {
        let fixture = Fixture::start_with(slow);
        let client = &fixture.client;
        let payout = create(client, "w-1").await;
        let unverified = create(client, "w-2").await;
        client
            .verify_payout(&payout.batch, &client.payout_code().unwrap())
            .await
            .unwrap();
        let status = client.payout(&payout.id).await.unwrap().status;
        assert_eq!(status, PayoutStatus::Processing);
        (payout, unverified, balance(client, "bnbbsc").await)
    };
    let sandbox = Sandbox::start(options).unwrap();
    sandbox.rest().await.unwrap();
    let client = client_of(&sandbox);
    let status = client.payout(&payout.id).await.unwrap().status;
    assert_eq!(status, PayoutStatus::Finished);
    assert_eq!(balance(&client, "bnbbsc").await, left);
    let found = find(&client, "w-2").await.unwrap();
    assert_eq!(
        (found.id, found.status),
        (unverified.id, PayoutStatus::Waiting)
    );
}

/// A file of a version without payouts.
#[tokio::test]
async fn an_old_data_file_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("sandbox.json");
    std::fs::write(&data, r#"{"invoices":{},"payments":{},"seconds_ahead":5}"#).unwrap();
    let fixture = Fixture::start_with(SandboxOptions {
        data: Some(data),
        ..SandboxOptions::for_tests()
    });
    assert!(fixture.sandbox.payouts().is_empty());
    create(&fixture.client, "w-1").await;
    assert_eq!(fixture.sandbox.payouts().len(), 1);
}

#[test]
fn a_payout_secret_that_is_not_in_base_32_is_refused() {
    let sandbox = Sandbox::start(SandboxOptions {
        payout_secret: "not one!".to_owned(),
        ..SandboxOptions::for_tests()
    });
    assert!(sandbox.is_err());
}

#[tokio::test]
async fn the_page_shows_payouts_newest_first() {
    let fixture = Fixture::start();
    let older = create(&fixture.client, "w-1").await;
    let newer = create(&fixture.client, "w-2").await;
    fixture
        .client
        .verify_payout(&older.batch, &fixture.client.payout_code().unwrap())
        .await
        .unwrap();
    fixture.sandbox.rest().await.unwrap();
    let page = reqwest::get(format!("{}/sandbox", fixture.sandbox.address()));
    let page = page.await.unwrap().text().await.unwrap();
    let position = |payout: &Payout| page.find(payout.id.as_str()).unwrap();
    assert!(position(&newer) < position(&older));
    for part in ["1.234567 BNBBSC", "waiting, not verified", ">finished<"] {
        assert!(page.contains(part), "{part}");
    }
}
