//! The pages, used like a browser without scripts, and the endpoint for fault injection.

use glasshouse_domain::Currency;
use glasshouse_payments::{Payment, PaymentStatus};
use reqwest::{Response, StatusCode};

use crate::support::Fixture;

async fn post(url: &str, form: &str) -> Response {
    let http = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    http.post(url)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form.to_owned())
        .send()
        .await
        .unwrap()
}

async fn page(url: &str) -> String {
    let response = reqwest::get(url).await.unwrap();
    let policy = response.headers().get("content-security-policy").unwrap();
    let policy = policy.to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
    response.text().await.unwrap()
}

#[tokio::test]
async fn invoice_can_be_paid_with_forms() {
    let fixture = Fixture::start();
    let invoice = fixture.invoice(9_000).await;
    let url = invoice.invoice_url.as_str();
    let first = page(url).await;
    assert!(first.contains("Pay $90.00") && first.contains("A &lt;deposit&gt;"));
    assert!(first.contains("/paid?a=1&amp;b=2\"") && !first.contains("<script"));
    let opened = post(&format!("{url}/open"), "currency=btc").await;
    assert_eq!(opened.status(), StatusCode::SEE_OTHER);
    fixture.sandbox.rest().await.unwrap();
    let body = fixture.received().pop().unwrap().body;
    let id = Payment::parse(&body).unwrap().id;
    let second = page(url).await;
    for part in [
        "0.001 BTC",
        "Pay in full",
        "value=\"0.0005\"",
        "Let it expire, then pay",
    ] {
        assert!(second.contains(part), "{part}");
    }
    let act = format!("{url}/payments/{id}");
    let done = post(&act, "action=pay&amount=0.0004").await;
    assert_eq!(done.status(), StatusCode::SEE_OTHER);
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(
        fixture.payment(&id).await.status,
        PaymentStatus::PartiallyPaid
    );
    assert!(page(url).await.contains("partially paid"));
    let done = post(&act, "action=pay_full").await;
    assert_eq!(done.status(), StatusCode::SEE_OTHER);
    let done = post(&act, "action=wrong_asset&currency=doge&amount=5").await;
    assert_eq!(done.status(), StatusCode::SEE_OTHER);
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(fixture.payment(&id).await.status, PaymentStatus::Finished);
    assert!(page(url).await.contains(&format!("payment {id}")));
    let all = page(&format!("{}/sandbox", fixture.sandbox.address())).await;
    assert!(all.contains(invoice.id.as_str()) && all.contains("answered 200"));
}

#[tokio::test]
async fn invalid_forms_get_an_error() {
    let fixture = Fixture::start();
    let invoice = fixture.invoice(9_000).await;
    let id = fixture.sandbox.open(&invoice.id, Currency::Btc).unwrap();
    let url = invoice.invoice_url.as_str();
    let act = format!("{url}/payments/{id}");
    for form in [
        "action=pay&amount=-1",
        "action=pay&amount=0.000000001",
        "action=pay&amount=",
        "action=explode",
        "action=wrong_asset&amount=1&currency=eur",
    ] {
        let answer = post(&act, form).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{form}");
    }
    let answer = post(&format!("{url}/payments/1"), "action=fail").await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let foreign = reqwest::Client::new()
        .post(&act)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("sec-fetch-site", "cross-site")
        .body("action=pay_full")
        .send()
        .await
        .unwrap();
    assert_eq!(foreign.status(), StatusCode::FORBIDDEN);
    fixture.sandbox.rest().await.unwrap();
    assert_eq!(fixture.payment(&id).await.status, PaymentStatus::Waiting);
}

#[tokio::test]
async fn faults_can_be_injected_by_request_and_by_form() {
    let fixture = Fixture::start();
    let url = format!("{}/sandbox/inject_fault", fixture.sandbox.address());
    let inject = |key: &'static str, body: &'static str| {
        let request = reqwest::Client::new().post(&url).header("x-api-key", key);
        request.body(body).send()
    };
    let key = "sandbox-api-key";
    let refused = inject("wrong", "{}").await.unwrap();
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let refused = inject(key, r#"{"explode":true}"#).await.unwrap();
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
    let done = inject(key, r#"{"answer":500,"count":1}"#).await.unwrap();
    assert_eq!(done.status(), StatusCode::OK);
    let client = fixture.client.without_retries();
    assert!(client.status().await.is_err());
    client.status().await.unwrap();
    let form = "duplicate=0&delay_ms=0&count=1&answer=429&retry_after=0&drop=on";
    let faults_url = format!("{}/sandbox/switches", fixture.sandbox.address());
    assert_eq!(
        post(&faults_url, form).await.status(),
        StatusCode::SEE_OTHER
    );
    assert!(client.status().await.is_err());
    client.status().await.unwrap();
    let invoice = fixture.invoice(100).await;
    fixture.sandbox.open(&invoice.id, Currency::Btc).unwrap();
    fixture.sandbox.rest().await.unwrap();
    assert!(fixture.received().is_empty());
    let callbacks = reqwest::Client::new()
        .get(format!(
            "{}/sandbox/control/callbacks",
            fixture.sandbox.address()
        ))
        .header("x-api-key", key)
        .send()
        .await
        .unwrap();
    assert!(callbacks.text().await.unwrap().contains("\"dropped\":true"));
}
