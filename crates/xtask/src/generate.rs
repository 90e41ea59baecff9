//! Generates and checks the `OpenAPI` document and the front end's types derived from it.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::{
    frontend, process,
    server::{self, Profile},
    workspace::{Workspace, clean_command},
};

/// Writes `frontend/openapi.json` from the server's code, and the front end's types from that file.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let document = document(workspace)?;
    write(&document_file(workspace), &document)?;
    frontend::ensure_installed(workspace)?;
    frontend::run_script(workspace, "generate")
}

/// Fails if the document or the types differ from what [`run`] would write; changes neither.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let document_file = document_file(workspace);
    if document(workspace)? != read(&document_file)? {
        bail!("frontend/openapi.json is out of date: run `cargo xtask generate`");
    }
    frontend::ensure_installed(workspace)?;
    let types_file = workspace.frontend().join("src/api/schema.d.ts");
    let types = read(&types_file)?;
    let outcome = frontend::run_script(workspace, "generate");
    let fresh = read(&types_file)?;
    if fresh != types {
        write(&types_file, &types)?;
    }
    outcome?;
    if fresh != types {
        bail!("frontend/src/api/schema.d.ts is out of date: run `cargo xtask generate`");
    }
    Ok(())
}

fn document(workspace: &Workspace) -> Result<String> {
    // The server embeds this folder and does not compile without it; it may be empty here.
    fs::create_dir_all(workspace.frontend().join("dist")).context("cannot create frontend/dist")?;
    // Built with the features of the whole workspace, like in the other steps, so that nothing is
    // compiled twice.
    let binary = server::build(workspace, Profile::Debug)?;
    process::capture(clean_command(&binary).arg("openapi"))
}

fn document_file(workspace: &Workspace) -> PathBuf {
    workspace.frontend().join("openapi.json")
}

fn read(file: &PathBuf) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

fn write(file: &PathBuf, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
