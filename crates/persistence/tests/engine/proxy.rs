//! A way to PostgreSQL that can be cut at a commit.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use glasshouse_persistence::DatabaseUrl;

/// The end of the message by which libpq commits.
const COMMIT: &[u8] = b"COMMIT\0";

/// Where the connection is cut.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cut {
    /// The server never gets the COMMIT.
    BeforeCommit,
    /// The server commits, and its answer is lost.
    AfterCommit,
}

/// Passes on what both sides say.
#[derive(Clone)]
pub(crate) struct Proxy {
    /// The address of the database by this way.
    pub(crate) url: DatabaseUrl,
    next_cut: Arc<Mutex<Option<Cut>>>,
}

impl Proxy {
    pub(crate) fn to(url: &DatabaseUrl) -> Self {
        let DatabaseUrl::Postgres(url) = url else {
            panic!("there is no way to a file");
        };
        let (user, place) = url.split_once('@').unwrap();
        let (server, name) = place.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap();
        let next_cut = Arc::new(Mutex::new(None));
        let (server, cut) = (server.to_owned(), Arc::clone(&next_cut));
        thread::spawn(move || {
            for client in listener.incoming() {
                let server = TcpStream::connect(&server).unwrap();
                serve(client.unwrap(), server, Arc::clone(&cut));
            }
        });
        Self {
            url: DatabaseUrl::Postgres(format!("{user}@{own}/{name}")),
            next_cut,
        }
    }

    /// Cuts the next connection that commits.
    pub(crate) fn cut_next_commit(&self, cut: Cut) {
        *self.next_cut.lock().unwrap() = Some(cut);
    }
}

fn serve(client: TcpStream, server: TcpStream, next_cut: Arc<Mutex<Option<Cut>>>) {
    let is_cut = Arc::new(AtomicBool::new(false));
    let is_answer_lost = Arc::clone(&is_cut);
    let (from_server, to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    thread::spawn(move || {
        pass_on(from_server, to_client, |_| {
            !is_answer_lost.load(Ordering::SeqCst)
        });
    });
    thread::spawn(move || {
        pass_on(client, server, |message| {
            let is_commit = message.ends_with(COMMIT);
            let cut = is_commit.then(|| next_cut.lock().unwrap().take()).flatten();
            is_cut.store(matches!(cut, Some(Cut::AfterCommit)), Ordering::SeqCst);
            !matches!(cut, Some(Cut::BeforeCommit))
        });
    });
}

/// Ends both directions where one side does, or at the first message that is not to be passed on. Each
/// side waits for the other one's answer, so that a message is never read together with the next one.
fn pass_on(mut from: TcpStream, mut to: TcpStream, is_passed: impl Fn(&[u8]) -> bool) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length) = from.read(&mut buffer) {
        let message = &buffer[..length];
        if length == 0 || !is_passed(message) || to.write_all(message).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
