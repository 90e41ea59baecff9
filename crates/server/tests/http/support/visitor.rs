//! A client with cookies, and what responses are compared with.

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use super::Server;

/// A browser's worth of cookies.
#[derive(Clone)]
pub(crate) struct Visitor {
    client: Client,
    address: String,
}

impl Visitor {
    /// A new visitor of the server at an address.
    pub(super) fn of(address: &str) -> Self {
        // A kept connection would be found closed after a crash.
        let client = Client::builder()
            .cookie_store(true)
            .pool_max_idle_per_host(0)
            .build()
            .unwrap();
        Self {
            client,
            address: address.to_owned(),
        }
    }

    /// The same browser with another server.
    pub(crate) fn at(&self, server: &Server) -> Self {
        Self {
            address: server.address.clone(),
            ..self.clone()
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("http://{}{path}", self.address))
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        read(self.request(Method::GET, path).send().await.unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        read(
            self.request(Method::POST, path)
                .json(body)
                .send()
                .await
                .unwrap(),
        )
        .await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        read(
            self.request(Method::PUT, path)
                .json(body)
                .send()
                .await
                .unwrap(),
        )
        .await
    }

    /// The seeds of the next round, and the commitment to those after them.
    pub(crate) async fn fairness(&self) -> Value {
        let (status, state) = self.get("/api/fairness").await;
        assert_eq!(status, StatusCode::OK, "{state}");
        state
    }

    /// The body of a rotation to the next server seed as it is now.
    pub(crate) async fn rotation(&self, client_seed: &str) -> Value {
        let next = &self.fairness().await["nextServerSeedHash"];
        json!({ "clientSeed": client_seed, "nextServerSeedHash": next })
    }

    /// Rotates the seeds and returns the response.
    pub(crate) async fn rotate(&self, client_seed: &str) -> Value {
        let body = self.rotation(client_seed).await;
        let (status, rotation) = self.post("/api/fairness/rotate", &body).await;
        assert_eq!(status, StatusCode::OK, "{rotation}");
        rotation
    }

    /// A body exactly as written.
    pub(crate) async fn post_raw(
        &self,
        path: &str,
        body: impl Into<String>,
    ) -> (StatusCode, Value) {
        let request = self
            .request(Method::POST, path)
            .header("content-type", "application/json");
        read(request.body(body.into()).send().await.unwrap()).await
    }

    pub(crate) async fn balance(&self) -> String {
        let (status, user) = self.get("/api/user").await;
        assert_eq!(status, StatusCode::OK);
        user["balance"].as_str().unwrap().to_owned()
    }
}

pub(crate) async fn read(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    let text = response.text().await.unwrap();
    (
        status,
        serde_json::from_str(&text).unwrap_or(Value::String(text)),
    )
}

/// The session's cookie in a response, with its attributes.
pub(crate) fn session_cookie(response: &Response) -> String {
    let cookies = response.headers().get_all("set-cookie");
    let mut cookies = cookies.iter().map(|cookie| cookie.to_str().unwrap());
    let cookie = cookies.find(|cookie| cookie.starts_with("glasshouse="));
    cookie.unwrap().to_owned()
}

/// A refusal says why in words and by a stable word, and nothing of our insides.
#[track_caller]
pub(crate) fn assert_refused(answer: &(StatusCode, Value), status: u16, code: &str) {
    assert_eq!(answer.0.as_u16(), status, "{}", answer.1);
    assert_eq!(answer.1["code"], code, "{}", answer.1);
    assert!(!answer.1["message"].as_str().unwrap().is_empty());
}

/// Asserts that a call that may be made ten times in a row, with the expected status, is limited soon
/// after. `call` is given how often it was made.
pub(crate) async fn assert_limited(
    expected: StatusCode,
    call: impl AsyncFn(usize) -> (StatusCode, Value),
) {
    for number in 0..100 {
        let (status, answer) = call(number).await;
        if status == StatusCode::TOO_MANY_REQUESTS {
            assert!(number >= 10, "only {number} calls");
            assert_eq!(answer["code"], "rate_limited");
            return;
        }
        assert_eq!(status, expected, "{answer}");
    }
    panic!("the call is not limited");
}
