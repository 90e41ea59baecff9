//! Two PostgreSQL servers: a primary and its synchronous standby, which takes over when the primary is lost.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::clock::Clock;
use crate::process::{free_port, kill_all_in, run};
use crate::waiting::Wait;

const DATABASE: &str = "glasshouse";
/// How long a server may take to start, to recover or to follow the other one.
const START: Wait = Wait {
    limit: Duration::from_mins(2),
    interval: Duration::from_millis(50),
};

/// Both servers, stopped on drop.
#[derive(Debug)]
pub(crate) struct Postgres {
    nodes: [Node; 2],
    /// Which one is the primary.
    primary: usize,
    log: PathBuf,
    clock: Option<Clock>,
}

#[derive(Debug)]
struct Node {
    folder: PathBuf,
    port: u16,
}

impl Postgres {
    /// Creates and starts both servers in a folder. Their programs are in `PATH`.
    pub(crate) fn start(folder: &Path, log: &Path, clock: Option<Clock>) -> Result<Self> {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
        let node = |name: &str| -> Result<Node> {
            Ok(Node {
                folder: folder.join(name),
                port: free_port()?,
            })
        };
        fs::write(log, "")?;
        let postgres = Self {
            nodes: [node("node-0")?, node("node-1")?],
            primary: 0,
            log: log.to_owned(),
            clock,
        };
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(log))?;
        }
        for node in &postgres.nodes {
            own_folder(&node.folder)?;
        }
        let mut initdb = as_postgres("initdb");
        initdb
            .args(["--no-sync", "--auth=trust", "--username=postgres"])
            .args(["--encoding=UTF8", "--no-locale", "--pgdata"])
            .arg(&postgres.primary().folder);
        run(&mut initdb)?;
        postgres.launch(postgres.primary())?;
        postgres.sql("postgres", &format!("CREATE DATABASE {DATABASE}"))?;
        postgres.add_standby()?;
        Ok(postgres)
    }

    /// The address of whichever server is the primary.
    pub(crate) fn url(&self) -> String {
        let hosts = self.nodes.each_ref().map(Node::host).join(",");
        format!("postgres://postgres@{hosts}/{DATABASE}?target_session_attrs=read-write")
    }

    /// Stops the primary without a checkpoint and starts it again, which recovers it from its WAL.
    pub(crate) fn stop_hard(&self) -> Result<()> {
        let mut stop = as_postgres("pg_ctl");
        stop.args(["--wait", "--mode=immediate", "stop", "--pgdata"])
            .arg(&self.primary().folder);
        run(&mut stop)?;
        self.launch(self.primary())
    }

    /// Kills all processes of the primary and starts it again.
    pub(crate) fn kill(&self) -> Result<()> {
        kill_node(self.primary())?;
        self.launch(self.primary())
    }

    /// Kills the primary for good: the standby takes over, and a new one is made of the other server.
    pub(crate) fn fail_over(&mut self) -> Result<()> {
        self.wait_for_standby("sync")?;
        kill_all_in(&self.primary().folder)?;
        self.primary = 1 - self.primary;
        let mut promote = as_postgres("pg_ctl");
        promote.args(["--wait", "promote", "--pgdata"]);
        run(promote.arg(&self.primary().folder))?;
        // It has no standby yet, so it must not wait for one.
        self.wait_for_standbys("")?;
        fs::remove_dir_all(&self.standby().folder)?;
        own_folder(&self.standby().folder)?;
        self.add_standby()
    }

    /// Starts what a full disk has stopped.
    pub(crate) fn recover(&self) -> Result<()> {
        for node in [self.primary(), self.standby()] {
            let mut status = as_postgres("pg_ctl");
            status.args(["status", "--pgdata"]).arg(&node.folder);
            if run(&mut status).is_err() {
                kill_node(node)?;
                self.launch(node)?;
            }
        }
        Ok(())
    }

    fn primary(&self) -> &Node {
        let [first, second] = &self.nodes;
        if self.primary == 0 { first } else { second }
    }

    fn standby(&self) -> &Node {
        let [first, second] = &self.nodes;
        if self.primary == 0 { second } else { first }
    }

    /// Copies the primary into the folder of the standby, starts that, and has every commit wait for it.
    fn add_standby(&self) -> Result<()> {
        let port = self.primary().port.to_string();
        let mut copy = as_postgres("pg_basebackup");
        copy.args(["--host=127.0.0.1", "--username=postgres", "--port", &port])
            .args(["--write-recovery-conf", "--wal-method=stream"])
            .args(["--checkpoint=fast", "--no-sync", "--pgdata"])
            .arg(&self.standby().folder);
        run(&mut copy)?;
        self.launch(self.standby())?;
        self.wait_for_standby("async")?;
        self.wait_for_standbys("*")?;
        self.wait_for_standby("sync")
    }

    /// Which standbys a commit waits for.
    fn wait_for_standbys(&self, names: &str) -> Result<()> {
        let set = format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'");
        self.sql("postgres", &set)?;
        self.sql("postgres", "SELECT pg_reload_conf()")?;
        Ok(())
    }

    /// Waits until the standby receives everything and is as synchronous as that.
    fn wait_for_standby(&self, state: &str) -> Result<()> {
        let query = format!(
            "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '{state}'"
        );
        let follows = || Ok(self.sql("postgres", &query)?.trim() == "1");
        START.until(follows, || {
            format!("the standby does not follow as {state}")
        })
    }

    /// Runs a statement on the primary and returns what it prints.
    fn sql(&self, database: &str, statement: &str) -> Result<String> {
        let port = self.primary().port.to_string();
        let mut psql = as_postgres("psql");
        psql.args(["-qAt", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1"])
            .args(["-U", "postgres", "-p", &port, "-d", database])
            .args(["-c", statement]);
        run(&mut psql)
    }

    fn launch(&self, node: &Node) -> Result<()> {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=100 \
             -c wal_retrieve_retry_interval=100ms",
            node.port
        );
        let mut start = as_postgres("pg_ctl");
        if let Some(clock) = &self.clock {
            clock.apply(&mut start);
        }
        let seconds = START.limit.as_secs().to_string();
        start
            .args(["--wait", "--timeout", &seconds, "--pgdata"])
            .arg(&node.folder)
            .arg("--log")
            .arg(&self.log)
            .args(["--options", &options, "start"]);
        run(&mut start).with_context(|| {
            let log = fs::read_to_string(&self.log).unwrap_or_default();
            let lines: Vec<&str> = log.lines().rev().take(20).collect();
            format!("PostgreSQL does not start; its log, backwards: {lines:#?}")
        })?;
        Ok(())
    }
}

/// A folder that only PostgreSQL may read.
pub(crate) fn own_folder(folder: &Path) -> Result<()> {
    fs::create_dir(folder)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    if is_root() {
        run(Command::new("chown").arg("postgres").arg(folder))
            .context("PostgreSQL refuses to run as root, and there is no user `postgres`")?;
    }
    Ok(())
}

/// One of PostgreSQL's programs, as a user other than root.
pub(crate) fn as_postgres(name: &str) -> Command {
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["--user", "postgres", "--", name]);
        command
    } else {
        Command::new(name)
    };
    command.current_dir("/");
    command
}

/// Kills all processes of a server.
fn kill_node(node: &Node) -> Result<()> {
    kill_all_in(&node.folder)?;
    remove_lock_file(&node.folder)
}

/// Removes the lock file of a server that was killed. Its parent may not have taken note of its end yet, so that the next
/// start would think that it still runs.
pub(crate) fn remove_lock_file(folder: &Path) -> Result<()> {
    match fs::remove_file(folder.join("postmaster.pid")) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        for node in &self.nodes {
            drop(kill_all_in(&node.folder));
        }
    }
}

impl Node {
    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
