//! The steps of `cargo xtask test` in the order in which they run, fast ones first.
//!
//! Each step builds what it needs, so any of them can run alone.

use std::{num::NonZero, thread};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::{Outcome, Step, alert_rules, browser};
use crate::{
    deb, frontend, generate,
    postgres::Postgres,
    process, report,
    scratch::{self, Place},
    server::{self, Profile},
    tidy::{self, third_party},
    tools, torture,
    workspace::Workspace,
};

pub(super) const STEPS: &[Step] = &[
    Step {
        name: "format",
        description: "Rust code is formatted",
        run: format,
    },
    Step {
        name: "tidy",
        description: "the architecture and source rules",
        run: tidy,
    },
    Step {
        name: "deny",
        description: "advisories, licences and sources",
        run: deny,
    },
    Step {
        name: "alert-rules",
        description: "Prometheus' alert rules and their tests",
        run: alert_rules::run,
    },
    Step {
        name: "frontend-install",
        description: "the front end's packages",
        run: install,
    },
    Step {
        name: "frontend-types",
        description: "the front end's types",
        run: types,
    },
    Step {
        name: "frontend-format",
        description: "front-end code is formatted",
        run: frontend_format,
    },
    Step {
        name: "frontend-lint",
        description: "the front end's lints",
        run: lint,
    },
    Step {
        name: "frontend-test",
        description: "the front end's unit tests",
        run: frontend_test,
    },
    Step {
        name: "frontend-build",
        description: "the front end's build",
        run: build,
    },
    Step {
        name: "frontend-budget",
        description: "how much script each page needs",
        run: budget,
    },
    Step {
        name: "clippy",
        description: "Rust code compiles without warnings and lints",
        run: clippy,
    },
    Step {
        name: "rust-test",
        description: "Rust tests on SQLite and PostgreSQL",
        run: rust_test,
    },
    Step {
        name: "http-postgres",
        description: "the HTTP tests of the server again, on PostgreSQL",
        run: http_postgres,
    },
    Step {
        name: "doc-test",
        description: "the examples in the Rust documentation",
        run: doc_test,
    },
    Step {
        name: "openapi",
        description: "the OpenAPI document and its types are up to date",
        run: openapi,
    },
    Step {
        name: "deb",
        description: "the Debian package is installed, started, upgraded and removed",
        run: debian_package,
    },
    Step {
        name: "torture",
        description: "a minute of bets and payments while everything fails",
        run: torture_houses,
    },
    Step {
        name: "browser",
        description: "browser journeys",
        run: browser::run_in_chromium,
    },
    Step {
        name: "browser-firefox",
        description: "a round of each game in Firefox",
        run: browser::run_in_firefox,
    },
];

fn format(workspace: &Workspace) -> Result<Outcome> {
    process::run(workspace.cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Outcome::Passed)
}

fn tidy(workspace: &Workspace) -> Result<Outcome> {
    tidy::run(workspace)?;
    Ok(Outcome::Passed)
}

fn deny(workspace: &Workspace) -> Result<Outcome> {
    if tools::find("cargo-deny").is_none() {
        return Ok(Outcome::NotRun(
            "cargo-deny is not installed (cargo install --locked cargo-deny); \
             tidy has checked licences and sources"
                .into(),
        ));
    }
    process::run(workspace.cargo().args(["deny", "--locked", "check"]))?;
    // Copies of crates are not looked up, but what they were copied from is.
    process::run(workspace.cargo().args([
        "deny",
        "--locked",
        "--manifest-path",
        third_party::PUBLISHED,
        "check",
        "advisories",
    ]))?;
    Ok(Outcome::Passed)
}

fn install(workspace: &Workspace) -> Result<Outcome> {
    frontend::ensure_installed(workspace)?;
    Ok(Outcome::Passed)
}

fn types(workspace: &Workspace) -> Result<Outcome> {
    frontend_script(workspace, "typecheck")
}

fn frontend_format(workspace: &Workspace) -> Result<Outcome> {
    frontend_script(workspace, "format:check")
}

fn lint(workspace: &Workspace) -> Result<Outcome> {
    frontend_script(workspace, "lint")
}

fn frontend_test(workspace: &Workspace) -> Result<Outcome> {
    frontend_script(workspace, "test")
}

fn frontend_script(workspace: &Workspace, script: &str) -> Result<Outcome> {
    frontend::ensure_installed(workspace)?;
    frontend::run_script(workspace, script)?;
    Ok(Outcome::Passed)
}

fn build(workspace: &Workspace) -> Result<Outcome> {
    frontend::ensure_installed(workspace)?;
    frontend::build(workspace)?;
    Ok(Outcome::Passed)
}

fn budget(workspace: &Workspace) -> Result<Outcome> {
    frontend::ensure_built(workspace)?;
    frontend::run_script(workspace, "budget")?;
    Ok(Outcome::Passed)
}

/// Compiles everything that the steps below it need, and checks the lints while doing so.
fn clippy(workspace: &Workspace) -> Result<Outcome> {
    if !workspace.checks_lints() {
        bail!("clippy is not installed: rustup component add clippy");
    }
    frontend::ensure_folder(workspace)?;
    let build = || {
        let mut command = workspace.cargo();
        command.args(["build", "--locked", "--workspace", "--all-targets"]);
        command
    };
    process::run(&mut build())?;
    // Cargo repeats the warnings of what it has compiled.
    let messages = process::capture(build().args(["--quiet", "--message-format=json"]))?;
    match count_diagnostics(&messages)? {
        0 => Ok(Outcome::Passed),
        count => bail!("warnings about the workspace's crates: {count}"),
    }
}

