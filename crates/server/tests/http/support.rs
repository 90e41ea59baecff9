//! A server process of its own for each test, and clients with cookies.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use glasshouse_casino::DatabaseUrl;
use glasshouse_testing::EmptyDatabase;
use reqwest::StatusCode;
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::Mutex;

pub(crate) mod authenticator;
mod database;
mod funds;
mod midnight;
pub(crate) mod passkey;
mod process;
mod restored;
mod visitor;

pub(crate) use authenticator::Authenticator;
pub(crate) use database::{migrate, served_url, url_of};
pub(crate) use visitor::{Visitor, assert_limited, assert_refused, read, session_cookie};

pub(crate) const PASSWORD: &str = "tr4vel-lamp";
const ADMINISTRATOR_PASSWORD: &str = "c4reful-hands-of-a-keeper";
/// The file with the first administrator's one-time password.
pub(crate) const FIRST_PASSWORD: &str = "data/first-admin-password";

/// Ports that no system gives out by itself: one of those could go to another program between our
/// finding it free and the server's taking it.
const FIRST_PORT: u32 = 12_000;
const PORTS: u32 = 20_000;
/// More than a test uses, so that tests in processes of their own look in different places.
const PORTS_APART: u32 = 97;

/// A running server on an empty database. Killed, not stopped, at the end.
pub(crate) struct Server {
    pub(crate) address: String,
    /// Where the sandbox provider is, if the server starts one.
    pub(crate) sandbox_address: String,
    /// The password that the first administrator chooses at the first sign-in.
    pub(crate) administrator_password: String,
    /// How the first administrator signs in; shared by all servers on the database.
    access: Arc<Mutex<Access>>,
    /// What the server said until it was open.
    pub(crate) said: String,
    pub(crate) folder: TempDir,
    process: Child,
    /// Removed after the server has been killed; none on SQLite, which is a file in the folder.
    postgres: Option<EmptyDatabase>,
    /// The settings of key files, which the operator's commands need, too.
    key_files: Vec<(String, String)>,
}

/// What the first administrator needs besides the chosen password.
struct Access {
    /// The one-time password; none once another was chosen.
    one_time_password: Option<String>,
    /// None until the first sign-in.
    authenticator: Option<Authenticator>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An address that is free now, and that nobody else is given until the server has taken it.
pub(crate) fn free_address() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = std::process::id().wrapping_mul(PORTS_APART);
    loop {
        let step = start.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let address = format!("127.0.0.1:{}", FIRST_PORT + step % PORTS);
        if TcpListener::bind(&address).is_ok() {
            return address;
        }
    }
}

/// The binary in `folder`, listening nowhere where another does, and its sandbox neither.
pub(crate) fn command(folder: &Path, address: &str, sandbox_address: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glasshouse"));
    command
        .current_dir(folder)
        .env_clear()
        .env("GLASSHOUSE_BIND", address)
        .env("GLASSHOUSE_PUBLIC_URL", format!("http://{address}"))
        .env("GLASSHOUSE_METRICS_BIND", free_address())
        .env("GLASSHOUSE_SANDBOX_BIND", sandbox_address)
        // Nothing is called over TLS. To read the system's certificates takes a third of a server's start.
        .env("SSL_CERT_FILE", "/dev/null")
        // The tests of delays start their server with one.
        .env("GLASSHOUSE_WITHDRAWAL_DELAY_HOURS", "0")
        .env("GLASSHOUSE_LOG", "warn");
    command
}

