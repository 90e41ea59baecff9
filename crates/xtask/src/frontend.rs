//! The front end's installed packages and its build, made again only when their sources changed.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{process, report, stamp::Stamp, workspace::Workspace};

/// Folders of the front end that hold products or tests, so that a change there needs no build.
const NO_SOURCES: [&str; 5] = [
    "node_modules",
    "dist",
    "e2e",
    "test-results",
    "playwright-report",
];
/// Files outside the front end's folder that its build reads.
const SOURCES_ELSEWHERE: [&str; 2] = ["crates/api/errors.json", "crates/games/facts.json"];

/// Installs the packages that the lock file names, unless they are there.
pub(crate) fn ensure_installed(workspace: &Workspace) -> Result<()> {
    let folder = workspace.frontend();
    let stamp = Stamp::new(
        folder.join("node_modules/.glasshouse-installed"),
        &[
            folder.join("package.json"),
            folder.join("package-lock.json"),
        ],
        |_| false,
    )?;
    if stamp.is_fresh() {
        report::line("The front end's packages are up to date.");
        return Ok(());
    }
    process::run(
        workspace
            .frontend_command("npm")
            .args(["ci", "--no-audit", "--no-fund"])
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"),
    )?;
    stamp.write()
}

/// Builds into `frontend/dist` unless what is there was built from the present sources.
pub(crate) fn ensure_built(workspace: &Workspace) -> Result<()> {
    ensure_installed(workspace)?;
    let stamp = build_stamp(workspace)?;
    if stamp.is_fresh() && workspace.frontend().join("dist/index.html").is_file() {
        report::line("The front end's build is up to date.");
        return Ok(());
    }
    build(workspace)
}

/// Builds into `frontend/dist`.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    // Taken before the build: what is edited while it runs must be built next time.
    let stamp = build_stamp(workspace)?;
    run_script(workspace, "build")?;
    stamp.write()
}

/// Runs one of the scripts in `package.json`.
pub(crate) fn run_script(workspace: &Workspace, script: &str) -> Result<()> {
    process::run(workspace.frontend_command("npm").args(["run", script]))
}

fn build_stamp(workspace: &Workspace) -> Result<Stamp> {
    let folder = workspace.frontend();
    let sources: Vec<PathBuf> = SOURCES_ELSEWHERE
        .iter()
        .map(|path| workspace.root().join(path))
        .chain([folder.clone()])
        .collect();
    // Beside the packages rather than in `dist`, all of which goes into the server.
    let file = folder.join("node_modules/.glasshouse-built");
    Stamp::new(file, &sources, |path| is_no_source(&folder, path))
}

fn is_no_source(folder: &Path, path: &Path) -> bool {
    NO_SOURCES.iter().any(|name| path == folder.join(name))
}
