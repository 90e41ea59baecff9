//! `cargo xtask fuzz`: schemathesis generates requests from the OpenAPI document, as a player and
//! as an administrator, and compares the responses with the document.

use anyhow::{Context as _, Result, bail};

use crate::{
    frontend, process, report,
    server::{self, Profile, TestServer},
    tools,
    workspace::Workspace,
};

/// Endpoints that would end the session used for the requests or change its second factor, and the
/// endless event stream.
const EXCLUDED_PATHS: [&str; 9] = [
    "/api/login",
    "/api/logout",
    "/api/register",
    "/api/events",
    "/api/admin/step-up",
    "/api/account/step-up",
    "/api/account/second-factor/authenticator",
    "/api/account/second-factor/authenticator/confirm",
    "/api/account/second-factor/recovery-codes",
];
/// The minimum number of requests per role.
const DEFAULT_REQUESTS: usize = 20_000;
/// The number of operations in the document with unlimited test cases; the others have few.
const OPERATIONS: usize = 36;

/// Runs schemathesis, which must be installed, against a temporary server for each role.
pub(crate) fn run(workspace: &Workspace, requests: Option<usize>) -> Result<()> {
    if tools::find("schemathesis").is_none() {
        bail!("schemathesis is not installed: pip install schemathesis");
    }
    process::catch_signals()?;
    frontend::ensure_built(workspace)?;
    let binary = server::build(workspace, Profile::Debug)?;
    let cases = requests.unwrap_or(DEFAULT_REQUESTS).div_ceil(OPERATIONS);
    for role in ["player", "administrator"] {
        report::heading(&format!("As a {role}"));
        let server = TestServer::start(&binary)?;
        let outcome = fuzz(workspace, &server, role, cases);
        if outcome.is_err() {
            report::problem(&format!(
                "The end of the server's log:\n{}",
                server.log_tail()
            ));
        }
        outcome?;
    }
    Ok(())
}

fn fuzz(workspace: &Workspace, server: &TestServer, role: &str, cases: usize) -> Result<()> {
    let folder = workspace.root().join("crates/xtask/schemathesis");
    let program = tools::find("schemathesis").context("schemathesis is no longer installed")?;
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
    for path in EXCLUDED_PATHS {
        command.args(["--exclude-path", path]);
    }
    process::run(&mut command)
}
