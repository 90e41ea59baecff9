//! Payouts that are refused, and calls whose answers are lost or wrong.

use std::time::Duration;

use glasshouse_payments::{
    BatchId, Client, ClientError, PayoutId, PayoutRequest, PayoutStatus, Secret,
};
use glasshouse_sandbox::{Answer, FaultInjection, Sandbox};

use crate::payouts::{balance, create, find, request};
use crate::support::{Fixture, decimal};

/// A secret that is not the sandbox's.
const OTHER_SECRET: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

fn client_with(sandbox: &Sandbox, secret: &str) -> Client {
    let mut options = sandbox.client_options().unwrap();
    options.payout_secret = Some(Secret::new(secret.to_owned()).unwrap());
    Client::new(options).unwrap()
}

/// A fault of the calls that create or of those that verify payouts.
fn fault_of(answer: Answer, suffix: &str) -> FaultInjection {
    FaultInjection {
        answer: Some(answer),
        only: Some("/payout".to_owned()),
        only_suffix: Some(suffix.to_owned()),
        only_method: Some("POST".to_owned()),
        ..FaultInjection::default()
    }
}

#[tokio::test]
async fn a_wrong_code_is_refused_and_ten_close_the_batch() {
    let fixture = Fixture::start();
    let right = &fixture.client;
    let wrong = client_with(&fixture.sandbox, OTHER_SECRET);
    let (survives, closed) = (create(right, "w-1").await, create(right, "w-2").await);
    for (payout, attempts) in [(&survives, 9), (&closed, 10)] {
        for _ in 0..attempts {
            let error = wrong
                .verify_payout(&payout.batch, &wrong.payout_code().unwrap())
                .await
                .unwrap_err();
            assert!(error.is_request_refused(), "{error}");
        }
    }
    right
        .verify_payout(&survives.batch, &right.payout_code().unwrap())
        .await
        .unwrap();
    let error = right
        .verify_payout(&closed.batch, &right.payout_code().unwrap())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("Too many"), "{error}");
    fixture.sandbox.rest().await.unwrap();
    let paid: Vec<bool> = fixture
        .sandbox
        .payouts()
        .iter()
        .map(|payout| payout.paid)
        .collect();
    assert_eq!(paid, [true, false]);
}

#[tokio::test]
async fn lost_answers_leave_an_unknown_outcome_that_can_be_looked_up() {
    let fixture = Fixture::start();
    let mut options = fixture.sandbox.client_options().unwrap();
    options.timeout = Duration::from_secs(2);
    let impatient = Client::new(options).unwrap();
    fixture
        .sandbox
        .inject_fault(fault_of(Answer::Lost, "/payout"));
    let error = impatient.create_payout(&request("w-1")).await.unwrap_err();
    assert!(error.may_have_been_done(), "{error}");
    let payout = find(&fixture.client, "w-1").await.unwrap();
    fixture
        .sandbox
        .inject_fault(fault_of(Answer::Lost, "/verify"));
    let error = impatient
        .verify_payout(&payout.batch, &impatient.payout_code().unwrap())
        .await
        .unwrap_err();
    assert!(error.may_have_been_done(), "{error}");
    fixture.sandbox.rest().await.unwrap();
    let payout = fixture.client.payout(&payout.id).await.unwrap();
    assert_eq!(payout.status, PayoutStatus::Finished);
}

#[tokio::test]
async fn a_payout_is_requested_and_verified_at_most_once() {
    let fixture = Fixture::start();
    let client = &fixture.client;
    for answer in [Answer::Fault, Answer::TooManyRequests] {
        fixture.sandbox.inject_fault(fault_of(answer, "/payout"));
        assert!(client.create_payout(&request("w-1")).await.is_err());
        assert_eq!(find(client, "w-1").await, None);
    }
    for (answer, external_id) in [
        (Answer::DoneMoved, "w-2"),
        (Answer::DoneRefused, "w-3"),
        (Answer::DoneBusy, "w-4"),
    ] {
        fixture.sandbox.inject_fault(fault_of(answer, "/payout"));
        let error = client
            .create_payout(&request(external_id))
            .await
            .unwrap_err();
        assert!(!error.was_not_sent(), "{error}");
        let payout = find(client, external_id).await.unwrap();
        fixture
            .sandbox
            .inject_fault(fault_of(Answer::Fault, "/verify"));
        let error = client
            .verify_payout(&payout.batch, &client.payout_code().unwrap())
            .await
            .unwrap_err();
        assert!(error.may_have_been_done(), "{error}");
        assert!(
            client
                .payout(&payout.id)
                .await
                .unwrap()
                .status
                .is_unverified()
        );
    }
    assert_eq!(fixture.sandbox.payouts().len(), 3);
}

