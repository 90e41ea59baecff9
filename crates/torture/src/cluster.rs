//! Three machines, each with PostgreSQL under Patroni and a member of etcd, on which Patroni agrees who is the primary.
//!
//! Replication is synchronous, and strictly so: without a standby nothing is committed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::runtime;

use crate::postgres::{as_postgres, own_folder, remove_lock_file};
use crate::process::{Process, free_port, kill_all_in, run};
use crate::waiting::Wait;

const DATABASE: &str = "glasshouse";
/// How long the cluster may take to be complete, with a primary and a synchronous standby.
const COMPLETE: Wait = Wait {
    limit: Duration::from_mins(3),
    interval: Duration::from_millis(200),
};
/// The seconds after which a primary that does not report is replaced. It must be at least the interval of Patroni's loop
/// and twice the limit of its attempts: 1 + 2 × 2.
const LEASE_SECONDS: u32 = 5;

/// The machines, killed on drop.
#[derive(Debug)]
pub(crate) struct Cluster {
    machines: Vec<Machine>,
    log: PathBuf,
}

/// What happened when a primary was lost.
#[derive(Debug)]
pub(crate) struct Loss {
    /// The machine's number.
    pub(crate) machine: usize,
    /// Whether the machine had the leader of etcd, too.
    pub(crate) led_etcd: bool,
    /// When Patroni told of another primary.
    pub(crate) replaced_after: Duration,
}

#[derive(Debug)]
struct Machine {
    name: String,
    folder: PathBuf,
    postgres: u16,
    patroni: u16,
    etcd_client: u16,
    etcd_peer: u16,
    processes: Vec<Process>,
}

impl Cluster {
    /// Creates and starts all machines, and an empty database.
    pub(crate) fn start(folder: &Path, log: &Path) -> Result<Self> {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
        let machines = (0..3).map(|number| Machine::new(folder, number));
        let mut cluster = Self {
            machines: machines.collect::<Result<_>>()?,
            log: log.to_owned(),
        };
        for number in 0..cluster.machines.len() {
            cluster.start_machine(number)?;
        }
        cluster.wait_until_complete()?;
        cluster.create_database()?;
        Ok(cluster)
    }

    /// The address of whichever server is the primary.
    pub(crate) fn url(&self) -> String {
        self.url_of(DATABASE)
    }

    /// Kills everything on the machine of the primary, and waits until Patroni has replaced it.
    pub(crate) fn lose_primary(&mut self) -> Result<Loss> {
        let number = self.primary()?.context("there is no primary to kill")?;
        let machine = self.machine(number)?;
        // While a leader is elected, there is none.
        let led_etcd = machine.leads_etcd().unwrap_or(false);
        let lost_at = Instant::now();
        kill_all_in(&machine.folder)?;
        machine.processes.clear();
        remove_lock_file(&machine.folder.join("data"))?;
        let is_replaced = || Ok(matches!(self.primary(), Ok(Some(primary)) if primary != number));
        COMPLETE.until(is_replaced, || "the primary is not replaced".to_owned())?;
        Ok(Loss {
            machine: number,
            led_etcd,
            replaced_after: lost_at.elapsed(),
        })
    }

    /// Starts a machine that was killed, as if its power was back.
    pub(crate) fn start_machine(&mut self, number: usize) -> Result<()> {
        let hosts = self.etcd_hosts();
        let peers = self.etcd_peers();
        let log = self.log.clone();
        let machine = self.machine(number)?;
        let etcd = machine.start_etcd(&peers, &log)?;
        let patroni = machine.start_patroni(&hosts, &log)?;
        machine.processes = vec![etcd, patroni];
        Ok(())
    }

    /// Waits until all machines take part and a commit is on two of them.
    pub(crate) fn wait_until_complete(&self) -> Result<()> {
        let late = || format!("the cluster is not complete: {:?}", self.members());
        COMPLETE.until(|| Ok(self.is_complete()), late)
    }

    fn is_complete(&self) -> bool {
        let members = self.members().unwrap_or_default();
        let is_up = |member: &&Value| matches!(text(member, "state"), "running" | "streaming");
        let has = |role| members.iter().any(|member| text(member, "role") == role);
        members.iter().filter(is_up).count() == self.machines.len()
            && has("leader")
            && has("sync_standby")
    }

    /// What Patroni knows of all machines, asked of the first one that answers.
    fn members(&self) -> Result<Vec<Value>> {
        for machine in &self.machines {
            let url = format!("http://127.0.0.1:{}/cluster", machine.patroni);
            let Ok(state) = get(&url) else {
                continue;
            };
            let members = state.get("members").and_then(Value::as_array);
            return Ok(members.cloned().unwrap_or_default());
        }
        bail!("no Patroni answers")
    }

    fn primary(&self) -> Result<Option<usize>> {
        let members = self.members()?;
        let leader = members
            .iter()
            .find(|member| text(member, "role") == "leader");
        Ok(leader.and_then(|leader| {
            let mut machines = self.machines.iter();
            machines.position(|machine| machine.name == text(leader, "name"))
        }))
    }

    fn machine(&mut self, number: usize) -> Result<&mut Machine> {
        self.machines.get_mut(number).context("no such machine")
    }

    /// Creates the database and waits until all machines have it: one that lacks it ends the search for the primary.
    fn create_database(&self) -> Result<()> {
        let create = format!("CREATE DATABASE {DATABASE}");
        run(psql(&self.url_of("postgres")).args(["-c", &create]))?;
        for machine in &self.machines {
            let url = format!("postgres://postgres@{}/{DATABASE}", machine.host());
            let has_it = || Ok(run(psql(&url).args(["-c", "SELECT 1"])).is_ok());
            COMPLETE.until(has_it, || format!("{} has no database", machine.name))?;
        }
        Ok(())
    }

