//! A house with its servers, its database and its payment provider, all on this machine.

mod servers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::clock::Clock;
use crate::cluster::Cluster;
use crate::disk::Disk;
use crate::nginx::Nginx;
use crate::postgres::Postgres;
use crate::process::{Process, free_port, run};

pub(crate) const ADMINISTRATOR_PASSWORD: &str = "c4reful-hands-of-a-keeper";
/// The provider's keys, which no real provider has.
const PROVIDER_KEY: &str = "torture-api-key-0123456789abcdef";
const IPN_SECRET: &str = "torture-ipn-secret-0123456789abcdef";
const PROVIDER_PASSWORD: &str = "torture-provider-password";
/// The secret of the sandbox's authenticator, in base 32.
const PAYOUT_SECRET: &str = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const EMAIL: &str = "house@sandbox.example";
/// The database of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, strum::Display)]
pub(crate) enum Kind {
    #[strum(to_string = "SQLite")]
    Sqlite,
    #[strum(to_string = "PostgreSQL")]
    Postgres,
    /// Three machines under Patroni, and the servers behind nginx.
    #[strum(to_string = "cluster")]
    Cluster,
}

impl Kind {
    /// A SQLite file is one server's.
    const fn servers(self) -> usize {
        match self {
            Self::Sqlite => 1,
            Self::Postgres | Self::Cluster => 2,
        }
    }
}

/// The programs of the house.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) server: PathBuf,
    /// The version that servers run until they are upgraded, if there is one.
    pub(crate) previous: Option<PathBuf>,
    pub(crate) provider: PathBuf,
}

/// A running house. Servers that exit are started again, as a service manager does.
pub(crate) struct House {
    pub(crate) kind: Kind,
    /// Where players call: the servers, or what stands in front of them.
    pub(crate) entrances: Arc<[String]>,
    pub(crate) provider_address: String,
    pub(crate) postgres: Option<Mutex<Postgres>>,
    pub(crate) cluster: Option<Mutex<Cluster>>,
    pub(crate) clock: Option<Clock>,
    pub(crate) disk: Option<Disk>,
    addresses: Vec<String>,
    servers: Vec<Mutex<Option<Process>>>,
    /// Which servers run the new version, or do so once they are started again.
    is_upgraded: Vec<AtomicBool>,
    database_url: String,
    programs: Programs,
    // Dropped in this order: the programs are killed before their folder is deleted.
    _provider: Process,
    nginx: Option<Nginx>,
    folder: TempDir,
}

