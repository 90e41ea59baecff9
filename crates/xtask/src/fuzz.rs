//! `cargo xtask fuzz`: schemathesis makes up calls from the OpenAPI document, as a player and as an
//! administrator, and compares the answers with what the document promises.

use anyhow::{Context as _, Result, bail};

use crate::{
    frontend, process, report,
    server::{self, Profile, TestServer},
    tools,
    workspace::Workspace,
};

/// What ends the session that the calls are made in, and the stream that never ends.
const LEFT_OUT: [&str; 5] = [
    "/api/login",
    "/api/logout",
    "/api/register",
    "/api/events",
    "/api/admin/step-up",
];
/// How many calls of each role there are to be, at the least.
const CALLS: usize = 20_000;
/// So many of the document's calls take any number of cases; the others have few.
const OPERATIONS: usize = 36;

/// Runs schemathesis, which must be installed, against a server of its own.
pub(crate) fn run(workspace: &Workspace, calls: Option<usize>) -> Result<()> {
    if tools::find("schemathesis").is_none() {
        bail!("schemathesis is not installed: pip install schemathesis");
    }
    process::catch_signals()?;
    frontend::ensure_built(workspace)?;
    let binary = server::build(workspace, Profile::Debug)?;
    let cases = calls.unwrap_or(CALLS).div_ceil(OPERATIONS);
    for role in ["player", "administrator"] {
        report::heading(&format!("As a {role}"));
        let server = TestServer::start(&binary)?;
        let outcome = fuzz(workspace, &server, role, cases);
        if outcome.is_err() {
            report::problem(&format!("The server's last words:\n{}", server.log_tail()));
        }
        outcome?;
    }
    Ok(())
}

fn fuzz(workspace: &Workspace, server: &TestServer, role: &str, cases: usize) -> Result<()> {
    let folder = workspace.root().join("crates/xtask/schemathesis");
    let program = tools::find("schemathesis").context("schemathesis has gone")?;
    let mut command = workspace.command(program);
    command
        .current_dir(&folder)
        .args(["run", &format!("{}/api/openapi.json", server.url())])
        .args(["--phases", "examples,coverage,fuzzing", "--seed", "1"])
        .args(["--max-examples", &cases.to_string()])
        .arg("--continue-on-failure")
        .env("PYTHONPATH", &folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("SCHEMATHESIS_HOOKS", "glasshouse_hooks")
        .env("GLASSHOUSE_FUZZ_URL", server.url())
        .env("GLASSHOUSE_FUZZ_ROLE", role)
        .env("GLASSHOUSE_FUZZ_ADMIN_PASSWORD", server.password());
    for path in LEFT_OUT {
        command.args(["--exclude-path", path]);
    }
    process::run(&mut command)
}
