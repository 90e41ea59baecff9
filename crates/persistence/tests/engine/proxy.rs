//! A TCP proxy in front of PostgreSQL that can drop the connection at a commit.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use glasshouse_persistence::DatabaseUrl;

/// The end of the message that libpq sends to commit.
const COMMIT: &[u8] = b"COMMIT\0";

/// When the proxy closes the connection.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cut {
    /// The server never receives the COMMIT.
    BeforeCommit,
    /// The server commits, and its response is lost.
    AfterCommit,
}

/// Forwards messages in both directions.
#[derive(Clone)]
pub(crate) struct Proxy {
    /// The URL of the database through this proxy.
    pub(crate) url: DatabaseUrl,
    next_cut: Arc<Mutex<Option<Cut>>>,
}

impl Proxy {
    /// Starts a proxy for a PostgreSQL database on a free port.
    pub(crate) fn to(url: &DatabaseUrl) -> Self {
        let DatabaseUrl::Postgres(url) = url else {
            panic!("SQLite has no server to proxy");
        };
        let (user, location) = url.split_once('@').unwrap();
        let (server, name) = location.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let next_cut = Arc::new(Mutex::new(None));
        let (server, cut) = (server.to_owned(), Arc::clone(&next_cut));
        thread::spawn(move || {
            for client in listener.incoming() {
                let server = TcpStream::connect(&server).unwrap();
                serve(client.unwrap(), server, Arc::clone(&cut));
            }
        });
        Self {
            url: DatabaseUrl::Postgres(format!("{user}@{address}/{name}")),
            next_cut,
        }
    }

    /// Closes the next connection that commits.
    pub(crate) fn cut_next_commit(&self, cut: Cut) {
        *self.next_cut.lock().unwrap() = Some(cut);
    }
}

fn serve(client: TcpStream, server: TcpStream, next_cut: Arc<Mutex<Option<Cut>>>) {
    let is_response_dropped = Arc::new(AtomicBool::new(false));
    let drops_response = Arc::clone(&is_response_dropped);
    let (from_server, to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    thread::spawn(move || {
        forward(from_server, to_client, |_| {
            !drops_response.load(Ordering::SeqCst)
        });
    });
    thread::spawn(move || {
        forward(client, server, |message| {
            let is_commit = message.ends_with(COMMIT);
            let cut = is_commit.then(|| next_cut.lock().unwrap().take()).flatten();
            is_response_dropped.store(matches!(cut, Some(Cut::AfterCommit)), Ordering::SeqCst);
            !matches!(cut, Some(Cut::BeforeCommit))
        });
    });
}

/// Forwards messages until one side closes the connection or `should_forward` returns false, and
/// then closes both directions. Each side waits for the other one's response, so one read never
/// returns two messages.
fn forward(mut from: TcpStream, mut to: TcpStream, should_forward: impl Fn(&[u8]) -> bool) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length) = from.read(&mut buffer) {
        let message = &buffer[..length];
        if length == 0 || !should_forward(message) || to.write_all(message).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
