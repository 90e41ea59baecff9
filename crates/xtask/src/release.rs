//! `cargo xtask release`: builds the front end and the server such that the same sources give the
//! same bytes.
//!
//! What has to be the same, too, is in `docs/operations.md#release`.

use std::path::PathBuf;

use anyhow::Result;

use crate::{frontend, process, report, tools, workspace::Workspace};

/// What the C compiler and OpenSSL's build store as the time of the build: the first one that an
/// archive can have, 1980-01-01.
pub(crate) const BUILD_TIME: &str = "315532800";
/// A target folder of its own, in which nothing was built at another time or with other flags.
const TARGET: &str = "target/dist";
/// Flags that change the binary.
const CLEARED_VARIABLES: [&str; 5] = [
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
];

/// Builds, and prints the digest of the binary.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    process::catch_signals()?;
    let binary = build(workspace)?;
    report::heading("The binary");
    process::run(workspace.command("sha256sum").arg(binary))
}

/// Builds, and returns the path of the binary, relative to the workspace's root.
pub(crate) fn build(workspace: &Workspace) -> Result<PathBuf> {
    report::heading("Checking the required tools");
    tools::check_for_build(workspace)?;

    report::heading("Building the front end");
    frontend::ensure_installed(workspace)?;
    frontend::build(workspace)?;

    report::heading("Building the server");
    let mut command = workspace.cargo();
    command
        .args(["build", "--release", "--locked", "--target-dir", TARGET])
        .args(["--package", "glasshouse-server"])
        .env("SOURCE_DATE_EPOCH", BUILD_TIME);
    for name in CLEARED_VARIABLES {
        command.env_remove(name);
    }
    process::run(&mut command)?;
    Ok([TARGET, "release", "glasshouse"].iter().collect())
}
