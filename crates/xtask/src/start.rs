//! `cargo xtask start`: builds and runs the casino, even from a fresh checkout.

use std::{ffi::OsString, os::unix::process::CommandExt as _};

use anyhow::{Context as _, Result};

use crate::{
    frontend, report,
    server::{self, Profile},
    tools,
    workspace::Workspace,
};

/// Builds what changed, then replaces this process by the server, which thereby receives all
/// signals itself. `arguments` are passed to `glasshouse serve`.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> Result<()> {
    report::heading("Checking the required tools");
    tools::check_for_build(workspace)?;
    report::line("Node.js, npm, a C compiler, perl and make are installed.");

    report::heading("Building the front end");
    frontend::ensure_built(workspace)?;

    report::heading("Building the server (takes a few minutes the first time)");
    let binary = server::build(workspace, Profile::Release)?;

    report::heading("Starting the casino (Ctrl-C stops it)");
    let mut command = workspace.command(&binary);
    command.arg("serve").args(arguments);
    Err(command.exec()).with_context(|| format!("cannot run {}", binary.display()))
}
