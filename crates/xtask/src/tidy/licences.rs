//! Every dependency's licence is compatible with ours, and it comes from an allowed registry.
//!
//! The rules are those of `deny.toml`, so that this check and cargo-deny agree. Unlike cargo-deny,
//! it is always available and also checks the front end's packages.

use anyhow::{Context as _, Result};
use serde_json::Value;
use spdx::{Expression, ParseMode};

use super::Finding;

/// Cargo's prefix for the source of a package from a registry.
const REGISTRY: &str = "registry+";
/// The address prefix of npm's packages.
const NPM_REGISTRY: &str = "https://registry.npmjs.org/";

/// The licences and registries that `deny.toml` allows.
#[derive(Debug)]
pub(super) struct Rules {
    licences: Vec<String>,
    registries: Vec<String>,
}

impl Rules {
    /// Reads `deny.toml`.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let table: toml::Table = toml::from_str(text).context("deny.toml is not valid TOML")?;
        Ok(Self {
            licences: strings(&table, "licenses", "allow")?,
            registries: strings(&table, "sources", "allow-registry")?,
        })
    }

    fn allow(&self, licence: &str) -> bool {
        // Old crates use the format `MIT/Apache-2.0`.
        Expression::parse_mode(licence, ParseMode::LAX).is_ok_and(|expression| {
            expression.evaluate(|requirement| self.licences.contains(&requirement.to_string()))
        })
    }
}

/// Finds crates whose licence or source is not allowed, in the output of `cargo metadata`. The
/// workspace's own crates have no source.
pub(super) fn check_crates(metadata: &Value, rules: &Rules) -> Vec<Finding> {
    let packages = metadata["packages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let mut findings = Vec::new();
    for package in packages {
        let Some(source) = package["source"].as_str() else {
            continue;
        };
        let name = describe(package["name"].as_str(), &package["version"]);
        let is_allowed = source
            .strip_prefix(REGISTRY)
            .is_some_and(|address| rules.registries.iter().any(|allowed| allowed == address));
        if !is_allowed {
            findings.push(Finding::new(
                &*name,
                format!("comes from {source}, not crates.io"),
            ));
        }
        findings.extend(licence_problem(&name, package["license"].as_str(), rules));
    }
    findings
}

/// Finds npm packages whose licence or source is not allowed, in `package-lock.json`. Licences are
/// only checked for packages that reach the browser, not for build and test tools.
pub(super) fn check_npm_packages(lock: &Value, rules: &Rules) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, package) in lock["packages"].as_object().into_iter().flatten() {
        // The front end itself.
        if path.is_empty() {
            continue;
        }
        let name = describe(path.rsplit("node_modules/").next(), &package["version"]);
        findings.extend(npm_source_problem(&name, package));
        if package["dev"] != true {
            findings.extend(licence_problem(&name, package["license"].as_str(), rules));
        }
    }
    findings
}

/// A package without an address comes from the registry that npm is configured with, and its digest
/// guarantees that it is the same package. A bundled package is part of one that has a digest.
fn npm_source_problem(name: &str, package: &Value) -> Option<Finding> {
    match package["resolved"].as_str() {
        Some(address) if !address.starts_with(NPM_REGISTRY) => {
            let message = format!("comes from {address}, not npm's registry");
            Some(Finding::new(name, message))
        }
        _ if package["integrity"].is_string() || package["inBundle"] == true => None,
        _ => Some(Finding::new(name, "has no digest in package-lock.json")),
    }
}

fn licence_problem(name: &str, licence: Option<&str>, rules: &Rules) -> Option<Finding> {
    match licence {
        Some(licence) if rules.allow(licence) => None,
        Some(licence) => Some(Finding::new(
            name,
            format!("its licence `{licence}` is not allowed in deny.toml"),
        )),
        None => Some(Finding::new(name, "has no licence")),
    }
}

fn describe(name: Option<&str>, version: &Value) -> String {
    format!(
        "{} {}",
        name.unwrap_or("?"),
        version.as_str().unwrap_or("?")
    )
}

fn strings(table: &toml::Table, section: &str, key: &str) -> Result<Vec<String>> {
    table
        .get(section)
        .and_then(|section| section.get(key))
        .and_then(|list| list.as_array())
        .and_then(|list| {
            list.iter()
                .map(|item| Some(item.as_str()?.to_owned()))
                .collect()
        })
        .with_context(|| format!("deny.toml has no list `{key}` in [{section}]"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn rules() -> Rules {
        Rules::parse(include_str!("../../../../deny.toml")).unwrap()
    }

    #[test]
    fn licence_expressions_are_evaluated() {
        let check = |licence, expected| assert_eq!(rules().allow(licence), expected, "{licence}");
        check("MIT", true);
        check("MIT/Apache-2.0", true);
        check("GPL-2.0-only OR MIT", true);
        check("GPL-2.0-only", false);
        check("MIT AND GPL-2.0-only", false);
        check("(MIT OR Apache-2.0) AND Unicode-3.0", true);
        check("Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", true);
        check("SEE LICENSE IN license.txt", false);
        check("", false);
    }

    #[test]
    fn crates_need_allowed_licence_and_source() {
        let check = |source: Value, licence: Value, findings| {
            let package =
                json!({"name": "a", "version": "1", "source": source, "license": licence});
            let found = check_crates(&json!({"packages": [package]}), &rules());
            assert_eq!(found.len(), findings, "{source} {licence}: {found:?}");
        };
        check(json!(CRATES_IO), json!("MIT"), 0);
        check(Value::Null, json!("AGPL-3.0-or-later"), 0);
        check(json!(CRATES_IO), Value::Null, 1);
        check(json!(CRATES_IO), json!("SSPL-1.0"), 1);
        check(json!("git+https://github.com/a/a#0123"), json!("MIT"), 1);
        check(
            json!("registry+https://crates.example/index"),
            json!("SSPL-1.0"),
            2,
        );
    }

    #[test]
    fn npm_packages_need_allowed_licence_source_and_digest() {
        let check = |path: &str, package: Value, findings| {
            let found = check_npm_packages(&json!({"packages": {path: package}}), &rules());
            assert_eq!(found.len(), findings, "{path}: {found:?}");
        };
        let npm = "https://registry.npmjs.org/a/-/a-1.tgz";
        let elsewhere = "https://npm.example/a.tgz";
        let (a, sum) = ("node_modules/a", "sha512-0");
        check("", json!({"license": "AGPL-3.0-or-later"}), 0);
        check(
            a,
            json!({"resolved": npm, "integrity": sum, "license": "MIT"}),
            0,
        );
        check(a, json!({"integrity": sum, "license": "MIT"}), 0);
        check(a, json!({"integrity": sum, "license": "SSPL-1.0"}), 1);
        check(
            a,
            json!({"integrity": sum, "license": "SSPL-1.0", "dev": true}),
            0,
        );
        check(
            a,
            json!({"resolved": elsewhere, "integrity": sum, "license": "MIT"}),
            1,
        );
        check(a, json!({"resolved": npm, "license": "MIT"}), 1);
        check(a, json!({"inBundle": true, "license": "MIT"}), 0);
        check(
            a,
            json!({"inBundle": true, "resolved": elsewhere, "license": "MIT"}),
            1,
        );
        check(a, json!({"resolved": elsewhere}), 2);
    }
}
