//! The client against misbehaving servers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;
use std::time::Duration;

use glasshouse_domain::Money;
use glasshouse_payments::{
    Account, BatchId, Client, ClientError, ClientOptions, ClientSetUpError, Decimal,
    InvoiceRequest, Malformed, PaymentId, RetryPolicy, Secret,
};

/// Serves the given answers, one per connection, and returns the requests received.
fn server(answers: Vec<Vec<u8>>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let thread = std::thread::spawn(move || {
        let answer_one = |answer: Vec<u8>| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut requests = vec![0; 4096];
            let length = stream.read(&mut requests).unwrap();
            requests.truncate(length);
            // The client closes the connection once it has read enough.
            let _ = stream.write_all(&answer);
            String::from_utf8_lossy(&requests).into_owned()
        };
        answers.into_iter().map(answer_one).collect()
    });
    (address, thread)
}

fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

fn client(base_url: String) -> Client {
    Client::new(options(base_url)).unwrap()
}

/// A client that can pay out.
fn paying_client(address: &str) -> Client {
    let mut options = options(format!("http://{address}/v1"));
    options.account = Some(Account {
        email: "house@example.com".to_owned(),
        password: Secret::new("password".to_owned()).unwrap(),
    });
    options.payout_secret =
        Some(Secret::new("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".to_owned()).unwrap());
    Client::new(options).unwrap()
}

fn options(base_url: String) -> ClientOptions {
    let mut options = ClientOptions::new(base_url, Secret::new("s3cr3t-k3y".to_owned()).unwrap());
    options.timeout = Duration::from_secs(5);
    options.retry = RetryPolicy {
        attempts: 2,
        first_delay: Duration::from_millis(1),
        longest_delay: Duration::from_millis(1),
    };
    options
}

fn request() -> InvoiceRequest {
    InvoiceRequest {
        price: Money::from_cents(1_000),
        order_id: "o".to_owned(),
        order_description: "d".to_owned(),
        pay_currency: None,
        ipn_callback_url: "https://a/".to_owned(),
        success_url: "https://a/".to_owned(),
        cancel_url: "https://a/".to_owned(),
        is_fixed_rate: false,
    }
}

#[tokio::test]
async fn a_call_sends_key_and_user_agent_and_keeps_the_base_path() {
    let (address, requests) = server(vec![answer("200 OK", "", "{}")]);
    client(format!("http://{address}/v1/"))
        .status()
        .await
        .unwrap();
    let requests = requests.join().unwrap().remove(0).to_ascii_lowercase();
    assert!(
        requests.starts_with("get /v1/status http/1.1\r\n"),
        "{requests}"
    );
    assert!(requests.contains("x-api-key: s3cr3t-k3y\r\n"), "{requests}");
    assert!(requests.contains("user-agent: glasshouse/"), "{requests}");
}

#[tokio::test]
async fn every_call_opens_a_new_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let provider = std::thread::spawn(move || {
        let mut connections = Vec::new();
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            let body = "{}";
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).unwrap();
            // The connection stays open, but nobody reads from it any more.
            connections.push(stream);
        }
        connections.len()
    });
    let client = client(format!("http://{address}"));
    client.status().await.unwrap();
    client.status().await.unwrap();
    assert_eq!(provider.join().unwrap(), 2);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let location = format!("Location: http://{}/\r\n", elsewhere.local_addr().unwrap());
    let (address, requests) = server(vec![answer("307 Temporary Redirect", &location, "")]);
    let error = client(format!("http://{address}"))
        .create_invoice(&request())
        .await
        .unwrap_err();
    assert!(
        matches!(error, ClientError::Refused { status: 307, .. }),
        "{error}"
    );
    assert!(elsewhere.accept().is_err());
    assert_eq!(requests.join().unwrap().len(), 1);
}

#[tokio::test]
async fn an_oversized_answer_is_cut_off() {
    let oversized = || answer("200 OK", "", &" ".repeat(3 * 1024 * 1024));
    let (address, requests) = server(vec![oversized(), oversized(), oversized()]);
    let client = client(format!("http://{address}"));
    let error = client.status().await.unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
    let error = client.create_invoice(&request()).await.unwrap_err();
    assert!(matches!(error, ClientError::OutcomeUnknown(_)), "{error}");
    requests.join().unwrap();
}

