//! A small SMTP server that keeps what it is sent.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A mail as the server received it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedMail {
    /// The argument of `MAIL FROM`.
    pub from: String,
    /// The arguments of `RCPT TO`.
    pub to: Vec<String>,
    /// Headers and text.
    pub data: String,
}

#[derive(Default)]
struct State {
    mails: Vec<ReceivedMail>,
    /// What the next recipients are answered instead of 250.
    refusals: VecDeque<&'static str>,
    /// The arguments of `AUTH`.
    authentications: Vec<String>,
}

/// A server on a free local port, without encryption. It listens until the process ends.
pub struct TestSmtpServer {
    /// Its address, with a port.
    pub address: String,
    state: Arc<Mutex<State>>,
}

impl TestSmtpServer {
    /// Starts a server.
    ///
    /// # Panics
    /// If it cannot listen.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                // A client that hangs up in the middle ends its own thread only.
                thread::spawn(move || serve(&stream, &state));
            }
        });
        Self { address, state }
    }

    /// The mails that were accepted, in the order of their arrival.
    ///
    /// # Panics
    /// If the server has panicked.
    #[must_use]
    pub fn mails(&self) -> Vec<ReceivedMail> {
        self.state.lock().unwrap().mails.clone()
    }

    /// The arguments of `AUTH` so far.
    ///
    /// # Panics
    /// If the server has panicked.
    #[must_use]
    pub fn authentications(&self) -> Vec<String> {
        self.state.lock().unwrap().authentications.clone()
    }

    /// Refuses the next recipients with these answers.
    ///
    /// # Panics
    /// If the server has panicked.
    pub fn refuse(&self, answers: &[&'static str]) {
        self.state.lock().unwrap().refusals.extend(answers);
    }
}

fn serve(stream: &TcpStream, state: &Mutex<State>) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let mut next = || lines.next()?.ok();
    let answer = |text: &str| {
        let mut stream = stream;
        write!(stream, "{text}\r\n").ok()
    };
    let mut mail = ReceivedMail {
        from: String::new(),
        to: Vec::new(),
        data: String::new(),
    };
    answer("220 test")?;
    loop {
        let line = next()?;
        let upper = line.to_ascii_uppercase();
        if upper.starts_with("EHLO") {
            answer("250-test\r\n250-8BITMIME\r\n250 AUTH PLAIN")?;
        } else if let Some(credentials) = line.strip_prefix("AUTH ") {
            let mut state = state.lock().unwrap();
            state.authentications.push(credentials.to_owned());
            answer("235 hello")?;
        } else if let Some(from) = line.strip_prefix("MAIL FROM:") {
            from.clone_into(&mut mail.from);
            answer("250 ok")?;
        } else if let Some(to) = line.strip_prefix("RCPT TO:") {
            let refusal = state.lock().unwrap().refusals.pop_front();
            if let Some(text) = refusal {
                answer(text)?;
            } else {
                mail.to.push(to.to_owned());
                answer("250 ok")?;
            }
        } else if upper == "DATA" {
            answer("354 go on")?;
            loop {
                let line = next()?;
                if line == "." {
                    break;
                }
                mail.data.push_str(line.strip_prefix('.').unwrap_or(&line));
                mail.data.push_str("\r\n");
            }
            state.lock().unwrap().mails.push(mail.clone());
            answer("250 ok")?;
        } else if upper == "NOOP" {
            answer("250 ok")?;
        } else if upper == "QUIT" {
            answer("221 bye")?;
            return Some(());
        } else {
            answer("502 unknown")?;
        }
    }
}
