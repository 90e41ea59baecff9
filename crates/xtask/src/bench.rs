//! `cargo xtask bench`: prepares everything that the measurements need and runs glasshouse-bench.

use std::ffi::OsString;

use anyhow::Result;

use crate::{
    frontend,
    postgres::Postgres,
    process, report,
    scratch::Place,
    server::{self, Profile},
    workspace::Workspace,
};

/// Builds the release server, starts a `PostgreSQL` with durable settings, and measures.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> Result<()> {
    process::catch_signals()?;
    report::heading("Building the server");
    frontend::ensure_built(workspace)?;
    let binary = server::build(workspace, Profile::Release)?;

    report::heading("Measuring");
    let postgres = Postgres::start(workspace, Place::Disk)?;
    let mut command = workspace.cargo();
    command
        .args([
            "run",
            "--release",
            "--locked",
            "--package",
            "glasshouse-bench",
            "--",
        ])
        .args(arguments)
        .env("GLASSHOUSE_BENCH_POSTGRES_URL", postgres.url())
        .env("GLASSHOUSE_BENCH_SERVER", binary)
        // For pgbench, which Debian does not put in PATH.
        .env("PATH", postgres.path_variable()?);
    process::run(&mut command)
}