#[tokio::test]
async fn an_echoed_key_is_masked() {
    let body = r#"{"code":"BAD","message":"no such key: s3cr3t-k3y\u0007"}"#;
    let (address, requests) = server(vec![
        answer("403 Forbidden", "", body),
        answer("404 Not Found", "", "<html>"),
    ]);
    let client = client(format!("http://{address}"));
    let error = client.status().await.unwrap_err();
    let expected = "the provider refused with 403 BAD: no such key: (hidden)";
    assert_eq!(error.to_string(), expected);
    let error = client.status().await.unwrap_err();
    assert!(
        matches!(error, ClientError::Refused { status: 404, .. }),
        "{error}"
    );
    requests.join().unwrap();
}

#[tokio::test]
async fn answers_that_do_not_match_the_request_are_malformed() {
    let (address, requests) = server(vec![
        answer(
            "200 OK",
            "",
            r#"{"payment_id":2,"payment_status":"finished"}"#,
        ),
        answer("200 OK", "", "<html>"),
        answer("201 Created", "", r#"{"id":1}"#),
    ]);
    let client = client(format!("http://{address}"));
    let id = PaymentId::parse("1").unwrap();
    let malformed = |malformed| ClientError::Malformed(malformed);
    let error = client.payment(&id).await.unwrap_err();
    assert_eq!(error, malformed(Malformed::Different("payment_id")));
    let error = client.payment(&id).await.unwrap_err();
    assert_eq!(error, malformed(Malformed::NotAnObject));
    let error = client.create_invoice(&request()).await.unwrap_err();
    assert_eq!(error, malformed(Malformed::Missing("invoice_url")));
    assert!(error.may_have_been_done());
    requests.join().unwrap();
}

#[tokio::test]
async fn a_server_without_tls_receives_no_request() {
    let (address, requests) = server(vec![answer("200 OK", "", "{}")]);
    let error = client(format!("https://{address}"))
        .create_invoice(&request())
        .await
        .unwrap_err();
    assert!(error.is_passing() && !error.may_have_been_done(), "{error}");
    let requests = requests.join().unwrap().remove(0);
    // The first byte of a TLS handshake, and no key in the clear.
    assert!(requests.starts_with('\u{16}') && !requests.contains("s3cr3t"));
}

#[tokio::test]
async fn a_read_only_call_is_retried_after_a_truncated_answer() {
    let (address, requests) = server(vec![
        b"HTTP/1.1 200 OK\r\nCon".to_vec(),
        answer("200 OK", "", "{}"),
    ]);
    client(format!("http://{address}")).status().await.unwrap();
    assert_eq!(requests.join().unwrap().len(), 2);
}

const SIGNED_IN: &str = r#"{"token":"t0k3n"}"#;

fn found(id: u32, external_id: &str) -> String {
    format!(
        r#"{{"id":{id},"batch_withdrawal_id":9,"status":"WAITING","currency":"btc","amount":1,
        "address":"a","unique_external_id":"{external_id}"}}"#
    )
}