impl House {
    /// Creates a house and starts everything. A part that this machine does not allow is left out.
    pub(crate) fn open(kind: Kind, programs: &Programs, disk_mebibytes: u64) -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("glasshouse-torture-")
            .tempdir()?;
        let disk_folder = folder.path().join("disk");
        fs::create_dir(&disk_folder)?;
        // The disks of a cluster are not filled, and have to hold three databases with their WAL.
        let disk = match kind {
            Kind::Sqlite | Kind::Postgres => Disk::mount(&disk_folder, disk_mebibytes).ok(),
            Kind::Cluster => None,
        };
        let clock = Clock::new(folder.path())?;
        // PostgreSQL's user reads the clock, and its servers are below the folder.
        run(Command::new("chmod").arg("0755").arg(folder.path()))?;
        let log = folder.path().join("postgresql.log");
        let (mut postgres, mut cluster) = (None, None);
        let database_url = match kind {
            Kind::Sqlite => "sqlite://data-0/glasshouse.db".to_owned(),
            Kind::Postgres => {
                let started = Postgres::start(&disk_folder, &log, clock.clone())?;
                let url = started.url();
                postgres = Some(Mutex::new(started));
                url
            }
            Kind::Cluster => {
                let started = Cluster::start(&disk_folder, &log)?;
                let url = started.url();
                cluster = Some(Mutex::new(started));
                url
            }
        };
        let provider_address = free_address()?;
        let provider = start_provider(&programs.provider, folder.path(), &provider_address)?;
        let addresses = (0..kind.servers()).map(|_| free_address());
        let addresses: Vec<String> = addresses.collect::<Result<_>>()?;
        let entrances = match kind {
            Kind::Sqlite | Kind::Postgres => addresses.clone(),
            Kind::Cluster => vec![free_address()?],
        };
        let nginx = match (kind, entrances.first()) {
            (Kind::Cluster, Some(address)) => {
                Some(Nginx::start(folder.path(), address, &addresses)?)
            }
            _ => None,
        };
        let house = Self {
            kind,
            servers: addresses.iter().map(|_| Mutex::new(None)).collect(),
            is_upgraded: addresses.iter().map(|_| AtomicBool::new(false)).collect(),
            entrances: entrances.into(),
            addresses,
            provider_address,
            database_url,
            postgres,
            cluster,
            clock,
            disk,
            programs: programs.clone(),
            _provider: provider,
            nginx,
            folder,
        };
        house.prepare()?;
        house.generate_keys()?;
        house.restart_exited()?;
        Ok(house)
    }

    /// What this machine does not allow, and what is left out because of it.
    pub(crate) fn missing(&self) -> Vec<(&'static str, &'static str)> {
        let mut missing = Vec::new();
        if self.disk.is_none() && self.kind != Kind::Cluster {
            missing.push((
                "disk of its own (only root may mount one)",
                "the disk is never full",
            ));
        }
        if self.clock.is_none() {
            missing.push((
                "libfaketime (the Debian package faketime)",
                "clocks are never set",
            ));
        }
        missing
    }

    /// Runs `glasshouse check`, which must find nothing, and returns what it prints.
    pub(crate) fn check(&self) -> Result<String> {
        run(self.command(0).arg("check")).context("the books are wrong")
    }

    /// What the provider has stored.
    pub(crate) fn provider_state(&self) -> Result<serde_json::Value> {
        let text = fs::read(provider_file(self.folder.path()))?;
        serde_json::from_slice(&text).context("the provider's file is no JSON")
    }

    /// Injects faults into what the provider answers and sends next.
    pub(crate) async fn inject_faults(&self, faults: &serde_json::Value) -> Result<()> {
        let url = format!("http://{}/sandbox/inject_fault", self.provider_address);
        let request = reqwest::Client::new().post(url).json(faults);
        let response = request.header("x-api-key", PROVIDER_KEY).send().await?;
        response.error_for_status()?;
        Ok(())
    }

    /// Whether servers can be upgraded while others go on.
    pub(crate) fn has_previous_version(&self) -> bool {
        self.programs.previous.is_some() && self.servers.len() > 1
    }

    /// Whether players are served through a proxy.
    pub(crate) const fn has_proxy(&self) -> bool {
        self.nginx.is_some()
    }

    pub(crate) fn servers(&self) -> usize {
        self.servers.len()
    }

    /// The last lines that the servers have logged.
    pub(crate) fn log_tail(&self) -> String {
        let mut text = String::new();
        for number in 0..self.servers.len() {
            let log = fs::read_to_string(self.server_log(number)).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            let tail = lines
                .get(lines.len().saturating_sub(20)..)
                .unwrap_or_default();
            text.push_str(&tail.join("\n"));
            text.push('\n');
        }
        text
    }

    /// Keeps the folder with the logs and the database, for whoever looks for the cause of a failure.
    pub(crate) fn keep_logs(&self, target: &Path) -> Result<()> {
        fs::create_dir_all(target)?;
        for entry in fs::read_dir(self.folder.path())? {
            let path = entry?.path();
            if let Some(name) = path.file_name()
                && path.is_file()
            {
                fs::copy(&path, target.join(name))?;
            }
        }
        Ok(())
    }
}

fn start_provider(binary: &Path, folder: &Path, address: &str) -> Result<Process> {
    let mut command = Command::new(binary);
    command
        .env("GLASSHOUSE_SANDBOX_BIND", address)
        .env("GLASSHOUSE_SANDBOX_API_KEY", PROVIDER_KEY)
        .env("GLASSHOUSE_SANDBOX_IPN_SECRET", IPN_SECRET)
        .env("GLASSHOUSE_SANDBOX_EMAIL", EMAIL)
        .env("GLASSHOUSE_SANDBOX_PASSWORD", PROVIDER_PASSWORD)
        .env("GLASSHOUSE_SANDBOX_PAYOUT_SECRET", PAYOUT_SECRET)
        .env("GLASSHOUSE_SANDBOX_DATA", provider_file(folder))
        .env("GLASSHOUSE_SANDBOX_STATUS_DELAY_MS", "50")
        .env("GLASSHOUSE_SANDBOX_LOG", "warn");
    Process::start(&mut command, &folder.join("provider.log"))
}

fn provider_file(folder: &Path) -> PathBuf {
    folder.join("provider.json")
}

fn free_address() -> Result<String> {
    Ok(format!("127.0.0.1:{}", free_port()?))
}
