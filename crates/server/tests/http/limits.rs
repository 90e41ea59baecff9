//! Limits for each client: time to send a body, connections, and space in the log.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

use reqwest::{Method, StatusCode};

use crate::administration::set_seconds_ago;
use crate::support::{Server, Visitor, wait_for};

/// Sends the head of a request and three bytes of its body, and reads the response until the server
/// closes the connection.
fn response_to_incomplete_body(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    // Fails the test if the server never responds.
    stream
        .set_read_timeout(Some(Duration::from_mins(1)))
        .unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: 16000\r\n\r\n{{\"u"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_incomplete_body_times_out() {
    let server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_BODY_TIMEOUT_SECONDS", "1"),
    ]);
    for path in ["/api/login", "/api/register", "/api/payments/ipn"] {
        let address = server.address.clone();
        let answer =
            tokio::task::spawn_blocking(move || response_to_incomplete_body(&address, path));
        let answer = answer.await.unwrap();
        assert!(
            answer.starts_with("HTTP/1.1 408 Request Timeout\r\n"),
            "{path}: {answer}"
        );
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.to_lowercase().contains("connection: close"), "{head}");
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["code"], "body_timeout", "{path}");
        assert!(!body["message"].as_str().unwrap().is_empty());
    }
    assert_eq!(
        server.visitor().get("/healthz").await.0,
        StatusCode::OK,
        "other clients are served"
    );
}

#[tokio::test]
async fn connections_per_address_are_limited() {
    let server = Server::start_with(&[("GLASSHOUSE_MAX_CONNECTIONS_PER_ADDRESS", "3")]);
    let ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let status = |stream: &mut TcpStream| {
        stream.write_all(ask).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        String::from_utf8(start.to_vec()).unwrap()
    };
    let connect = || TcpStream::connect(&server.address).unwrap();
    // The server may still count connections that were made while it started.
    let mut held = Vec::new();
    loop {
        let mut stream = connect();
        if status(&mut stream) == "HTTP/1.1 429" {
            break;
        }
        held.push(stream);
        assert!(held.len() <= 3, "the fourth connection was not refused");
    }
    held.clear();
    wait_for(async || status(&mut connect()) == "HTTP/1.1 200").await;
}

/// The log lines of one request, with the API's debug log enabled.
async fn log_of(requests: impl AsyncFnOnce(&Visitor)) -> String {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("log");
    let file = std::fs::File::create(&path).unwrap();
    let settings = [
        ("GLASSHOUSE_LOG", "warn,glasshouse_api=debug"),
        ("GLASSHOUSE_LOG_FORMAT", "json"),
        ("GLASSHOUSE_RATE_LIMIT", "off"),
    ];
    let server = Server::start_logging(&settings, Stdio::from(file));
    let log = || std::fs::read_to_string(&path).unwrap();
    // The warning about a proxy in front is logged once.
    let first = server.visitor().request(Method::GET, "/healthz");
    let first = first.header("x-forwarded-for", "192.0.2.1").send().await;
    assert_eq!(first.unwrap().status(), StatusCode::OK);
    wait_for(async || log().contains("responded")).await;
    assert_eq!(log().matches("GLASSHOUSE_BEHIND_PROXY").count(), 1);
    let before = log().len();
    requests(&server.visitor()).await;
    wait_for(async || log()[before..].contains("responded")).await;
    log()[before..].to_owned()
}

#[tokio::test]
async fn a_request_logs_one_short_line() {
    let padding = "x".repeat(20_000);
    let log = log_of(async |visitor| {
        let request = visitor
            .request(Method::GET, &format!("/api/{padding}?token=in-the-query"))
            .header("user-agent", format!("agent-{padding}"))
            .header("cookie", format!("glasshouse={padding}"))
            .header("x-forwarded-for", "6.6.6.6");
        assert_eq!(
            request.send().await.unwrap().status(),
            StatusCode::NOT_FOUND
        );
    })
    .await;
    // A single line: an invalid cookie is counted, but not logged.
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(log.len() < 1_024, "{} bytes: {log}", log.len());
    assert!(!log.contains("in-the-query"), "{log}");
    assert!(!log.contains("6.6.6.6"), "{log}");
    let line: serde_json::Value = serde_json::from_str(log.trim()).unwrap();
    let span = &line["span"];
    assert_eq!(span["client_address"], "127.0.0.1", "{line}");
    assert_eq!(span["method"], "GET", "{line}");
    assert_eq!(span["user_agent"].as_str().unwrap().len(), 120, "{line}");
    assert!(span["request_id"].is_string(), "{line}");
}

#[tokio::test]
async fn the_log_contains_the_route_and_not_the_path() {
    let log = log_of(async |visitor| {
        visitor.get("/api/rounds/123456789").await;
    })
    .await;
    let line: serde_json::Value = serde_json::from_str(log.trim()).unwrap();
    assert_eq!(line["span"]["route"], "/api/rounds/{id}", "{line}");
    assert!(!log.contains("123456789"), "{log}");
}

#[tokio::test]
async fn the_log_contains_no_password_that_somebody_thinks_of() {
    for body in [
        // Refused, because it is the username.
        r#"{"password": "k7-typed-so-far", "username": "k7-typed-so-far"}"#,
        // Bodies that are malformed.
        r#"{"password": ["k7-typed-so-far"]}"#,
        r#"{"password": "k7-typed-so-far", "other": "k7-typed-so-far"}"#,
    ] {
        let log = log_of(async |visitor| {
            visitor.post_raw("/api/password-strength", body).await;
        })
        .await;
        assert!(!log.contains("k7-typed"), "{body}: {log}");
    }
}

#[tokio::test]
async fn the_log_contains_neither_links_nor_addresses() {
    for (path, body) in [
        ("/api/email-verification", r#"{"token": "k7-secret"}"#),
        ("/api/email-verification", r#"{"token": ["k7-secret"]}"#),
        (
            "/api/password-recovery",
            r#"{"email": "k7-secret@example.com"}"#,
        ),
        ("/api/password-recovery", r#"{"email": "k7-secret"}"#),
        (
            "/api/password-recovery/complete",
            r#"{"token": "k7-secret", "newPassword": "k7-secret-too"}"#,
        ),
    ] {
        let log = log_of(async |visitor| {
            visitor.post_raw(path, body).await;
        })
        .await;
        assert!(!log.contains("k7-secret"), "{body}: {log}");
    }
}

/// Requests that a browser makes by itself do not keep a session alive.
#[tokio::test]
async fn automatic_polls_do_not_count_as_activity() {
    let server = Server::start();
    let (player, _) = server.player("alice").await;
    let last_active =
        || server.texts("SELECT CAST(last_active_at_micros AS TEXT) AS value FROM sessions");
    // Long enough ago that activity is recorded again.
    set_seconds_ago(&server, "last_active_at_micros", 600);
    let before = last_active();
    for path in ["/api/deposits/1/status", "/api/open-rounds"] {
        player.get(path).await;
        assert_eq!(last_active(), before, "{path}");
    }
    let events = player.request(Method::GET, "/api/events").send().await;
    assert_eq!(events.unwrap().status(), StatusCode::OK);
    assert_eq!(last_active(), before, "/api/events");
    player.get("/api/user").await;
    assert!(
        last_active() > before,
        "the player's own call was not recorded"
    );
}