    fn url_of(&self, database: &str) -> String {
        let hosts = self.machines.iter().map(Machine::host);
        let hosts = hosts.collect::<Vec<_>>().join(",");
        format!("postgres://postgres@{hosts}/{database}?target_session_attrs=read-write")
    }

    fn etcd_hosts(&self) -> String {
        let machines = self.machines.iter();
        let hosts = machines.map(|machine| format!("'127.0.0.1:{}'", machine.etcd_client));
        hosts.collect::<Vec<_>>().join(", ")
    }

    fn etcd_peers(&self) -> String {
        let machines = self.machines.iter();
        let peers = machines.map(|machine| format!("{}={}", machine.name, machine.peer_url()));
        peers.collect::<Vec<_>>().join(",")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for machine in &self.machines {
            drop(kill_all_in(&machine.folder));
        }
    }
}

impl Machine {
    fn new(folder: &Path, number: usize) -> Result<Self> {
        let name = format!("machine-{number}");
        let folder = folder.join(&name);
        own_folder(&folder)?;
        Ok(Self {
            name,
            folder,
            postgres: free_port()?,
            patroni: free_port()?,
            etcd_client: free_port()?,
            etcd_peer: free_port()?,
            processes: Vec::new(),
        })
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.postgres)
    }

    fn peer_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.etcd_peer)
    }

    fn start_etcd(&self, peers: &str, log: &Path) -> Result<Process> {
        let client_url = format!("http://127.0.0.1:{}", self.etcd_client);
        let peer_url = self.peer_url();
        let mut etcd = as_postgres("etcd");
        etcd.current_dir(&self.folder)
            .args(["--name", &self.name, "--data-dir", "etcd"])
            .args(["--listen-client-urls", &client_url])
            .args(["--advertise-client-urls", &client_url])
            .args(["--listen-peer-urls", &peer_url])
            .args(["--initial-advertise-peer-urls", &peer_url])
            .args(["--initial-cluster", peers, "--log-level", "error"])
            // Half of the defaults. Patroni's lease begins anew when etcd has a new leader.
            .args(["--heartbeat-interval", "50", "--election-timeout", "500"]);
        Process::start(&mut etcd, log)
    }

    /// Whether this machine's member of etcd is the leader.
    fn leads_etcd(&self) -> Result<bool> {
        let url = format!(
            "http://127.0.0.1:{}/v3/maintenance/status",
            self.etcd_client
        );
        let status = answer(reqwest::Client::new().post(url).json(&json!({})))?;
        let leader = status.get("leader").context("etcd tells of no leader")?;
        Ok(status.pointer("/header/member_id") == Some(leader))
    }

    fn start_patroni(&self, etcd_hosts: &str, log: &Path) -> Result<Process> {
        let path = self.folder.join("patroni.yml");
        fs::write(&path, self.configuration(etcd_hosts)?)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644))?;
        let mut patroni = as_postgres("patroni");
        Process::start(patroni.current_dir(&self.folder).arg(&path), log)
    }

    fn configuration(&self, etcd_hosts: &str) -> Result<String> {
        let Self {
            name,
            postgres,
            patroni,
            folder,
            ..
        } = self;
        let folder = folder.display();
        let programs = programs_folder()?;
        let programs = programs.display();
        Ok(format!(
            "scope: glasshouse
name: {name}
log:
  level: WARNING
restapi:
  listen: 127.0.0.1:{patroni}
  connect_address: 127.0.0.1:{patroni}
etcd3:
  hosts: [{etcd_hosts}]
bootstrap:
  dcs:
    ttl: {LEASE_SECONDS}
    loop_wait: 1
    retry_timeout: 2
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      use_slots: false
      parameters:
        max_connections: 100
        wal_log_hints: 'on'
        wal_keep_size: 256MB
        wal_retrieve_retry_interval: 200ms
  initdb: [encoding: UTF8, locale: C]
  pg_hba:
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
postgresql:
  listen: 127.0.0.1:{postgres}
  connect_address: 127.0.0.1:{postgres}
  data_dir: {folder}/data
  bin_dir: {programs}
  pgpass: {folder}/pgpass
  authentication:
    superuser: {{username: postgres}}
    replication: {{username: replicator}}
  parameters:
    unix_socket_directories: ''
"
        ))
    }
}

fn psql(url: &str) -> Command {
    let mut psql = Command::new("psql");
    psql.args(["-qAt", "-v", "ON_ERROR_STOP=1", "-d", url]);
    psql
}

/// The folder with PostgreSQL's programs, the first in `PATH` that has them.
fn programs_folder() -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    folders
        .find(|folder| folder.join("initdb").is_file())
        .context("initdb is not in PATH")
}

fn get(url: &str) -> Result<Value> {
    answer(reqwest::Client::new().get(url))
}

/// Waits for an answer, on a thread that may wait.
fn answer(request: RequestBuilder) -> Result<Value> {
    let request = request.timeout(Duration::from_secs(2));
    // A runtime of its own, because that of the players may end meanwhile.
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async { Ok(request.send().await?.error_for_status()?.json().await?) })
}

fn text<'a>(member: &'a Value, name: &str) -> &'a str {
    member.get(name).and_then(Value::as_str).unwrap_or_default()
}
