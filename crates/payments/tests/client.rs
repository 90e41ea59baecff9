//! The client against servers that answer as no honest provider would.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;
use std::time::Duration;

use glasshouse_domain::Money;
use glasshouse_payments::{
    Client, ClientError, ClientOptions, InvoiceRequest, Malformed, PaymentId, RetryPolicy, Secret,
};

/// A server that gives these answers, one a connection, and returns what it was asked.
fn server(answers: Vec<Vec<u8>>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let thread = std::thread::spawn(move || {
        let answer_one = |answer: Vec<u8>| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = vec![0; 4096];
            let length = stream.read(&mut asked).unwrap();
            asked.truncate(length);
            // A client that has read enough hangs up.
            let _ = stream.write_all(&answer);
            String::from_utf8_lossy(&asked).into_owned()
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
async fn a_call_carries_key_and_name_and_its_path_is_kept() {
    let (address, asked) = server(vec![answer("200 OK", "", "{}")]);
    client(format!("http://{address}/v1/"))
        .status()
        .await
        .unwrap();
    let asked = asked.join().unwrap().remove(0).to_ascii_lowercase();
    assert!(asked.starts_with("get /v1/status http/1.1\r\n"), "{asked}");
    assert!(asked.contains("x-api-key: s3cr3t-k3y\r\n"), "{asked}");
    assert!(asked.contains("user-agent: glasshouse/"), "{asked}");
}

#[tokio::test]
async fn no_call_goes_out_on_a_connection_that_was_kept() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let provider = std::thread::spawn(move || {
        let mut kept = Vec::new();
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            let body = "{}";
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).unwrap();
            // It stays open, and nobody reads from it any more.
            kept.push(stream);
        }
        kept.len()
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
    let (address, asked) = server(vec![answer("307 Temporary Redirect", &location, "")]);
    let error = client(format!("http://{address}"))
        .create_invoice(&request())
        .await
        .unwrap_err();
    assert!(
        matches!(error, ClientError::Refused { status: 307, .. }),
        "{error}"
    );
    assert!(elsewhere.accept().is_err());
    assert_eq!(asked.join().unwrap().len(), 1);
}

#[tokio::test]
async fn an_endless_answer_is_cut_off() {
    let endless = || answer("200 OK", "", &" ".repeat(3 * 1024 * 1024));
    let (address, asked) = server(vec![endless(), endless(), endless()]);
    let client = client(format!("http://{address}"));
    let error = client.status().await.unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
    let error = client.create_invoice(&request()).await.unwrap_err();
    assert!(matches!(error, ClientError::OutcomeUnknown(_)), "{error}");
    asked.join().unwrap();
}

#[tokio::test]
async fn a_key_that_comes_back_is_not_told() {
    let body = r#"{"code":"BAD","message":"no such key: s3cr3t-k3y\u0007"}"#;
    let (address, asked) = server(vec![
        answer("403 Forbidden", "", body),
        answer("404 Not Found", "", "<html>"),
    ]);
    let client = client(format!("http://{address}"));
    let error = client.status().await.unwrap_err();
    let expected = "the provider refuses with 403 BAD: no such key: (hidden)";
    assert_eq!(error.to_string(), expected);
    let error = client.status().await.unwrap_err();
    assert!(
        matches!(error, ClientError::Refused { status: 404, .. }),
        "{error}"
    );
    asked.join().unwrap();
}

#[tokio::test]
async fn answers_that_are_not_to_the_question_are_malformed() {
    let (address, asked) = server(vec![
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
    asked.join().unwrap();
}

#[tokio::test]
async fn https_is_spoken_and_a_server_that_does_not_is_not_talked_to() {
    let (address, asked) = server(vec![answer("200 OK", "", "{}")]);
    let error = client(format!("https://{address}"))
        .create_invoice(&request())
        .await
        .unwrap_err();
    assert!(error.is_passing() && !error.may_have_been_done(), "{error}");
    let asked = asked.join().unwrap().remove(0);
    // The first byte of a handshake of TLS, and no key in the clear.
    assert!(asked.starts_with('\u{16}') && !asked.contains("s3cr3t"));
}

#[tokio::test]
async fn a_question_is_asked_again_after_a_broken_answer() {
    let (address, asked) = server(vec![
        b"HTTP/1.1 200 OK\r\nCon".to_vec(),
        answer("200 OK", "", "{}"),
    ]);
    client(format!("http://{address}")).status().await.unwrap();
    assert_eq!(asked.join().unwrap().len(), 2);
}
