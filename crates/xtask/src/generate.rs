//! The `OpenAPI` document and the types that the front end makes of it: writing and checking them.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::{frontend, process, workspace::Workspace};

/// Writes `frontend/openapi.json` from the server's code and the front end's types from that.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let document = document(workspace)?;
    write(&document_file(workspace), &document)?;
    frontend::ensure_installed(workspace)?;
    frontend::run_script(workspace, "generate")
}

/// Fails where the document or the types are not what [`run`] would write; leaves both untouched.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let document_file = document_file(workspace);
    if document(workspace)? != read(&document_file)? {
        bail!("frontend/openapi.json is stale; `cargo xtask generate` renews it");
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
        bail!("frontend/src/api/schema.d.ts is stale; `cargo xtask generate` renews it");
    }
    Ok(())
}

fn document(workspace: &Workspace) -> Result<String> {
    // The server embeds the front end's folder, which need not be built for this.
    fs::create_dir_all(workspace.frontend().join("dist")).context("cannot make frontend/dist")?;
    let mut command = workspace.cargo();
    command.args([
        "run",
        "--quiet",
        "--locked",
        "--package",
        "glasshouse-server",
    ]);
    process::capture(command.args(["--", "openapi"]))
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
