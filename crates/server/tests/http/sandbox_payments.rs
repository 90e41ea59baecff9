//! Deposits, and payments on the sandbox's payment page.

use std::fs;
use std::time::Duration;

use glasshouse_domain::Money;
use glasshouse_payments::{Account, Client, ClientOptions, InvoiceRequest, RetryPolicy, Secret};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Server, Visitor};

/// Starts a server whose sandbox moves a payment to its next status every 5 ms.
pub(crate) fn start_server() -> Server {
    Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_SANDBOX_STATUS_DELAY_MS", "5"),
    ])
}

/// Creates a deposit in bitcoin.
pub(crate) async fn create_deposit(visitor: &Visitor, amount: &str) -> Value {
    let body = json!({ "amount": amount, "cryptoCurrency": "btc" });
    let (status, answer) = visitor.post("/api/deposits/create", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    answer
}

/// Submits a form of the payment page.
pub(crate) async fn submit_form(url: &str, form: &str) {
    let http = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let request = http
        .post(url)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form.to_owned());
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
}

/// Opens a payment on the payment page, and returns the address of its forms.
pub(crate) async fn open_payment(invoice_url: &str) -> String {
    submit_form(&format!("{invoice_url}/open"), "currency=btc").await;
    let id = displayed_payment_id(invoice_url).await;
    format!("{invoice_url}/payments/{id}")
}

/// The ID of the payment shown on a payment page.
pub(crate) async fn displayed_payment_id(invoice_url: &str) -> String {
    let page = reqwest::get(invoice_url).await.unwrap();
    let page = page.text().await.unwrap();
    let (_, rest) = page
        .split_once("/payments/")
        .expect("no payment on the page");
    rest.chars().take_while(char::is_ascii_digit).collect()
}

/// Polls the deposit until its status is as expected, more often than the browser does.
pub(crate) async fn wait_for_deposit(
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
    panic!("the expected status was never reached: {last}");
}

/// The sandbox's keys, stored at the first start.
pub(crate) fn sandbox_keys(folder: &TempDir) -> Value {
    let path = folder.path().join("data/sandbox-keys.json");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "only the owner can read the keys");
    }
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

pub(crate) fn sandbox_client(server: &Server) -> Client {
    let keys = sandbox_keys(&server.folder);
    let secret = |name: &str| Secret::new(keys[name].as_str().unwrap().to_owned()).unwrap();
    let url = format!("http://{}/v1", server.sandbox_address);
    let mut options = ClientOptions::new(url, secret("api_key"));
    options.account = Some(Account {
        email: "house@sandbox.example".to_owned(),
        password: secret("password"),
    });
    options.retry = RetryPolicy::NEVER;
    Client::new(options).unwrap()
}

/// Creates an invoice that belongs to no deposit, opens a payment of it, and returns the page's
/// URL.
pub(crate) async fn open_foreign_payment(server: &Server) -> String {
    let house = format!("http://{}", server.address);
    let request = InvoiceRequest {
        price: Money::from_cents(2_000),
        order_id: "order-1".to_owned(),
        order_description: "A deposit".to_owned(),
        pay_currency: None,
        ipn_callback_url: format!("{house}/api/nothing"),
        success_url: house.clone(),
        cancel_url: house,
        is_fixed_rate: false,
    };
    let page = sandbox_client(server)
        .create_invoice(&request)
        .await
        .unwrap()
        .invoice_url;
    let status = post_form(&format!("{page}/open"), "currency=btc").await;
    assert_eq!(status, StatusCode::OK);
    page
}

pub(crate) async fn post_form(url: &str, form: &str) -> StatusCode {
    reqwest::Client::new()
        .post(url)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form.to_owned())
        .send()
        .await
        .unwrap()
        .status()
}
