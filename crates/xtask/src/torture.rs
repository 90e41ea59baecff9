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
/// The options of a run on a cluster, unless they are given.
const CLUSTER_DEFAULTS: [[&str; 2]; 2] = [["--disturb", "primary-lost"], ["--kills", "20"]];
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
    if !tools::is_root() || tools::find("unshare").is_none() {
        return workspace.command(program);
    }
    let mut command = tools::with_own_mounts();
    command.current_dir(workspace.root()).arg(program);
    command
}

/// Kills the primary of a cluster of three PostgreSQL servers under Patroni, with two servers behind nginx, twenty times
/// unless the arguments say otherwise. They go to glasshouse-torture.
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
    let mut all: Vec<OsString> = ["--databases", "cluster"].map(OsString::from).to_vec();
    for default in CLUSTER_DEFAULTS {
        let [option, _] = default;
        let is_given = arguments.iter().any(|argument| {
            let argument = argument.to_string_lossy();
            argument.split('=').next() == Some(option)
        });
        if !is_given {
            all.extend(default.map(OsString::from));
        }
    }
    all.extend_from_slice(arguments);
    run(workspace, profile, &all)
}

/// Installs the library if that is possible. Without it, clocks are left alone, and the run says so.
fn ensure_clock_library(workspace: &Workspace) -> Result<()> {
    let folder = Path::new("/usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
    if !folder.join(CLOCK_LIBRARY).is_file() {
        tools::install_on_debian(workspace, "faketime")?;
    }
    Ok(())
}
