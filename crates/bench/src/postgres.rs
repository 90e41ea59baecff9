//! The baseline for PostgreSQL: pgbench's tpcb-like script on the same server.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};

const SCALE: &str = "20";
const CLIENTS: &str = "16";
const DATABASE: &str = "pgbench_yardstick";

/// The PostgreSQL server that `cargo xtask bench` started.
pub(crate) struct Postgres {
    /// The URL without the database's name.
    server: String,
}

impl Postgres {
    pub(crate) fn from_environment() -> anyhow::Result<Self> {
        let url = std::env::var("GLASSHOUSE_BENCH_POSTGRES_URL")
            .context("run this with `cargo xtask bench`")?;
        let (server, _) = url.rsplit_once('/').context("the URL has no database")?;
        Ok(Self {
            server: server.to_owned(),
        })
    }

    pub(crate) fn new_database(&self, name: &str) -> anyhow::Result<String> {
        self.sql("postgres", &format!("CREATE DATABASE {name}"))?;
        Ok(format!("{}/{name}", self.server))
    }

    /// Runs SQL with psql and returns its output.
    pub(crate) fn sql(&self, database: &str, statements: &str) -> anyhow::Result<String> {
        let url = format!("{}/{database}", self.server);
        run(
            "psql",
            &[
                "-qAt",
                "-v",
                "ON_ERROR_STOP=1",
                "-d",
                &url,
                "-c",
                statements,
            ],
        )
    }

    pub(crate) fn prepare_pgbench(&self) -> anyhow::Result<()> {
        let url = self.new_database(DATABASE)?;
        run("pgbench", &["-i", "-q", "-s", SCALE, &url]).map(drop)
    }

    /// Leaves so much of the write-ahead log for use again that none is created while something is
    /// measured: on a new server, all commits wait while 16 MB are created and flushed, about once a
    /// second. A server that has been in use for some checkpoints uses its old files again.
    pub(crate) fn prepare_wal(&self) -> anyhow::Result<()> {
        self.sql(
            "postgres",
            "SELECT pg_logical_emit_message(false, 'glasshouse', ''), pg_switch_wal()
                 FROM generate_series(1, 64)",
        )?;
        self.sql("postgres", "CHECKPOINT").map(drop)
    }

    /// How much write-ahead log has been generated so far, in bytes.
    pub(crate) fn wal_bytes(&self) -> anyhow::Result<u64> {
        let written = self.sql("postgres", "SELECT pg_current_wal_insert_lsn() - '0/0'")?;
        Ok(written.trim().parse()?)
    }

    /// Transactions per second over the given duration, with the `simple` or the `prepared`
    /// protocol.
    pub(crate) fn transactions_per_second(
        &self,
        protocol: &str,
        duration: Duration,
    ) -> anyhow::Result<f64> {
        let url = format!("{}/{DATABASE}", self.server);
        let seconds = duration.as_secs().to_string();
        let arguments = [
            "-n",
            "-c",
            CLIENTS,
            "-j",
            "2",
            "-M",
            protocol,
            "-T",
            &seconds,
            url.as_str(),
        ];
        let text = run("pgbench", &arguments)?;
        let line = text
            .lines()
            .find(|line| line.starts_with("tps = "))
            .context("the output of pgbench has no tps")?;
        Ok(line
            .split_whitespace()
            .nth(2)
            .context("the output of pgbench has no number of tps")?
            .parse()?)
    }
}

fn run(program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(|| format!("cannot run {program}"))?;
    ensure!(
        output.status.success(),
        "{program}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