/// How many warnings are among cargo's messages, one on each line.
fn count_diagnostics(messages: &str) -> Result<usize> {
    let mut count = 0;
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line)
            .with_context(|| format!("a message of cargo is not JSON: {line}"))?;
        let is_diagnostic =
            message.get("reason").and_then(Value::as_str) == Some("compiler-message");
        count += usize::from(is_diagnostic);
    }
    Ok(count)
}

fn rust_test(workspace: &Workspace) -> Result<Outcome> {
    let targets = ["--all-targets"];
    run_rust_tests(workspace, &targets, "all()", &[], &[])
}

/// Modules of the HTTP tests that choose their database themselves, or none, and those about what is decided
/// before a database is asked: on PostgreSQL they would only repeat what they have shown already.
const INDEPENDENT_OF_THE_DATABASE: [&str; 23] = [
    "admin_outsiders::",
    "admin_step_up::",
    "administrators_access::",
    "cents::",
    "check::",
    "dice::",
    "doctor::",
    "doctor_network::",
    "email::",
    "front_door::",
    "game_limits::",
    "limits::",
    "live_future::",
    "mines::",
    "outage::",
    "pages::",
    "password_strength::",
    "poker::",
    "private_data::",
    "provider_refused::",
    "request_ids::",
    "roles::",
    "worked_example::",
];

/// The server starts on a fresh PostgreSQL database for each test instead of SQLite.
fn http_postgres(workspace: &Workspace) -> Result<Outcome> {
    let skipped = INDEPENDENT_OF_THE_DATABASE;
    let filter = format!(
        "package(glasshouse-server) and not test(/^({})/)",
        skipped.join("|")
    );
    let variables = [("GLASSHOUSE_TEST_HTTP_DATABASE", "postgres")];
    let targets = ["--test", "http"];
    run_rust_tests(workspace, &targets, &filter, &skipped, &variables)
}

/// By nextest with its `filter`, or without nextest by `cargo test`, with `skipped` left out.
fn run_rust_tests(
    workspace: &Workspace,
    targets: &[&str],
    filter: &str,
    skipped: &[&str],
    variables: &[(&str, &str)],
) -> Result<Outcome> {
    frontend::ensure_folder(workspace)?;
    let postgres = Postgres::start(workspace, Place::Memory)?;
    let folder = scratch::folder("glasshouse-tests-", Place::Memory)?;
    let mut command = workspace.cargo();
    if tools::find("cargo-nextest").is_some() {
        command
            .args(["nextest", "run", "--locked", "--workspace"])
            .args(targets)
            .args(["-E", filter]);
    } else {
        report::line("cargo-nextest is not installed; using cargo test.");
        command
            .args(["test", "--locked", "--workspace", "--no-fail-fast"])
            .args(targets)
            .arg("--")
            .args(skipped.iter().flat_map(|name| ["--skip", name]));
    }
    let threads = test_threads().to_string();
    command
        .envs(variables.iter().copied())
        .env("NEXTEST_TEST_THREADS", &threads)
        .env("RUST_TEST_THREADS", &threads)
        // No test calls the internet. To load the system's certificates for each client took a fifth of the time.
        .env("SSL_CERT_FILE", "/dev/null")
        .envs(postgres.test_variables(&folder)?);
    process::run(&mut command)?;
    Ok(Outcome::Passed)
}

/// Two per processor, because tests also wait for servers, databases and clocks: with one, a third of the
/// processors' time was idle.
fn test_threads() -> usize {
    2 * thread::available_parallelism().map_or(2, NonZero::get)
}

fn doc_test(workspace: &Workspace) -> Result<Outcome> {
    frontend::ensure_folder(workspace)?;
    process::run(
        workspace
            .cargo()
            .args(["test", "--locked", "--workspace", "--doc"]),
    )?;
    Ok(Outcome::Passed)
}

fn openapi(workspace: &Workspace) -> Result<Outcome> {
    generate::check(workspace)?;
    Ok(Outcome::Passed)
}

/// With the binary that the other steps have built.
fn debian_package(workspace: &Workspace) -> Result<Outcome> {
    if let Some(obstacle) = deb::obstacle(workspace) {
        return Ok(Outcome::NotRun(obstacle));
    }
    frontend::ensure_built(workspace)?;
    let binary = server::build(workspace, Profile::Debug)?;
    deb::try_debug_build(workspace, &binary)?;
    Ok(Outcome::Passed)
}

/// Half a minute for each database.
fn torture_houses(workspace: &Workspace) -> Result<Outcome> {
    torture::run(workspace, Profile::Debug, &[])?;
    Ok(Outcome::Passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_diagnostics_of_the_compiler_are_counted() {
        let artifact = r#"{"reason":"compiler-artifact","fresh":true}"#;
        let warning = r#"{"reason":"compiler-message","message":{"level":"warning"}}"#;
        let check = |lines: &[&str], expected| {
            assert_eq!(count_diagnostics(&lines.join("\n")).unwrap(), expected);
        };
        check(&[], 0);
        check(
            &[artifact, r#"{"reason":"build-finished","success":true}"#],
            0,
        );
        check(&[warning, artifact, warning], 2);
        assert!(count_diagnostics("warning: unused").is_err());
    }
}