#[tokio::test]
async fn a_stale_token_is_replaced_once() {
    let fixture = Fixture::start();
    let client = &fixture.client;
    let payout = create(client, "w-1").await;
    let calls = fixture.sandbox.calls();
    fixture.sandbox.forget_tokens();
    create(client, "w-2").await;
    // Refused, signed in, created.
    assert_eq!(fixture.sandbox.calls(), calls + 3);
    fixture.sandbox.forget_tokens();
    client
        .verify_payout(&payout.batch, &client.payout_code().unwrap())
        .await
        .unwrap();
    fixture.sandbox.forget_tokens();
    assert!(client.payout(&payout.id).await.is_ok());
    fixture.sandbox.forget_tokens();
    assert!(find(client, "w-2").await.is_some());
    assert_eq!(fixture.sandbox.payouts().len(), 2);
}

#[tokio::test]
async fn paying_out_requires_the_account_and_its_secret() {
    let fixture = Fixture::start();
    let payout = create(&fixture.client, "w-1").await;
    let mut options = fixture.sandbox.client_options().unwrap();
    options.payout_secret = None;
    let client = Client::new(options.clone()).unwrap();
    assert!(!client.can_pay_out());
    let error = client.payout_code().unwrap_err();
    assert_eq!(error, ClientError::NoPayoutSecret);

    let wrong_password = Secret::new("wrong".to_owned()).unwrap();
    options.account.as_mut().unwrap().password = wrong_password;
    let client = Client::new(options.clone()).unwrap();
    let error = client.create_payout(&request("w-2")).await.unwrap_err();
    assert!(error.was_not_sent(), "{error}");
    assert!(error.to_string().contains("signing in failed"), "{error}");

    options = fixture.sandbox.client_options().unwrap();
    options.account = None;
    let client = Client::new(options).unwrap();
    assert!(!client.can_pay_out());
    let error = client.create_payout(&request("w-2")).await.unwrap_err();
    assert_eq!(error, ClientError::NoAccount);
    assert_eq!(
        client
            .verify_payout(&payout.batch, &fixture.client.payout_code().unwrap())
            .await,
        Err(error)
    );
    assert_eq!(fixture.sandbox.payouts().len(), 1);
}

#[tokio::test]
async fn wrong_requests_and_unknown_ids_are_refused() {
    let fixture = Fixture::start();
    let client = &fixture.client;
    let too_much = balance(client, "bnbbsc").await.plus(&decimal("0.000001"));
    for wrong in [
        PayoutRequest {
            address: " ".to_owned(),
            ..request("w")
        },
        PayoutRequest {
            amount: decimal("0"),
            ..request("w")
        },
        PayoutRequest {
            amount: decimal("0.0000001"),
            ..request("w")
        },
        PayoutRequest {
            amount: too_much,
            ..request("w")
        },
    ] {
        let error = client.create_payout(&wrong).await.unwrap_err();
        assert!(
            matches!(error, ClientError::Refused { status: 400, .. }),
            "{error}"
        );
    }
    let error = client
        .payout(&PayoutId::parse("1").unwrap())
        .await
        .unwrap_err();
    assert!(error.is_not_found(), "{error}");
    let error = client
        .verify_payout(
            &BatchId::parse("1").unwrap(),
            &client.payout_code().unwrap(),
        )
        .await;
    assert!(
        error.as_ref().is_err_and(ClientError::is_not_found),
        "{error:?}"
    );
    assert!(fixture.sandbox.payouts().is_empty());
}
