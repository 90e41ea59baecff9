//! Builds the server, and runs temporary servers for the tests.

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
    scratch::{self, Place},
    workspace::{Workspace, clean_command},
};

/// How long a server may take to become ready.
const START_LIMIT: Duration = Duration::from_secs(30);
/// The server's database file, relative to its working directory.
const DATABASE: &str = "data/glasshouse.db";
const ADMINISTRATOR_PASSWORD: &str = "c4reful-hands-of-a-keeper";
/// How many lines of a server's log an error shows.
const LOG_LINES_SHOWN: usize = 40;

/// The cargo profile to build the server with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Profile {
    /// Fast to compile.
    Debug,
    /// Fast at run time, and contains the front end.
    Release,
}

/// Builds the server and returns the path of `glasshouse`. The front end must have been built.
pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    Ok(build_programs(workspace, profile, &["glasshouse"])?.join("glasshouse"))
}

/// Builds programs of the workspace and returns the folder in which they are.
pub(crate) fn build_programs(
    workspace: &Workspace,
    profile: Profile,
    names: &[&str],
) -> Result<PathBuf> {
    let mut command = workspace.cargo();
    command.args(["build", "--locked"]);
    let folder = match profile {
        Profile::Debug => {
            // With the features of the whole workspace, the other steps have compiled everything
            // already.
            command.arg("--workspace");
            "debug"
        }
        Profile::Release => {
            for name in names {
                command.args(["--package", package_of(name)]);
            }
            command.arg("--release");
            "release"
        }
    };
    for name in names {
        command.args(["--bin", name]);
    }
    process::run(&mut command)?;
    workspace.target_folder(folder)
}

/// The package that a program belongs to.
const fn package_of(program: &str) -> &str {
    // A program is named after its package, except the one that is named after the product.
    match program.as_bytes() {
        b"glasshouse" => "glasshouse-server",
        _ => program,
    }
}

/// A server on a free port with its own database, terminated and deleted on drop.
#[derive(Debug)]
pub(crate) struct TestServer {
    // Fields drop in this order: the server is terminated before its folder is deleted.
    running: Running,
    folder: TempDir,
    address: String,
    sandbox_address: String,
    password: &'static str,
}

impl TestServer {
    /// Starts the server and waits until it is ready.
    pub(crate) fn start(binary: &Path) -> Result<Self> {
        let folder = scratch::folder("glasshouse-server-", Place::Memory)?;
        let address = format!("127.0.0.1:{}", free_port()?);
        let sandbox_address = format!("127.0.0.1:{}", free_port()?);
        let password = create_administrator(binary, folder.path())?;
        lift_thresholds(binary, folder.path())?;
        let mut command = command(binary, folder.path(), &address, &sandbox_address)?;
        let running = Running::start(&mut command)?;
        let mut server = Self {
            running,
            folder,
            address,
            sandbox_address,
            password,
        };
        server.wait_until_ready()?;
        Ok(server)
    }

    /// The URL for browsers.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The URL of the sandbox provider's pages.
    pub(crate) fn sandbox_url(&self) -> String {
        format!("http://{}", self.sandbox_address)
    }

