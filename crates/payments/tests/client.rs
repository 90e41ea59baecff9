//! The client against misbehaving servers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;
use std::time::Duration;

use glasshouse_domain::Money;
use glasshouse_payments::{
    Client, ClientError, ClientOptions, InvoiceRequest, Malformed, PaymentId, RetryPolicy, Secret,
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
    let mut options = ClientOptions::new(base_url, Secret::new("s3cr3t-k3y".to_owned()).unwrap());
    options.timeout = Duration::from_secs(5);
    options.retry = RetryPolicy {
        attempts: 2,
        first_delay: Duration::from_millis(1),
        longest_delay: Duration::from_millis(1),
    };
    Client::new(options).unwrap()
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
