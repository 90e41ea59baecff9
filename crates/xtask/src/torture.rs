//! `cargo xtask torture`: builds what glasshouse-torture needs and runs it.

use std::{ffi::OsString, path::Path, process::Command};

use anyhow::{Result, bail};

use crate::{
    frontend, postgres, process, report,
    server::{self, Profile},
    tools,
    workspace::Workspace,
};

/// What a cluster consists of, with Debian's packages.
const CLUSTER_PROGRAMS: [(&str, &str); 3] = [
    ("patroni", "patroni"),
    ("etcd", "etcd-server"),
    ("nginx", "nginx-light"),
];
/// What happens to a cluster, unless the arguments say otherwise.
const PRIMARY_LOST: &[[&str; 2]] = &[["--disturb", "primary-lost"], ["--kills", "20"]];
/// The same with `--previous`, the program that servers are upgraded from.
const UPGRADED: &[[&str; 2]] = &[["--disturb", "rolling-upgrade"]];
/// Where Debian keeps the library that sets a program's clock.
const CLOCK_LIBRARY: &str = "faketime/libfaketimeMT.so.1";

/// Builds the programs and tortures a house on each database. `arguments` go to glasshouse-torture.
pub(crate) fn run(workspace: &Workspace, profile: Profile, arguments: &[OsString]) -> Result<()> {
    process::catch_signals()?;
    report::heading("Building the programs");
    frontend::ensure_folder(workspace)?;
    let folder = server::build_programs(
        workspace,
        profile,
        &["glasshouse", "glasshouse-sandbox", "glasshouse-torture"],
    )?;
    let path = postgres::path_with_programs(workspace)?;
    ensure_clock_library(workspace)?;

    report::heading("Torturing");
    let mut command = with_own_mounts(workspace, &folder.join("glasshouse-torture"));
    command
        .args(arguments)
        .env("GLASSHOUSE_TORTURE_SERVER", folder.join("glasshouse"))
        .env(
            "GLASSHOUSE_TORTURE_PROVIDER",
            folder.join("glasshouse-sandbox"),
        )
        .env("PATH", path);
    process::run(&mut command)
}

/// A command with mounts of its own, where that is possible.
fn with_own_mounts(workspace: &Workspace, program: &Path) -> Command {
    // Root in a container may have no right to mount anything.
    if !tools::is_root() || process::capture(tools::with_own_mounts().arg("true")).is_err() {
        return workspace.command(program);
    }
    let mut command = tools::with_own_mounts();
    command.current_dir(workspace.root()).arg(program);
    command
}

/// Kills the primary of a cluster of three PostgreSQL servers under Patroni, with two servers behind nginx, twenty times
/// unless the arguments say otherwise. With `--previous`, it upgrades the two servers instead. The arguments go to
/// glasshouse-torture.
pub(crate) fn run_cluster(
    workspace: &Workspace,
    profile: Profile,
    arguments: &[OsString],
) -> Result<()> {
    for (program, package) in CLUSTER_PROGRAMS {
        if tools::find(program).is_none() && !tools::install_on_debian(workspace, package)? {
            bail!("{program} is not in PATH (on Debian: sudo apt-get install {package})");
        }
    }
    run(workspace, profile, &cluster_arguments(arguments))
}

/// The arguments with what a cluster needs in front of them.
fn cluster_arguments(arguments: &[OsString]) -> Vec<OsString> {
    let is_given = |option: &str| {
        arguments.iter().any(|argument| {
            let argument = argument.to_string_lossy();
            argument.split('=').next() == Some(option)
        })
    };
    let defaults = if is_given("--previous") {
        UPGRADED
    } else {
        PRIMARY_LOST
    };
    let missing = defaults.iter().filter(|[option, _]| !is_given(option));
    let mut all: Vec<OsString> = ["--databases", "cluster"].map(OsString::from).to_vec();
    all.extend(missing.flatten().map(OsString::from));
    all.extend_from_slice(arguments);
    all
}

/// Installs the library if that is possible. Without it, clocks are left alone, and the run says so.
fn ensure_clock_library(workspace: &Workspace) -> Result<()> {
    let folder = Path::new("/usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
    if !folder.join(CLOCK_LIBRARY).is_file() {
        tools::install_on_debian(workspace, "faketime")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_loses_its_primary_or_is_upgraded() {
        for (given, expected) in [
            ("", "--disturb primary-lost --kills 20"),
            ("--kills=3", "--disturb primary-lost --kills=3"),
            ("--previous old", "--disturb rolling-upgrade --previous old"),
            (
                "--previous old --disturb clock-set",
                "--previous old --disturb clock-set",
            ),
        ] {
            let words = |text: &str| -> Vec<OsString> {
                text.split_whitespace().map(OsString::from).collect()
            };
            let expected = words(&format!("--databases cluster {expected}"));
            assert_eq!(cluster_arguments(&words(given)), expected, "{given}");
        }
    }
}