    /// The database file, from which the browser tests predict the next rounds.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join(DATABASE)
    }

    /// The file with the key of the server seeds, which the browser tests need for this as well.
    pub(crate) fn seed_key_file(&self) -> PathBuf {
        self.folder.path().join("data/seed-key")
    }

    /// The sandbox's API key, with which tests create invoices that the house did not request.
    pub(crate) fn sandbox_key(&self) -> Result<String> {
        let path = self.folder.path().join("data/sandbox-keys.json");
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let keys: serde_json::Value = serde_json::from_slice(&text)?;
        let key = keys.get("api_key").and_then(serde_json::Value::as_str);
        let key = key.context("the sandbox's keys have no `api_key`")?;
        Ok(key.to_owned())
    }

    /// The password of the administrator `admin`.
    pub(crate) const fn password(&self) -> &str {
        self.password
    }

    /// The last lines of the server's log.
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

    fn wait_until_ready(&mut self) -> Result<()> {
        let started = Instant::now();
        loop {
            process::stop_if_interrupted()?;
            if let Some(status) = self.running.exit_status()? {
                bail!("the server exited ({status}):\n{}", self.log_tail());
            }
            if is_ready(&self.address) {
                return Ok(());
            }
            if started.elapsed() > START_LIMIT {
                bail!(
                    "the server was not ready within {} seconds:\n{}",
                    START_LIMIT.as_secs(),
                    self.log_tail()
                );
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A command of the program. It runs in the temporary folder, so that it uses neither the `.env` nor
/// the data of the developer who runs the tests.
fn program(binary: &Path, folder: &Path) -> Command {
    let mut command = clean_command(binary);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GLASSHOUSE_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .env("DATABASE_URL", format!("sqlite://{DATABASE}"));
    command
}

/// The server's command.
fn command(binary: &Path, folder: &Path, address: &str, sandbox_address: &str) -> Result<Command> {
    let log = File::create(log_file(folder)).context("cannot create the server's log")?;
    let errors = log.try_clone().context("cannot create the server's log")?;
    let mut command = program(binary, folder);
    command
        .arg("serve")
        .env("GLASSHOUSE_BIND", address)
        .env("GLASSHOUSE_PUBLIC_URL", format!("http://{address}"))
        .env(
            "GLASSHOUSE_METRICS_BIND",
            format!("127.0.0.1:{}", free_port()?),
        )
        .env("GLASSHOUSE_SANDBOX_BIND", sandbox_address)
        // The tests do not look at intermediate statuses.
        .env("GLASSHOUSE_SANDBOX_STATUS_DELAY_MS", "150")
        .env("GLASSHOUSE_RATE_LIMIT", "off")
        .env("GLASSHOUSE_WITHDRAWAL_DELAY_HOURS", "0")
        .stdout(log)
        .stderr(errors);
    Ok(command)
}

/// Creates the administrator `admin` with a password that need not be changed, before the first start
/// would create one with a one-time password. Returns the password.
fn create_administrator(binary: &Path, folder: &Path) -> Result<&'static str> {
    let input = folder.join("administrator-password");
    fs::write(&input, ADMINISTRATOR_PASSWORD)
        .and_then(|()| File::open(&input))
        .map_err(Into::into)
        .and_then(|input| {
            let mut command = program(binary, folder);
            command.args(["admin", "create", "admin", "--password-stdin"]);
            process::run(command.stdin(input))
        })
        .context("cannot create an administrator")?;
    Ok(ADMINISTRATOR_PASSWORD)
}

/// Lets the administrator alone give players the balances that the tests need.
fn lift_thresholds(binary: &Path, folder: &Path) -> Result<()> {
    let mut command = program(binary, folder);
    command.args(["admin", "thresholds"]);
    for threshold in [
        "--adjustment",
        "--confirmation",
        "--withdrawal",
        "--person-per-day",
        "--house-per-day",
    ] {
        command.args([threshold, "1000000000.00"]);
    }
    process::run(&mut command).context("cannot set the approval thresholds")
}

fn log_file(folder: &Path) -> PathBuf {
    folder.join("server.log")
}

/// Whether the server's readiness check succeeds.
pub(crate) fn is_ready(address: &str) -> bool {
    status(address, "/readyz").is_ok_and(|status| status == "200")
}

/// The status of the server's response for a path, such as `200`.
pub(crate) fn status(address: &str, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut beginning = vec![0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut beginning)?;
    let beginning = String::from_utf8_lossy(&beginning);
    Ok(beginning.rsplit(' ').next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn only_status_200_is_ready() {
        let check = |response: &'static str, expected| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap().to_string();
            let serving = thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                // Read the whole request: closing a connection with unread data loses the response.
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") {
                    let mut byte = [0];
                    stream.read_exact(&mut byte).unwrap();
                    request.extend(byte);
                }
                stream.write_all(response.as_bytes()).unwrap();
                assert!(request.starts_with(b"GET /readyz HTTP"));
            });
            assert_eq!(is_ready(&address), expected, "{response:?}");
            serving.join().unwrap();
        };
        check("HTTP/1.1 200 OK\r\n\r\n", true);
        check("HTTP/1.1 503 Service Unavailable\r\n\r\n", false);
        check("HTTP", false);
        assert!(!is_ready("127.0.0.1:1"), "no server on this port");
    }
}
