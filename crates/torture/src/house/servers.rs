//! The servers of a house: started, killed, stopped and started again.

use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::Signal;

use super::{
    ADMINISTRATOR_PASSWORD, EMAIL, House, IPN_SECRET, Kind, PAYOUT_SECRET, PROVIDER_KEY,
    PROVIDER_PASSWORD, free_address,
};
use crate::process::{Process, run};
use crate::waiting::{Wait, lock};

/// Key files that all servers of a house share, with the settings that name them.
const KEY_FILES: [(&str, &str); 5] = [
    ("GLASSHOUSE_SECRET_FILE", "secret"),
    ("GLASSHOUSE_AUDIT_KEY_FILE", "audit-key"),
    ("GLASSHOUSE_SEED_KEY_FILE", "seed-key"),
    ("GLASSHOUSE_LOG_KEY_FILE", "log-key"),
    ("GLASSHOUSE_SECOND_FACTOR_KEY_FILE", "second-factor-key"),
];
/// How long servers may take to become ready, a recovery of PostgreSQL included.
const READY: Wait = Wait {
    limit: Duration::from_mins(2),
    interval: Duration::from_millis(20),
};

impl House {
    /// Kills a server. It is started again by [`Self::restart_exited`].
    pub(crate) fn kill_server(&self, number: usize) -> Result<()> {
        match self.server(number)?.as_mut() {
            Some(process) => process.kill(),
            None => Ok(()),
        }
    }

    /// Stops a server as its operator would; it must exit without an error.
    pub(crate) fn stop_server(&self, number: usize) -> Result<()> {
        // Locked until it has exited, so that it is not started again before.
        let mut server = self.server(number)?;
        if let Some(process) = server.as_mut()
            && process.is_running()
        {
            let status = process.stop()?;
            // While it starts, the signal ends it at once.
            ensure!(
                status.success() || status.signal() == Some(Signal::TERM.as_raw()),
                "a server was stopped, and exited with {status}"
            );
        }
        Ok(())
    }

    /// Stops a server. It is started again in the new version.
    pub(crate) fn upgrade_server(&self, number: usize) -> Result<()> {
        let is_upgraded = self.is_upgraded.get(number).context("no such server")?;
        is_upgraded.store(true, Ordering::Relaxed);
        self.stop_server(number)
    }

    /// Starts every server that is not running. Returns how many.
    pub(crate) fn restart_exited(&self) -> Result<usize> {
        let mut started = 0;
        for number in 0..self.servers.len() {
            let mut server = self.server(number)?;
            if !server.as_mut().is_some_and(Process::is_running) {
                *server = Some(self.start_server(number)?);
                started += 1;
            }
        }
        Ok(started)
    }

