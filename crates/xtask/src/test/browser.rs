//! The steps that play in browsers, each against a server of its own.

use std::path::Path;

use anyhow::{Result, bail};

use super::Outcome;
use crate::{
    frontend, process, report,
    scratch::{self, Place},
    server::{self, Profile, TestServer},
    tools,
    workspace::Workspace,
};

/// A browser from Debian's package, which the tests start from this path.
struct Browser {
    name: &'static str,
    path: &'static str,
    package: &'static str,
    step: &'static str,
}

const CHROMIUM: Browser = Browser {
    name: "Chromium",
    path: "/usr/bin/chromium-headless-shell",
    package: "chromium-headless-shell",
    step: "browser",
};

const FIREFOX: Browser = Browser {
    name: "Firefox",
    path: "/usr/bin/firefox-esr",
    package: "firefox-esr",
    step: "browser-firefox",
};

/// Runs all journeys in Chromium, at both sizes.
pub(super) fn run_in_chromium(workspace: &Workspace) -> Result<Outcome> {
    run(workspace, &CHROMIUM, &[])
}

/// Plays a round of each game in Firefox.
pub(super) fn run_in_firefox(workspace: &Workspace) -> Result<Outcome> {
    run(
        workspace,
        &FIREFOX,
        &["--config", "playwright.firefox.config.ts"],
    )
}

fn run(workspace: &Workspace, browser: &Browser, arguments: &[&str]) -> Result<Outcome> {
    ensure_browser(workspace, browser)?;
    ensure_sqlite(workspace, browser)?;
    frontend::ensure_built(workspace)?;
    let binary = server::build(workspace, Profile::Debug)?;
    let server = TestServer::start(&binary)?;
    // For the browsers' profiles, and for the servers that journeys start themselves.
    let folder = scratch::folder("glasshouse-browser-", Place::Memory)?;
    report::line(&format!(
        "A server for the tests in {} listens on {}.",
        browser.name,
        server.url()
    ));
    let outcome = process::run(
        workspace
            .frontend_command("npx")
            .args(["--no-install", "playwright", "test"])
            .args(arguments)
            .env("TMPDIR", folder.path())
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .env("GLASSHOUSE_E2E_URL", server.url())
            .env("GLASSHOUSE_E2E_BINARY", &binary)
            .env("GLASSHOUSE_E2E_SANDBOX_URL", server.sandbox_url())
            .env("GLASSHOUSE_E2E_SANDBOX_KEY", server.sandbox_key()?)
            .env("GLASSHOUSE_E2E_DATABASE", server.database())
            .env("GLASSHOUSE_E2E_SEED_KEY_FILE", server.seed_key_file())
            .env("GLASSHOUSE_E2E_ADMIN_PASSWORD", server.password()),
    );
    if outcome.is_err() {
        report::problem(&format!(
            "The end of the server's log:\n{}",
            server.log_tail()
        ));
    }
    outcome?;
    Ok(Outcome::Passed)
}

fn ensure_browser(workspace: &Workspace, browser: &Browser) -> Result<()> {
    let Browser {
        name,
        path,
        package,
        step,
    } = browser;
    let is_installed = || Path::new(path).exists();
    if is_installed() || (tools::install_on_debian(workspace, package)? && is_installed()) {
        return Ok(());
    }
    bail!(
        "these tests need {name} at {path} (on Debian: sudo apt-get install {package}); \
         `--skip {step}` skips them"
    )
}

/// The tests read their server's database to predict how a round will end, and change those of
/// other servers behind their back.
fn ensure_sqlite(workspace: &Workspace, browser: &Browser) -> Result<()> {
    let is_installed = || tools::find("sqlite3").is_some();
    if is_installed() || (tools::install_on_debian(workspace, "sqlite3")? && is_installed()) {
        return Ok(());
    }
    bail!(
        "these tests need the program sqlite3 (on Debian: sudo apt-get install sqlite3); \
         `--skip {}` skips them",
        browser.step
    )
}
