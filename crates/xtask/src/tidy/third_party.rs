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
use crate::workspace::Workspace;

/// Where the copies are.
pub(super) const FOLDER: &str = "third_party/";
/// What they are for; unlike the copies, it is ours.
pub(super) const README: &str = "third_party/README.md";
/// The manifest that names the published crates, each with its exact version.
pub(crate) const PUBLISHED: &str = "third_party/published/Cargo.toml";
/// What a copy leaves out, because it is not compiled with the crate.
const LEFT_OUT: [&str; 7] = [
    ".cargo-ok",
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml.orig",
    "benches/",
    "examples/",
    "tests/",
];

/// The files of a crate, by their paths.
type Files = BTreeMap<String, Vec<u8>>;

/// Compares each copy with the published crate to which its change has been applied.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Finding>> {
    let metadata = workspace.metadata_of(PUBLISHED)?;
    let folder = workspace.root().join(FOLDER);
    let mut findings = Vec::new();
    for (name, manifest) in published_crates(&metadata) {
        let published = Path::new(manifest)
            .parent()
            .with_context(|| format!("{manifest} has no folder"))?;
        let change = folder.join(format!("{name}.patch"));
        let expected = with_change(workspace, &files_of(published)?, &change)?;
        let copy = files_of(&folder.join(name))?;
        findings.extend(differences(&format!("{FOLDER}{name}"), &expected, &copy));
    }
    Ok(findings)
}

/// Names and manifests of the packages on which the root package depends directly.
fn published_crates(metadata: &Value) -> Vec<(&str, &str)> {
    let packages = || metadata["packages"].as_array().into_iter().flatten();
    let root = metadata.pointer("/resolve/root").and_then(Value::as_str);
    let dependencies = packages()
        .filter(|package| package["id"].as_str() == root)
        .flat_map(|package| package["dependencies"].as_array().into_iter().flatten())
        .filter_map(|dependency| dependency["name"].as_str());
    dependencies
        .filter_map(|name| {
            let package = packages().find(|package| package["name"] == name)?;
            Some((name, package["manifest_path"].as_str()?))
        })
        .collect()
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
    let mut files = Files::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(directory) = pending.pop() {
        let entries = fs::read_dir(&directory)
            .with_context(|| format!("cannot read {}", directory.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let name = path.strip_prefix(folder)?.display().to_string();
            if !LEFT_OUT.iter().any(|left_out| name.starts_with(left_out)) {
                files.insert(name, fs::read(&path)?);
            }
        }
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
    fn only_direct_dependencies_are_copied() {
        let metadata = serde_json::json!({
            "resolve": { "root": "published" },
            "packages": [
                { "id": "published", "name": "published", "dependencies": [{ "name": "one" }] },
                { "id": "one", "name": "one", "manifest_path": "/one/Cargo.toml",
                  "dependencies": [{ "name": "two" }] },
                { "id": "two", "name": "two", "manifest_path": "/two/Cargo.toml", "dependencies": [] },
            ],
        });
        assert_eq!(published_crates(&metadata), [("one", "/one/Cargo.toml")]);
    }
}
