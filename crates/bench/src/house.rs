//! A server under load: the release binary on a fresh database, with registered, funded players.

use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, ensure};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use totp_rs::{Builder, Secret};

use crate::machine;

const ADMINISTRATOR_PASSWORD: &str = "c4reful-hands-of-a-keeper";
const REGISTERED_AT_ONCE: usize = 4;

/// The database of the house.
pub(crate) enum Backend {
    Sqlite,
    Postgres(String),
}

/// A running server.
pub(crate) struct House {
    pub(crate) address: String,
    /// The administrator's session cookie.
    pub(crate) administrator: String,
    /// Each player's session cookie, in the order of their IDs.
    pub(crate) cookies: Vec<String>,
    pub(crate) backend: Backend,
    folder: TempDir,
    process: Child,
}

impl Drop for House {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn free_address() -> anyhow::Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

impl House {
    pub(crate) async fn open(
        binary: &Path,
        backend: Backend,
        players: usize,
    ) -> anyhow::Result<Self> {
        let folder = TempDir::new()?;
        let address = free_address()?;
        let program = || {
            let mut program = Command::new(binary);
            program
                .current_dir(folder.path())
                .env("GLASSHOUSE_LOG", "warn")
                .env_remove("DATABASE_URL");
            if let Backend::Postgres(url) = &backend {
                program.env("DATABASE_URL", url);
            }
            program
        };
        create_administrator(&mut program())?;
        lift_thresholds(&mut program())?;
        let mut command = program();
        command
            .arg("serve")
            .env("GLASSHOUSE_BIND", &address)
            .env("GLASSHOUSE_METRICS_BIND", free_address()?)
            .env("GLASSHOUSE_SANDBOX_BIND", free_address()?)
            .env("GLASSHOUSE_RATE_LIMIT", "off")
            .stdout(Stdio::piped());
        let mut process = command.spawn().context("cannot start the server")?;
        let output = process
            .stdout
            .take()
            .context("the server's output is not piped")?;
        wait_until_open(BufReader::new(output))?;
        let mut house = Self {
            address,
            administrator: String::new(),
            cookies: Vec::new(),
            backend,
            folder,
            process,
        };
        house.register(players).await?;
        Ok(house)
    }

    pub(crate) fn name(&self) -> &'static str {
        match self.backend {
            Backend::Sqlite => "SQLite",
            Backend::Postgres(_) => "PostgreSQL",
        }
    }

    /// The path of the SQLite file.
    pub(crate) fn sqlite_path(&self) -> PathBuf {
        self.folder.path().join("data/glasshouse.db")
    }

    /// The server's process.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// The server's resident memory in KiB.
    pub(crate) fn resident_kibibytes(&self) -> anyhow::Result<u64> {
        machine::process(self.process_id(), |process| process.memory() / 1024)
    }

    async fn register(&mut self, players: usize) -> anyhow::Result<()> {
        let client = Client::new();
        let register = async |number: usize| {
            let body = json!({ "username": format!("player-{number}"), "password": "tr4vel-lamp" });
            let (cookie, user) = self.post(&client, "/api/register", None, &body).await?;
            let id = user.get("id").and_then(Value::as_i64).context("no id")?;
            anyhow::Ok((id, cookie))
        };
        // Hashing a password takes one processor for a while.
        let registering = stream::iter(0..players)
            .map(register)
            .buffered(REGISTERED_AT_ONCE);
        let mut registered: Vec<(i64, String)> = registering.try_collect().await?;
        registered.sort_unstable();
        let (ids, cookies): (Vec<i64>, Vec<String>) = registered.into_iter().unzip();
        self.cookies = cookies;
        // Only now, because an administrator may set balances for some minutes after giving a code, and many players
        // take longer than that to register.
        let login = json!({ "username": "admin", "password": ADMINISTRATOR_PASSWORD });
        let (administrator, _) = self.post(&client, "/api/login", None, &login).await?;
        self.set_authenticator_up(&client, &administrator).await?;
        for id in ids {
            let path = format!("/api/admin/users/{id}/balance");
            let balance = json!({ "balance": "100000.00", "reason": "a benchmark" });
            self.post(&client, &path, Some(&administrator), &balance)
                .await?;
        }
        self.administrator = administrator;
        Ok(())
    }

    /// Gives the administrator the second factor that the house requires.
    async fn set_authenticator_up(
        &self,
        client: &Client,
        administrator: &str,
    ) -> anyhow::Result<()> {
        let path = "/api/account/second-factor/authenticator";
        let cookie = Some(administrator);
        let (_, enrolment) = self.post(client, path, cookie, &json!({})).await?;
        let secret = enrolment.get("secret").and_then(Value::as_str);
        let secret = Secret::try_from_base32(secret.context("no secret")?)?;
        let authenticator = Builder::new()
            .with_secret(secret)
            .with_account_name("admin")
            .build()?;
        let code = authenticator.generate_current().to_string();
        let path = format!("{path}/confirm");
        self.post(client, &path, cookie, &json!({ "code": code }))
            .await?;
        Ok(())
    }

    /// Sends a POST request and returns the session cookie, if one was set, and the response.
    async fn post(
        &self,
        client: &Client,
        path: &str,
        cookie: Option<&str>,
        body: &Value,
    ) -> anyhow::Result<(String, Value)> {
        let mut request = client
            .post(format!("http://{}{path}", self.address))
            .json(body);
        if let Some(cookie) = cookie {
            request = request.header("cookie", cookie);
        }
        let response = request.send().await?;
        ensure!(
            response.status().is_success(),
            "{path}: {}",
            response.status()
        );
        let cookies: Vec<&str> = response
            .headers()
            .get_all("set-cookie")
            .iter()
            .filter_map(|value| value.to_str().ok()?.split(';').next())
            .collect();
        let cookies = cookies.join("; ");
        Ok((cookies, response.json().await?))
    }
}

/// Creates an administrator with a password that need not be changed, before the first start would
/// create one with a one-time password.
fn create_administrator(program: &mut Command) -> anyhow::Result<()> {
    let mut process = program
        .args(["admin", "create", "admin", "--password-stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .context("cannot start the program")?;
    let mut input = process.stdin.take().context("the input is not piped")?;
    input.write_all(ADMINISTRATOR_PASSWORD.as_bytes())?;
    drop(input);
    let status = process.wait()?;
    ensure!(status.success(), "no administrator was created: {status}");
    Ok(())
}

/// Lets the administrator give all players their balances.
fn lift_thresholds(program: &mut Command) -> anyhow::Result<()> {
    program.args(["admin", "thresholds"]).stdout(Stdio::null());
    for threshold in ["--adjustment", "--person-per-day", "--house-per-day"] {
        program.args([threshold, "1000000000.00"]);
    }
    let status = program.status().context("cannot start the program")?;
    ensure!(status.success(), "the thresholds were not set: {status}");
    Ok(())
}

/// Reads the server's output until it is open.
fn wait_until_open(output: impl BufRead) -> anyhow::Result<()> {
    for line in output.lines() {
        if line?.contains("is open on") {
            return Ok(());
        }
    }
    anyhow::bail!("the server did not open")
}
