//! A server that was asked to stop takes requests for a while, so that its proxy lets go of its connections, and
//! then only finishes what is in progress.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use reqwest::StatusCode;
use rustix::process::Signal;
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::live::Events;
use crate::support::{Server, assert_refused, wait_for};

const LONG: Duration = Duration::from_mins(1);

/// A connection that is kept between requests, as a proxy does.
struct Kept {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Kept {
    fn open(server: &Server) -> Self {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        Self {
            stream: BufReader::new(stream),
            host: server.address.clone(),
        }
    }

    /// The head of the response.
    fn get(&mut self, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host);
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.stream.read_line(&mut head).unwrap(), 0, "{head}");
        }
        let head = head.to_lowercase();
        let (_, length) = head.split_once("content-length: ").unwrap();
        let length = length.lines().next().unwrap().parse().unwrap();
        self.stream.read_exact(&mut vec![0; length]).unwrap();
        head
    }

    fn is_closed(&mut self) -> bool {
        self.stream.read(&mut [0]).unwrap() == 0
    }
}

/// The second signal ends the wait.
async fn assert_drains_until(second: Signal) {
    let mut server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_DRAIN_SECONDS", "60"),
    ]);
    let player = server.funded_player("alice", "10.00").await;
    let mut kept = Kept::open(&server);
    for _ in 0..2 {
        let head = kept.get("/readyz");
        assert!(head.starts_with("http/1.1 200 "), "{head}");
        assert!(!head.contains("connection: close"), "{head}");
    }

    server.signal(Signal::TERM);
    let visitor = server.visitor();
    wait_for(async || visitor.get("/readyz").await.0 == StatusCode::SERVICE_UNAVAILABLE).await;
    // A request on a kept connection is answered, and is the last one on it.
    let head = kept.get("/healthz");
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    assert!(head.contains("connection: close"), "{head}");
    assert!(kept.is_closed());
    // What a proxy sends on a new connection is processed.
    let bet = json!({ "betAmount": "0.10", "targetNumber": 50, "betType": "over" });
    let (status, _) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK);

    server.signal(second);
    assert!(server.exit(LONG).is_some_and(|status| status.success()));
}

#[tokio::test]
async fn a_proxy_lets_go_of_its_connections_before_a_server_ends() {
    assert_drains_until(Signal::TERM).await;
}

#[tokio::test]
async fn a_server_that_waits_for_its_proxy_can_be_stopped_at_once() {
    assert_drains_until(Signal::INT).await;
}

/// A provider that begins to receive a call for an invoice, and answers only when it is told to.
struct SlowProvider {
    url: String,
    call: mpsc::Receiver<TcpStream>,
}

impl SlowProvider {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (sender, call) = mpsc::channel();
        // It ends with the first such call.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                let mut line = String::new();
                BufReader::new(&stream).read_line(&mut line).unwrap();
                if line.contains("/invoice") {
                    return sender.send(stream).unwrap();
                }
            }
        });
        Self { url, call }
    }
}

#[tokio::test]
async fn only_calls_in_progress_are_waited_for_when_a_server_stops() {
    let provider = SlowProvider::start();
    let mut server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_PAYMENTS_URL", &provider.url),
        ("GLASSHOUSE_PAYMENTS_API_KEY", "an-api-key-0123456789"),
        ("GLASSHOUSE_PAYMENTS_IPN_SECRET", "a-secret-of-callbacks"),
    ]);
    let (player, _) = server.player("alice").await;
    let mut events = Events::open(&player).await;
    let mut kept = Kept::open(&server);
    kept.get("/healthz");
    let deposit = tokio::spawn(async move {
        let body = json!({ "amount": "100.00", "cryptoCurrency": "btc" });
        player.post("/api/deposits/create", &body).await
    });
    let call = spawn_blocking(move || provider.call.recv_timeout(LONG).unwrap());
    let call = call.await.unwrap();

    server.signal(Signal::TERM);
    // Not cut off when the server ends.
    events.end().await.unwrap();
    assert!(kept.is_closed());
    // The call is still in progress, and gets its answer.
    drop(call);
    let answer = deposit.await.unwrap();
    assert_refused(&answer, 503, "payments_unclear");
    assert!(server.exit(LONG).is_some_and(|status| status.success()));
}
