//! Installs the front end's packages and builds it, each only if its sources have changed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use crate::{process, report, stamp::Stamp, workspace::Workspace};

/// Folders of the front end that contain build products or tests: a change there needs no build.
const IGNORED_FOLDERS: [&str; 6] = [
    "node_modules",
    "dist",
    "e2e",
    "e2e-firefox",
    "test-results",
    "playwright-report",
];
/// Files outside of the front end's folder that its build reads.
const EXTERNAL_SOURCES: [&str; 2] = ["crates/api/errors.json", "crates/games/facts.json"];

/// Installs the packages in the lock file unless they are installed already.
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

/// Builds into `frontend/dist` unless the existing build is up to date.
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
    // Computed before the build, so that edits made while it runs trigger another build next time.
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
    let sources: Vec<PathBuf> = EXTERNAL_SOURCES
        .iter()
        .map(|path| workspace.root().join(path))
        .chain([folder.clone()])
        .collect();
    // Not in `dist`, because the server embeds everything in there.
    let file = folder.join("node_modules/.glasshouse-built");
    Stamp::new(file, &sources, |path| is_ignored(&folder, path))
}

fn is_ignored(folder: &Path, path: &Path) -> bool {
    IGNORED_FOLDERS.iter().any(|name| path == folder.join(name))
}

/// The server embeds the front end's build and does not compile without this folder.
pub(crate) fn ensure_folder(workspace: &Workspace) -> Result<()> {
    fs::create_dir_all(workspace.frontend().join("dist")).context("cannot create frontend/dist")
}