fn page(entries: &[String]) -> Vec<u8> {
    let body = format!(r#"{{"payouts":[{}]}}"#, entries.join(","));
    answer("200 OK", "", &body)
}

/// The provider may give fewer payouts than a page may have, and "there is none" would lead to a
/// second payout.
#[tokio::test]
async fn a_payout_is_looked_for_until_a_page_is_empty() {
    let unreadable = r#"{"unique_external_id":{}}"#.to_owned();
    let (address, requests) = server(vec![
        answer("200 OK", "", SIGNED_IN),
        page(&[found(1, "w-1")]),
        page(&[found(2, "w-2"), found(3, "w-3")]),
        page(&[]),
        page(&[found(1, "w-1")]),
        page(&[]),
        page(&[unreadable]),
    ]);
    let client = paying_client(&address);
    let day = jiff::civil::date(2026, 1, 2);
    let payout = client.find_payout("w-3", day).await.unwrap().unwrap();
    assert_eq!(payout.id.as_str(), "3");
    assert_eq!(client.find_payout("w-3", day).await, Ok(None));
    let error = client.find_payout("w-3", day).await.unwrap_err();
    let expected = Malformed::Unreadable("unique_external_id");
    assert_eq!(error, ClientError::Malformed(expected));
    let requests = requests.join().unwrap();
    let query = "limit=500&page=1&order_by=dateCreated&order=desc&date_from=2026-01-02";
    let expected = format!("GET /v1/payout?{query} HTTP/1.1\r\n");
    assert!(requests[2].starts_with(&expected), "{}", requests[2]);
    let lower = requests[2].to_ascii_lowercase();
    assert!(lower.contains("authorization: bearer t0k3n\r\n"), "{lower}");
}

#[tokio::test]
async fn a_list_of_payouts_that_never_ends_is_an_error() {
    let mut answers = vec![answer("200 OK", "", SIGNED_IN)];
    answers.extend((0..20).map(|_| page(&[found(1, "w-1")])));
    let (address, requests) = server(answers);
    let mut options = options(format!("http://{address}/v1"));
    options.account = Some(Account {
        email: "house@example.com".to_owned(),
        password: Secret::new("password".to_owned()).unwrap(),
    });
    options.calls_per_second = std::num::NonZeroU32::MAX;
    let client = Client::new(options).unwrap();
    let day = jiff::civil::date(2026, 1, 2);
    let found = client.find_payout("w-2", day).await;
    assert_eq!(found, Err(ClientError::TooMany));
    requests.join().unwrap();
}

#[tokio::test]
async fn a_verification_is_sent_once_and_answered_with_a_text() {
    let (address, requests) = server(vec![
        answer("200 OK", "", SIGNED_IN),
        answer("200 OK", "Content-Type: text/plain\r\n", "OK"),
        answer("502 Bad Gateway", "", ""),
        answer("401 Unauthorized", "", "{}"),
        answer("200 OK", "", SIGNED_IN),
        answer("401 Unauthorized", "", "{}"),
        answer("500 Internal Server Error", "", ""),
        answer("500 Internal Server Error", "", ""),
    ]);
    let client = paying_client(&address);
    let batch = BatchId::parse("9").unwrap();
    client
        .verify_payout(&batch, &client.payout_code().unwrap())
        .await
        .unwrap();
    let error = client
        .verify_payout(&batch, &client.payout_code().unwrap())
        .await
        .unwrap_err();
    assert!(error.may_have_been_done(), "{error}");
    // A fresh token that is refused is not replaced again.
    let error = client
        .verify_payout(&batch, &client.payout_code().unwrap())
        .await
        .unwrap_err();
    assert!(
        matches!(error, ClientError::Refused { status: 401, .. }),
        "{error}"
    );
    // The fresh token was kept, as the refusal may have had another reason.
    let error = client
        .verify_payout(&batch, &client.payout_code().unwrap())
        .await
        .unwrap_err();
    assert!(error.may_have_been_done(), "{error}");
    let error = client
        .verify_payout(&batch, &client.payout_code().unwrap())
        .await
        .unwrap_err();
    assert!(error.may_have_been_done(), "{error}");
    let requests = requests.join().unwrap();
    let request = &requests[1];
    assert!(
        request.starts_with("POST /v1/payout/9/verify HTTP/1.1\r\n"),
        "{request}"
    );
}

#[tokio::test]
async fn balances_are_read_in_both_forms() {
    let body = r#"{"BTC":{"amount":5e-1,"pendingAmount":0},"eth":{"amount":"0.25"},
        "ltc":{"amount":null},"odd":{"amount":-1},"odder":7}"#;
    let (address, requests) = server(vec![answer("200 OK", "", body)]);
    let balances = paying_client(&address).balances().await.unwrap();
    let decimal = |text: &str| text.parse::<Decimal>().unwrap();
    let expected = [("btc", "0.5"), ("eth", "0.25"), ("ltc", "0")]
        .map(|(code, amount)| (code.to_owned(), decimal(amount)));
    assert_eq!(balances, expected);
    requests.join().unwrap();
}

#[test]
fn a_payout_secret_is_checked_at_the_start() {
    let mut options = options("http://127.0.0.1:1".to_owned());
    options.payout_secret = Some(Secret::new("not a secret!".to_owned()).unwrap());
    let error = Client::new(options).unwrap_err();
    assert_eq!(error, ClientSetUpError::PayoutSecret);
}
