//! `cargo xtask start`: from a fresh checkout to a running casino.

use std::{ffi::OsString, os::unix::process::CommandExt as _};

use anyhow::{Context as _, Result};

use crate::{
    frontend, report,
    server::{self, Profile},
    tools,
    workspace::Workspace,
};

/// Builds what changed, then becomes the server, which thereby gets every signal itself.
/// `arguments` go to `glasshouse serve`.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> Result<()> {
    report::heading("Checking this machine's tools");
    tools::check_for_build(workspace)?;
    report::line("Node.js, npm, a C compiler, perl and make are here.");

    report::heading("Building the front end");
    frontend::ensure_built(workspace)?;

    report::heading("Building the server (the first time takes some minutes)");
    let binary = server::build(workspace, Profile::Release)?;

    report::heading("Starting the casino (Ctrl-C stops it)");
    let mut command = workspace.command(&binary);
    command.arg("serve").args(arguments);
    Err(command.exec()).with_context(|| format!("cannot run {}", binary.display()))
}
