//! A server process of its own for each test, and clients with cookies.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const PASSWORD: &str = "tr4vel-lamp";

/// A running server on an empty SQLite database. Killed, not stopped, at the end.
pub(crate) struct Server {
    pub(crate) address: String,
    pub(crate) administrator_password: String,
    pub(crate) folder: TempDir,
    process: Child,
}

/// A browser's worth of cookies.
#[derive(Clone)]
pub(crate) struct Visitor {
    client: Client,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

/// Starts the binary in `folder` and waits until it is open; returns what it said before.
fn start(folder: &TempDir, address: &str, settings: &[(&str, &str)]) -> (Child, String) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_glasshouse"))
        .current_dir(folder.path())
        .env_clear()
        .env("GLASSHOUSE_BIND", address)
        .env("GLASSHOUSE_METRICS_BIND", free_address())
        .env("GLASSHOUSE_LOG", "warn")
        .envs(settings.iter().copied())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    for line in BufReader::new(process.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        said.push_str(&line);
        said.push('\n');
        if line.contains("is open on") {
            break;
        }
    }
    (process, said)
}

impl Server {
    /// With the rate limits off, as most tests need it.
    pub(crate) fn start() -> Self {
        Self::start_with(&[("GLASSHOUSE_RATE_LIMIT", "off")])
    }

    pub(crate) fn start_with(settings: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let address = free_address();
        let (process, said) = start(&folder, &address, settings);
        let password = said
            .rsplit_once("shown this once: ")
            .expect("a first password")
            .1;
        let administrator_password = password.lines().next().unwrap().to_owned();
        Self {
            address,
            administrator_password,
            folder,
            process,
        }
    }

    /// Kills the process as a loss of power would, and starts it again on the same data.
    pub(crate) fn crash_and_restart(&mut self) -> String {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let (process, said) = start(
            &self.folder,
            &self.address,
            &[("GLASSHOUSE_RATE_LIMIT", "off")],
        );
        self.process = process;
        said
    }

    /// The memory that the process has at this moment.
    #[cfg(target_os = "linux")]
    pub(crate) fn resident_mebibytes(&self) -> u64 {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .unwrap();
        line.split_whitespace()
            .nth(1)
            .unwrap()
            .parse::<u64>()
            .unwrap()
            / 1024
    }

    pub(crate) fn visitor(&self) -> Visitor {
        // A kept connection would be found closed after a crash.
        let client = Client::builder()
            .cookie_store(true)
            .pool_max_idle_per_host(0)
            .build()
            .unwrap();
        Visitor {
            client,
            address: self.address.clone(),
        }
    }

    /// A registered, signed-in player.
    pub(crate) async fn player(&self, name: &str) -> (Visitor, i64) {
        let visitor = self.visitor();
        let body = json!({ "username": name, "password": PASSWORD });
        let (status, user) = visitor.post("/api/register", &body).await;
        assert_eq!(status, StatusCode::CREATED, "{user}");
        (visitor, user["id"].as_i64().unwrap())
    }

    pub(crate) async fn administrator(&self) -> Visitor {
        let visitor = self.visitor();
        let body = json!({ "username": "admin", "password": self.administrator_password });
        let (status, user) = visitor.post("/api/login", &body).await;
        assert_eq!(status, StatusCode::OK, "{user}");
        visitor
    }

    /// A player with a balance, set by the administrator.
    pub(crate) async fn funded_player(&self, name: &str, balance: &str) -> Visitor {
        let (visitor, id) = self.player(name).await;
        let path = format!("/api/admin/users/{id}/balance");
        let (status, answer) = self
            .administrator()
            .await
            .post(&path, &json!({ "balance": balance }))
            .await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        visitor
    }

    /// `glasshouse check` on the server's data: every invariant holds.
    pub(crate) fn assert_clean(&self) {
        let output = Command::new(env!("CARGO_BIN_EXE_glasshouse"))
            .arg("check")
            .current_dir(self.folder.path())
            .env_clear()
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("All invariants hold."), "{said}");
    }
}

impl Visitor {
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("http://{}{path}", self.address))
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        read(self.request(Method::GET, path).send().await.unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        read(
            self.request(Method::POST, path)
                .json(body)
                .send()
                .await
                .unwrap(),
        )
        .await
    }

    /// A body exactly as written.
    pub(crate) async fn post_raw(
        &self,
        path: &str,
        body: impl Into<String>,
    ) -> (StatusCode, Value) {
        let request = self
            .request(Method::POST, path)
            .header("content-type", "application/json");
        read(request.body(body.into()).send().await.unwrap()).await
    }

    pub(crate) async fn balance(&self) -> String {
        let (status, user) = self.get("/api/user").await;
        assert_eq!(status, StatusCode::OK);
        user["balance"].as_str().unwrap().to_owned()
    }
}

pub(crate) async fn read(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    let text = response.text().await.unwrap();
    (
        status,
        serde_json::from_str(&text).unwrap_or(Value::String(text)),
    )
}

/// A refusal says why in words and by a stable word, and nothing of our insides.
#[track_caller]
pub(crate) fn assert_refused(answer: &(StatusCode, Value), status: u16, code: &str) {
    assert_eq!(answer.0.as_u16(), status, "{}", answer.1);
    assert_eq!(answer.1["code"], code, "{}", answer.1);
    assert!(!answer.1["message"].as_str().unwrap().is_empty());
}
