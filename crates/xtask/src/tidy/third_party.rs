//! The copies of published crates in `third_party` are what was published, with only the change that is
//! beside them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::Finding;
use crate::process;
use crate::scratch::{self, Place};
use crate::stamp;
use crate::workspace::Workspace;

/// Where the copies are.
pub(super) const FOLDER: &str = "third_party/";
/// What they are for.
pub(super) const README: &str = "third_party/README.md";
/// The manifest that names the published crates, each with its exact version.
pub(crate) const PUBLISHED: &str = "third_party/published/Cargo.toml";
/// What a copy leaves out, because it is not compiled with the crate.
const LEFT_OUT: [&str; 8] = [
    ".cargo-ok",
    ".cargo_vcs_info.json",
    ".github",
    "Cargo.lock",
    "Cargo.toml.orig",
    "benches",
    "examples",
    "tests",
];

/// The files of a crate, by their paths.
type Files = BTreeMap<String, Vec<u8>>;

/// Compares each copy that the workspace is built with to the published crate to which its change has been applied.
///
/// `metadata` is that of the workspace, `published` that of [`PUBLISHED`].
pub(super) fn check(
    workspace: &Workspace,
    metadata: &Value,
    published: &Value,
) -> Result<Vec<Finding>> {
    let folder = workspace.root().join(FOLDER);
    let mut findings = Vec::new();
    for copy in packages(metadata).filter(|package| package.folder.starts_with(&folder)) {
        let same = |package: &Package<'_>| {
            package.is_published && (package.name, package.version) == (copy.name, copy.version)
        };
        let Some(original) = packages(published).find(same) else {
            let message = format!("is not in {PUBLISHED} with the same version");
            findings.push(Finding::new(copy.folder.display().to_string(), message));
            continue;
        };
        let change = folder.join(format!("{}.patch", copy.name));
        let expected = with_change(workspace, &files_of(original.folder)?, &change)?;
        let location = format!("{FOLDER}{}", copy.name);
        findings.extend(differences(&location, &expected, &files_of(copy.folder)?));
    }
    Ok(findings)
}

/// A package in the output of `cargo metadata`.
struct Package<'a> {
    name: &'a str,
    version: &'a str,
    folder: &'a Path,
    /// Whether it comes from a registry.
    is_published: bool,
}

fn packages(metadata: &Value) -> impl Iterator<Item = Package<'_>> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages.filter_map(|package| {
        Some(Package {
            name: package["name"].as_str()?,
            version: package["version"].as_str()?,
            folder: Path::new(package["manifest_path"].as_str()?).parent()?,
            is_published: package["source"].is_string(),
        })
    })
}

fn with_change(workspace: &Workspace, published: &Files, change: &Path) -> Result<Files> {
    let folder = scratch::folder("glasshouse-third-party-", Place::Disk)?;
    for (path, bytes) in published {
        let path = folder.path().join(path);
        let parent = path.parent().context("the file has no folder")?;
        fs::create_dir_all(parent)?;
        fs::write(&path, bytes)?;
    }
    let mut command = workspace.command("git");
    command
        .args(["apply", "--whitespace=nowarn"])
        .arg(change)
        .current_dir(folder.path());
    process::capture(&mut command)?;
    files_of(folder.path())
}

/// The files of a crate that a copy has to have.
fn files_of(folder: &Path) -> Result<Files> {
    let is_left_out = |path: &Path| LEFT_OUT.iter().any(|name| path == folder.join(name));
    let mut paths = Vec::new();
    stamp::collect(folder, &is_left_out, &mut paths)?;
    let mut files = Files::new();
    for path in paths {
        let name = path.strip_prefix(folder)?.display().to_string();
        files.insert(name, fs::read(&path)?);
    }
    Ok(files)
}

fn differences(folder: &str, expected: &Files, copy: &Files) -> Vec<Finding> {
    let names = expected.keys().chain(copy.keys());
    let mut findings: Vec<Finding> = names
        .filter(|name| expected.get(*name) != copy.get(*name))
        .map(|name| {
            let message = "is not the published file with the change beside the copy";
            Finding::new(format!("{folder}/{name}"), message)
        })
        .collect();
    findings.sort();
    findings.dedup();
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn files(contents: &[(&str, &str)]) -> Files {
        contents
            .iter()
            .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
            .collect()
    }

    #[test]
    fn changed_added_and_missing_files_are_found() {
        let expected = files(&[("a.rs", "a"), ("b.rs", "b"), ("c.rs", "c")]);
        let copy = files(&[("a.rs", "a"), ("b.rs", "changed"), ("d.rs", "d")]);
        let locations: Vec<String> = differences("third_party/x", &expected, &copy)
            .into_iter()
            .map(|finding| finding.location)
            .collect();
        assert_eq!(
            locations,
            [
                "third_party/x/b.rs",
                "third_party/x/c.rs",
                "third_party/x/d.rs"
            ]
        );
        assert!(differences("third_party/x", &expected, &expected).is_empty());
    }

    #[test]
    fn a_copy_whose_published_version_is_not_named_is_found() {
        let workspace = Workspace::find().unwrap();
        let manifest = workspace.root().join("third_party/one/Cargo.toml");
        let copy = json!({ "name": "one", "version": "1.0.0", "manifest_path": manifest });
        let metadata = json!({ "packages": [copy] });
        let source = "registry+https://github.com/rust-lang/crates.io-index";
        let original = |version: &str, source: Value| {
            json!({ "packages": [{ "name": "one", "version": version, "source": source,
                "manifest_path": "/registry/one/Cargo.toml" }] })
        };
        for published in [
            json!({ "packages": [] }),
            original("1.0.1", source.into()),
            original("1.0.0", Value::Null),
        ] {
            let findings = check(&workspace, &metadata, &published).unwrap();
            assert_eq!(findings.len(), 1, "{published}");
        }
    }
}
