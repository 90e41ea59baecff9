//! Building the server, and running one that the browser tests can use up.

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

use crate::{
    postgres::free_port,
    process::{self, Running},
    workspace::{Workspace, clean_command},
};

/// How long a server may take until it is ready.
const START_LIMIT: Duration = Duration::from_secs(30);
/// The server's database, in the folder that it runs in.
const DATABASE: &str = "data/glasshouse.db";
/// How many lines of a server's log an error shows.
const LOG_LINES_SHOWN: usize = 40;

/// What the server is built for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Profile {
    /// Quick to build.
    Debug,
    /// Quick to run, with the front end inside.
    Release,
}

/// Builds the server and returns the path of `glasshouse`. The front end must have been built.
pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    let mut command = workspace.cargo();
    command.args(["build", "--locked"]);
    let folder = match profile {
        Profile::Debug => {
            // With the features that all packages together ask for, everything is compiled already.
            command.args(["--workspace", "--bin", "glasshouse"]);
            "debug"
        }
        Profile::Release => {
            command.args(["--package", "glasshouse-server", "--release"]);
            "release"
        }
    };
    process::run(&mut command)?;
    Ok(workspace.built(folder)?.join("glasshouse"))
}

/// A server on a free port with a database of its own, ended and removed when this is dropped.
#[derive(Debug)]
pub(crate) struct TestServer {
    // Ended before its folder goes: fields drop in this order.
    running: Running,
    folder: TempDir,
    address: String,
    sandbox_address: String,
    password: String,
}

impl TestServer {
    /// Starts the server and waits until it is ready.
    pub(crate) fn start(binary: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("glasshouse-server-")
            .tempdir()
            .context("cannot make a temporary folder")?;
        let address = format!("127.0.0.1:{}", free_port()?);
        let sandbox_address = format!("127.0.0.1:{}", free_port()?);
        let mut command = command(binary, folder.path(), &address, &sandbox_address)?;
        let running = Running::start(&mut command)?;
        let mut server = Self {
            running,
            folder,
            address,
            sandbox_address,
            password: String::new(),
        };
        server.password = server.wait_until_ready()?;
        Ok(server)
    }

    /// The address that browsers open.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address of the sandbox provider's pages.
    pub(crate) fn sandbox_url(&self) -> String {
        format!("http://{}", self.sandbox_address)
    }

    /// The database's file, in which the browser tests read what the next rounds will be.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join(DATABASE)
    }

    /// The sandbox's API key, by which tests make invoices that are not the house's.
    pub(crate) fn sandbox_key(&self) -> Result<String> {
        let path = self.folder.path().join("data/sandbox-keys.json");
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let keys: serde_json::Value = serde_json::from_slice(&text)?;
        let key = keys.get("api_key").and_then(serde_json::Value::as_str);
        let key = key.context("no key of the sandbox")?;
        Ok(key.to_owned())
    }

    /// The one-time password of the administrator `admin`.
    pub(crate) fn password(&self) -> &str {
        &self.password
    }

    /// The end of what the server has logged.
    pub(crate) fn log_tail(&self) -> String {
        let log = self.log();
        let lines: Vec<&str> = log.lines().collect();
        let start = lines.len().saturating_sub(LOG_LINES_SHOWN);
        lines.get(start..).unwrap_or_default().join("\n")
    }

    fn log(&self) -> String {
        let bytes = fs::read(log_file(self.folder.path())).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns the password, which the server has printed by the time it is ready.
    fn wait_until_ready(&mut self) -> Result<String> {
        let started = Instant::now();
        loop {
            process::stop_if_interrupted()?;
            if let Some(status) = self.running.ended()? {
                bail!("the server ended ({status}):\n{}", self.log_tail());
            }
            let password = one_time_password(&self.log());
            if let Some(password) = password
                && answers_ready(&self.address)
            {
                return Ok(password);
            }
            if started.elapsed() > START_LIMIT {
                bail!(
                    "the server was not ready, or printed no administrator's password, within \
                     {} seconds:\n{}",
                    START_LIMIT.as_secs(),
                    self.log_tail()
                );
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The server's command. It runs in the temporary folder, so that neither the `.env` nor the data
/// of whoever runs the tests is touched.
fn command(binary: &Path, folder: &Path, address: &str, sandbox_address: &str) -> Result<Command> {
    let log = File::create(log_file(folder)).context("cannot make the server's log")?;
    let errors = log.try_clone().context("cannot make the server's log")?;
    let mut command = clean_command(binary);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GLASSHOUSE_") {
            command.env_remove(name);
        }
    }
    command
        .arg("serve")
        .current_dir(folder)
        .env("GLASSHOUSE_BIND", address)
        .env("GLASSHOUSE_PUBLIC_URL", format!("http://{address}"))
        .env(
            "GLASSHOUSE_METRICS_BIND",
            format!("127.0.0.1:{}", free_port()?),
        )
        .env("GLASSHOUSE_SANDBOX_BIND", sandbox_address)
        // Nobody watches a payment on its way here.
        .env("GLASSHOUSE_SANDBOX_STATUS_DELAY_MS", "150")
        .env("GLASSHOUSE_RATE_LIMIT", "off")
        .env("DATABASE_URL", format!("sqlite://{DATABASE}"))
        .stdout(log)
        .stderr(errors);
    Ok(command)
}

fn log_file(folder: &Path) -> PathBuf {
    folder.join("server.log")
}

/// The password in the server's announcement: the first word behind the colon after "password", on
/// the same line or the next.
fn one_time_password(log: &str) -> Option<String> {
    let (_, announcement) = log.split_once("password")?;
    let (_, value) = announcement.split_once(':')?;
    // A word that the server is still writing has no white space behind it yet.
    let (word, _) = value.trim_start().split_once(char::is_whitespace)?;
    Some(word.trim_matches(['"', '`', '\'']).to_owned())
}

/// Whether the server says that it can serve.
fn answers_ready(address: &str) -> bool {
    let ask = || -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        let request =
            format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut status = vec![0; "HTTP/1.1 200".len()];
        stream.read_exact(&mut status)?;
        Ok(status)
    };
    ask().is_ok_and(|status| status.ends_with(b" 200"))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn the_password_is_found() {
        let check = |log, expected: Option<&str>| {
            assert_eq!(one_time_password(log).as_deref(), expected, "{log:?}");
        };
        check("", None);
        check("listening on http://127.0.0.1:8080\n", None);
        check("one-time password: s3cret\n", Some("s3cret"));
        check("one-time password: s3c", None);
        check(
            "password for `admin`: s3cret (shown once)\n",
            Some("s3cret"),
        );
        check(
            "x: y\nThe password is:\n\n    s3cret\n\nz: y\n",
            Some("s3cret"),
        );
    }

    #[test]
    fn only_a_200_is_ready() {
        let check = |answer: &'static str, expected| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap().to_string();
            let serving = thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                // All of it: a connection that is closed with something unread loses the answer.
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") {
                    let mut byte = [0];
                    stream.read_exact(&mut byte).unwrap();
                    request.extend(byte);
                }
                stream.write_all(answer.as_bytes()).unwrap();
                assert!(request.starts_with(b"GET /readyz HTTP"));
            });
            assert_eq!(answers_ready(&address), expected, "{answer:?}");
            serving.join().unwrap();
        };
        check("HTTP/1.1 200 OK\r\n\r\n", true);
        check("HTTP/1.1 503 Service Unavailable\r\n\r\n", false);
        check("HTTP", false);
        assert!(!answers_ready("127.0.0.1:1"), "nobody listens");
    }
}
