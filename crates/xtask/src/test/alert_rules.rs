//! The step that checks Prometheus' alert rules and runs their tests.

use std::path::PathBuf;

use anyhow::Result;

use super::Outcome;
use crate::{process, tools, workspace::Workspace};

/// The rules and their tests, relative to the workspace's root.
const RULES: &str = "ops/prometheus/glasshouse.rules.yml";
const TESTS: &str = "ops/prometheus/glasshouse.rules.test.yml";

/// Has promtool check the syntax of the rules, and run the tests.
pub(super) fn run(workspace: &Workspace) -> Result<Outcome> {
    let Some(promtool) = promtool(workspace)? else {
        return Ok(Outcome::NotRun(
            "promtool, which comes with Prometheus, is not installed".into(),
        ));
    };
    for (subject, file) in [("check", RULES), ("test", TESTS)] {
        process::run(workspace.command(&promtool).args([subject, "rules", file]))?;
    }
    Ok(Outcome::Passed)
}

/// Debian has it in the package of the server, which would be started.
fn promtool(workspace: &Workspace) -> Result<Option<PathBuf>> {
    match tools::find("promtool") {
        Some(installed) => Ok(Some(installed)),
        None => tools::unpack_from_debian(workspace, "prometheus", "promtool"),
    }
}