/// Starts the command and waits until the casino is open; returns what it said before.
fn start(command: &mut Command) -> (Child, String) {
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
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

/// Waits until it is so, for half a minute at the most.
pub(crate) async fn wait_for(is_so: impl AsyncFn() -> bool) {
    let wait = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let limit = Duration::from_secs(30);
    tokio::time::timeout(limit, wait)
        .await
        .expect("what was waited for did not come");
}

/// Waits for a process; none if it takes long.
pub(crate) fn wait(process: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    while started.elapsed() < limit {
        if let Some(status) = process.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}

impl Server {
    /// With the rate limits off, as most tests need it.
    pub(crate) fn start() -> Self {
        Self::start_with(&[("GLASSHOUSE_RATE_LIMIT", "off")])
    }

    pub(crate) fn start_with(settings: &[(&str, &str)]) -> Self {
        Self::start_logging(settings, Stdio::inherit())
    }

    /// On a PostgreSQL database, whichever database the test run uses.
    pub(crate) fn start_on_postgres() -> Self {
        Self::start_on(EmptyDatabase::postgres())
    }

    /// On a PostgreSQL database. If it has roles, it is migrated as its owner and served as the other.
    pub(crate) fn start_on(database: EmptyDatabase) -> Self {
        let settings = [("GLASSHOUSE_RATE_LIMIT", "off")];
        let folder = TempDir::new().unwrap();
        Self::start_in(folder, Some(database), &settings, Stdio::inherit())
    }

    /// With the log, which is standard error, going somewhere.
    pub(crate) fn start_logging(settings: &[(&str, &str)], log: Stdio) -> Self {
        let folder = TempDir::new().unwrap();
        let chooses = |name: &str| settings.iter().any(|(setting, _)| *setting == name);
        let has_own_key = chooses("GLASSHOUSE_AUDIT_KEY_FILE");
        let postgres = (!chooses("DATABASE_URL"))
            .then(|| database::chosen_database(folder.path(), has_own_key))
            .flatten();
        Self::start_in(folder, postgres, settings, log)
    }

    fn start_in(
        folder: TempDir,
        postgres: Option<EmptyDatabase>,
        settings: &[(&str, &str)],
        log: Stdio,
    ) -> Self {
        midnight::wait_out_midnight();
        let address = free_address();
        let sandbox_address = free_address();
        let mut command = command(folder.path(), &address, &sandbox_address);
        if let Some(database) = &postgres {
            command.env("DATABASE_URL", served_url(database));
            if database.roles.is_some() {
                let migrated = migrate(folder.path(), database, settings);
                assert!(migrated.status.success(), "{migrated:?}");
            }
        }
        let (process, said) = start(command.envs(settings.iter().copied()).stderr(log));
        let password = std::fs::read_to_string(folder.path().join(FIRST_PASSWORD)).unwrap();
        Self {
            address,
            sandbox_address,
            administrator_password: ADMINISTRATOR_PASSWORD.to_owned(),
            access: Arc::new(Mutex::new(Access {
                one_time_password: Some(password.trim().to_owned()),
                authenticator: None,
            })),
            said,
            folder,
            process,
            postgres,
            key_files: settings
                .iter()
                .filter(|(name, _)| name.ends_with("_KEY_FILE"))
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        }
    }

    /// A second server on the same PostgreSQL database, with the same keys.
    pub(crate) fn start_beside(&self) -> Self {
        let database = self.postgres.as_ref();
        let url = served_url(database.expect("only servers on PostgreSQL share a database"));
        let keys = [
            ("GLASSHOUSE_SECRET_FILE", "secret"),
            ("GLASSHOUSE_AUDIT_KEY_FILE", "audit-key"),
            ("GLASSHOUSE_SEED_KEY_FILE", "seed-key"),
            ("GLASSHOUSE_LOG_KEY_FILE", "log-key"),
            ("GLASSHOUSE_SECOND_FACTOR_KEY_FILE", "second-factor-key"),
        ]
        .map(|(variable, file)| (variable, self.folder.path().join("data").join(file)));
        self.start_other(TempDir::new().unwrap(), url, &keys)
    }

    /// Another server for the same people, with the data directory in a folder.
    fn start_other(&self, folder: TempDir, url: &str, keys: &[(&str, PathBuf)]) -> Self {
        let (address, sandbox_address) = (free_address(), free_address());
        let mut command = command(folder.path(), &address, &sandbox_address);
        command
            .envs(keys.iter().map(|(variable, path)| (variable, path)))
            .env("DATABASE_URL", url)
            .env("GLASSHOUSE_RATE_LIMIT", "off");
        let (process, said) = start(&mut command);
        Self {
            address,
            sandbox_address,
            administrator_password: self.administrator_password.clone(),
            access: Arc::clone(&self.access),
            said,
            folder,
            process,
            postgres: None,
            key_files: Vec::new(),
        }
    }

    /// Kills the process as a loss of power would, and starts it again on the same data.
    pub(crate) fn crash_and_restart(&mut self) -> String {
        self.crash_and_restart_with(&[("GLASSHOUSE_RATE_LIMIT", "off")])
    }

    pub(crate) fn crash_and_restart_with(&mut self, settings: &[(&str, &str)]) -> String {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let mut command = command(self.folder.path(), &self.address, &self.sandbox_address);
        if let Some(database) = &self.postgres {
            command.env("DATABASE_URL", served_url(database));
        }
        let (process, said) = start(command.envs(settings.iter().copied()));
        self.process = process;
        said
    }

    pub(crate) fn visitor(&self) -> Visitor {
        Visitor::of(&self.address)
    }

    /// A registered, signed-in player.
    pub(crate) async fn player(&self, name: &str) -> (Visitor, i64) {
        let visitor = self.visitor();
        let body = json!({ "username": name, "password": PASSWORD });
        let (status, user) = visitor.post("/api/register", &body).await;
        assert_eq!(status, StatusCode::CREATED, "{user}");
        (visitor, user["id"].as_i64().unwrap())
    }

    /// The first administrator, signed in. The first time, this chooses a password and sets an
    /// authenticator up; later it uses one of the recovery codes.
    pub(crate) async fn administrator(&self) -> Visitor {
        let visitor = self.visitor();
        let mut access = self.access.lock().await;
        let chosen = &self.administrator_password;
        let one_time = access.one_time_password.take();
        let mut body =
            json!({ "username": "admin", "password": one_time.as_ref().unwrap_or(chosen) });
        if let Some(authenticator) = &mut access.authenticator {
            body["secondFactor"] = json!(authenticator.recovery_code());
        }
        let (status, user) = visitor.post("/api/login", &body).await;
        assert_eq!(status, StatusCode::OK, "{user}");
        if let Some(password) = one_time {
            let body = json!({ "currentPassword": password, "newPassword": chosen });
            let (status, answer) = visitor.post("/api/account/password", &body).await;
            assert_eq!(status, StatusCode::NO_CONTENT, "{answer}");
        }
        match &mut access.authenticator {
            Some(authenticator) => authenticator.refill(&visitor).await,
            None => access.authenticator = Some(Authenticator::enrol(&visitor).await),
        }
        visitor
    }

    /// A recovery code of the first administrator, who has signed in.
    pub(crate) async fn recovery_code(&self) -> String {
        let mut access = self.access.lock().await;
        let authenticator = access.authenticator.as_mut();
        authenticator.expect("nobody has signed in").recovery_code()
    }

    /// The first administrator's one-time password, before another was chosen.
    pub(crate) async fn one_time_password(&self) -> String {
        let access = self.access.lock().await;
        let password = access.one_time_password.clone();
        password.expect("another password was chosen")
    }

    /// A command of the binary on the server's data, as the operator gives it.
    pub(crate) fn operate(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glasshouse"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .envs(self.key_files.iter().map(|(name, value)| (name, value)));
        if let Some(database) = &self.postgres {
            command.env("DATABASE_URL", served_url(database));
        }
        command.output().unwrap()
    }

    /// The server's database, for somebody with access to the machine.
    pub(crate) fn database_url(&self) -> DatabaseUrl {
        match &self.postgres {
            Some(database) => database.url.clone(),
            None => DatabaseUrl::Sqlite(self.folder.path().join("data/glasshouse.db")),
        }
    }

    /// The URL of the server's PostgreSQL database that the server was given.
    pub(crate) fn served(&self) -> &str {
        served_url(self.postgres.as_ref().expect("a server on PostgreSQL"))
    }

    pub(crate) fn is_on_postgres(&self) -> bool {
        self.postgres.is_some()
    }

    /// Runs SQL on the server's database, past the server.
    pub(crate) fn sql(&self, statements: &str) -> Result<(), String> {
        glasshouse_testing::sql(&self.database_url(), statements)
    }

    /// The column `value` of a query on the server's database, as text.
    pub(crate) fn texts(&self, query: &str) -> Vec<String> {
        glasshouse_testing::texts(&self.database_url(), query)
    }

    /// `glasshouse check` on the server's data: every invariant holds.
    pub(crate) fn assert_clean(&self) {
        let output = self.operate(&["check"]);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("All invariants hold."), "{said}");
    }
}