    /// Waits until every server says that it is ready.
    pub(crate) async fn wait_until_ready(&self) -> Result<()> {
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(2))
            .build()?;
        let started = Instant::now();
        for address in &self.addresses {
            loop {
                let response = client.get(format!("http://{address}/readyz")).send().await;
                if response.is_ok_and(|response| response.status().is_success()) {
                    break;
                }
                if started.elapsed() > READY.limit {
                    bail!(
                        "a server is not ready after {:?}:\n{}",
                        READY.limit,
                        self.log_tail()
                    );
                }
                tokio::time::sleep(READY.interval).await;
            }
        }
        Ok(())
    }

    /// Stops all servers.
    pub(crate) fn close(&self) -> Result<()> {
        (0..self.servers.len()).try_for_each(|number| self.stop_server(number))
    }

    fn server(&self, number: usize) -> Result<std::sync::MutexGuard<'_, Option<Process>>> {
        let server = self.servers.get(number).context("no such server")?;
        Ok(lock(server))
    }

    fn start_server(&self, number: usize) -> Result<Process> {
        let address = self.addresses.get(number).context("no such server")?;
        let entrance = self.entrances.first().context("there is no entrance")?;
        let provider = &self.provider_address;
        let mut command = self.command(number);
        command
            .arg("serve")
            .env("GLASSHOUSE_BIND", address)
            .env("GLASSHOUSE_PUBLIC_URL", format!("http://{entrance}"))
            .env("GLASSHOUSE_METRICS_BIND", free_address()?)
            .env("GLASSHOUSE_PAYMENTS_URL", format!("http://{provider}/v1"))
            .env("GLASSHOUSE_PAYMENTS_API_KEY", PROVIDER_KEY)
            .env("GLASSHOUSE_PAYMENTS_IPN_SECRET", IPN_SECRET)
            .env("GLASSHOUSE_PAYMENTS_EMAIL", EMAIL)
            .env("GLASSHOUSE_PAYMENTS_PASSWORD", PROVIDER_PASSWORD)
            .env("GLASSHOUSE_PAYMENTS_PAYOUT_SECRET", PAYOUT_SECRET)
            .env("GLASSHOUSE_PAYMENTS_CALLS_PER_SECOND", "100")
            .env("GLASSHOUSE_WITHDRAWAL_DELAY_HOURS", "0")
            .env("GLASSHOUSE_RATE_LIMIT", "off");
        if self.kind == Kind::Cluster {
            command.env("GLASSHOUSE_BEHIND_PROXY", "on");
        }
        if let Some(clock) = &self.clock {
            clock.apply(&mut command);
        }
        Process::start(&mut command, &self.server_log(number))
    }

    /// A command of the program, for one of the servers.
    pub(super) fn command(&self, number: usize) -> Command {
        let disk = self.folder.path().join("disk");
        let keys = disk.join("data-0");
        let mut command = Command::new(self.program(number));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GLASSHOUSE_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(&disk)
            .env("GLASSHOUSE_DATA", disk.join(format!("data-{number}")))
            .env("GLASSHOUSE_LOG", "warn")
            .env("DATABASE_URL", &self.database_url);
        // The first server generates its own.
        if number > 0 {
            let files = KEY_FILES.map(|(setting, file)| (setting, keys.join(file)));
            command.envs(files);
        }
        command
    }

    fn program(&self, number: usize) -> &Path {
        let is_upgraded = self.is_upgraded.get(number);
        let is_upgraded = is_upgraded.is_none_or(|one| one.load(Ordering::Relaxed));
        let previous = self.programs.previous.as_ref().filter(|_| !is_upgraded);
        previous.unwrap_or(&self.programs.server)
    }

    /// Creates the tables, the keys and an administrator, who may do everything alone.
    pub(super) fn prepare(&self) -> Result<()> {
        let mut create = self.command(0);
        create
            .args(["admin", "create", "admin", "--password-stdin"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        let mut process = create.spawn().context("cannot start the program")?;
        let mut input = process.stdin.take().context("the input is not piped")?;
        input.write_all(ADMINISTRATOR_PASSWORD.as_bytes())?;
        drop(input);
        let status = process.wait()?;
        ensure!(status.success(), "no administrator was created: {status}");
        let mut thresholds = self.command(0);
        thresholds.args(["admin", "thresholds"]);
        for threshold in [
            "adjustment",
            "confirmation",
            "withdrawal",
            "person-per-day",
            "house-per-day",
        ] {
            thresholds.args([&format!("--{threshold}"), "1000000000.00"]);
        }
        // Larger withdrawals are the administrator's.
        run(thresholds.args(["--automatic-withdrawal", "40.00"]))?;
        Ok(())
    }

    /// Starts the first server, which generates the keys that all of them share.
    pub(super) fn generate_keys(&self) -> Result<()> {
        *self.server(0)? = Some(self.start_server(0)?);
        let keys = self.folder.path().join("disk/data-0");
        let are_there = || Ok(KEY_FILES.iter().all(|(_, file)| keys.join(file).is_file()));
        READY.until(are_there, || {
            format!("{}\nthere are no keys", self.log_tail())
        })
    }

    pub(super) fn server_log(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("server-{number}.log"))
    }
}
