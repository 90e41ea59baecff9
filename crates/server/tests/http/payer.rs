//! Somebody who deposits and pays at the sandbox's payment page.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Server, Visitor};

/// Quick enough that a payment is through before a test grows impatient.
pub(crate) fn start() -> Server {
    Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_SANDBOX_STATUS_DELAY_MS", "5"),
    ])
}

pub(crate) async fn create(visitor: &Visitor, amount: &str) -> Value {
    let body = json!({ "amount": amount, "cryptoCurrency": "btc" });
    let (status, answer) = visitor.post("/api/deposits/create", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    answer
}

/// Presses a button of the payment page.
pub(crate) async fn press(url: &str, form: &str) {
    let http = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let pressed = http
        .post(url)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form.to_owned());
    let response = pressed.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
}

/// Opens a payment on the payment page; the address of its buttons.
pub(crate) async fn open_payment(invoice_url: &str) -> String {
    press(&format!("{invoice_url}/open"), "currency=btc").await;
    let id = payment_on(invoice_url).await;
    format!("{invoice_url}/payments/{id}")
}

/// The id of the payment that a payment page shows.
pub(crate) async fn payment_on(invoice_url: &str) -> String {
    let page = reqwest::get(invoice_url).await.unwrap();
    let page = page.text().await.unwrap();
    let (_, rest) = page.split_once("/payments/").expect("a payment to pay");
    rest.chars().take_while(char::is_ascii_digit).collect()
}

/// Asks until the deposit stands as expected, as the browser does, but more often.
pub(crate) async fn wait_for(
    visitor: &Visitor,
    invoice: &Value,
    is_expected: impl Fn(&Value) -> bool,
) -> Value {
    let path = format!("/api/deposits/{}/status", invoice.as_str().unwrap());
    let mut last = Value::Null;
    for _ in 0..2_000 {
        let (status, answer) = visitor.get(&path).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        if is_expected(&answer) {
            return answer;
        }
        last = answer;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never came: {last}");
}
