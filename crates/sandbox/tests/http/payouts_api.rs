//! The API of payouts without the client: batches of several payouts, and the filters of the list.

use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::support::Fixture;

/// A house that is signed in.
struct House {
    fixture: Fixture,
    http: reqwest::Client,
    token: String,
}

impl House {
    async fn sign_in() -> Self {
        let fixture = Fixture::start();
        let house = Self {
            fixture,
            http: reqwest::Client::new(),
            token: String::new(),
        };
        let account = json!({"email": "house@sandbox.example", "password": "sandbox-password"});
        let (_, answer) = house.send(house.post("/auth", &account)).await;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let token = answer["token"].as_str().unwrap().to_owned();
        Self { token, ..house }
    }

    fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        let url = format!("{}{path}", self.fixture.sandbox.url());
        self.http.post(url).body(body.to_string())
    }

    async fn send(&self, request: RequestBuilder) -> (StatusCode, String) {
        let request = request
            .header("x-api-key", self.fixture.sandbox.api_key())
            .header("authorization", format!("Bearer {}", self.token));
        let response = request.send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    }

    /// The external IDs in a page of the list.
    async fn list(&self, query: &str) -> Vec<String> {
        let url = format!("{}/payout?{query}", self.fixture.sandbox.url());
        let (status, answer) = self.send(self.http.get(url)).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let payouts = answer["payouts"].as_array().unwrap();
        let ids = payouts.iter().map(|payout| &payout["unique_external_id"]);
        ids.map(|id| id.as_str().unwrap().to_owned()).collect()
    }

    /// Creates a batch; returns its ID.
    async fn create(&self, external_ids: &[&str]) -> String {
        let withdrawals: Vec<Value> = external_ids
            .iter()
            .map(|id| {
                json!({"address": "a", "currency": "BTC", "amount": "0.5", "unique_external_id": id})
            })
            .collect();
        let body = json!({ "withdrawals": withdrawals });
        let (status, answer) = self.send(self.post("/payout", &body)).await;
        assert!(status.is_success(), "{answer}");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(
            answer["withdrawals"].as_array().unwrap().len(),
            external_ids.len()
        );
        answer["id"].to_string().trim_matches('"').to_owned()
    }
}

/// The code of the sandbox's authenticator, some steps of 30 seconds from now.
fn code(steps: i64) -> String {
    let secret = glasshouse_sandbox::SandboxOptions::PAYOUT_SECRET;
    let secret = Secret::try_from_base32(secret).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let then = now.as_secs().checked_add_signed(steps * 30).unwrap();
    let codes = Builder::new().with_secret(secret).build().unwrap();
    codes.generate(then).to_string()
}

#[tokio::test]
async fn a_batch_is_verified_as_a_whole() {
    let house = House::sign_in().await;
    let batch = house.create(&["a", "b"]).await;
    let path = format!("/payout/{batch}/verify");
    let wrong = json!({ "verification_code": code(100) });
    let (status, answer) = house.send(house.post(&path, &wrong)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
    assert!(answer.contains(r#""statusCode":400"#), "{answer}");
    let right = json!({ "verification_code": code(0) });
    let (status, answer) = house.send(house.post(&path, &right)).await;
    assert_eq!((status, answer.as_str()), (StatusCode::OK, "OK"));
    house.fixture.sandbox.rest().await.unwrap();
    assert!(
        house
            .fixture
            .sandbox
            .payouts()
            .iter()
            .all(|payout| payout.paid)
    );
}

#[tokio::test]
async fn the_list_is_filtered_and_paged() {
    let house = House::sign_in().await;
    let batch = house.create(&["a", "b"]).await;
    house.create(&["c"]).await;
    let path = format!("/payout/{batch}/verify");
    let right = json!({ "verification_code": code(0) });
    house.send(house.post(&path, &right)).await;
    house.fixture.sandbox.rest().await.unwrap();
    assert_eq!(house.list("").await, ["c", "b", "a"]);
    assert_eq!(house.list("order=asc&limit=2").await, ["a", "b"]);
    assert_eq!(house.list("order=asc&limit=2&page=1").await, ["c"]);
    assert!(house.list("limit=2&page=2").await.is_empty());
    assert_eq!(house.list("status=FINISHED").await, ["b", "a"]);
    assert_eq!(house.list("status=waiting").await, ["c"]);
    assert_eq!(house.list(&format!("batch_id={batch}")).await, ["b", "a"]);
    assert!(house.list("date_from=9000-01-01").await.is_empty());
    assert!(house.list("date_to=2020-01-01").await.is_empty());
}

#[tokio::test]
async fn payouts_require_a_token() {
    let mut house = House::sign_in().await;
    let batch = house.create(&["a"]).await;
    house.token = "wrong".to_owned();
    let right = json!({ "verification_code": code(0) });
    for path in ["/payout".to_owned(), format!("/payout/{batch}/verify")] {
        let (status, _) = house.send(house.post(&path, &right)).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
    }
    for path in ["/payout", "/payout/1"] {
        let url = format!("{}{path}", house.fixture.sandbox.url());
        let (status, _) = house.send(house.http.get(url)).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
    }
    assert!(!house.fixture.sandbox.payouts()[0].verified);
}
