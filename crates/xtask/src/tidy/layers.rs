//! Crates depend only on lower layers, and libraries are used only in the layer they belong to.

use serde_json::Value;

use super::Finding;

/// The layers: a crate may depend only on crates with a lower number, so crates with the same
/// number never depend on each other.
const LAYERS: &[(&str, u8)] = &[
    ("glasshouse-server", 5),
    ("glasshouse-api", 4),
    (AUDIT, 3),
    ("glasshouse-casino", 3),
    ("glasshouse-sandbox", 3),
    ("glasshouse-testing", 3),
    ("glasshouse-persistence", 2),
    ("glasshouse-payments", 2),
    ("glasshouse-mail", 2),
    ("glasshouse-games", 2),
    ("glasshouse-domain", 1),
    ("glasshouse-transparency", 1),
];

/// Tools outside of the layers: nothing may depend on them. `xtask` may not depend on any crate of
/// the workspace, so that it compiles in seconds.
const XTASK: &str = "xtask";
const BENCH: &str = "glasshouse-bench";
/// Knows a house from the outside only.
const TORTURE: &str = "glasshouse-torture";
const TOOLS: [&str; 3] = [XTASK, BENCH, TORTURE];
const SANDBOX: &str = "glasshouse-sandbox";
/// Verifies a house from the outside, so it must know no more of it than anybody else.
const AUDIT: &str = "glasshouse-audit";
/// The databases of tests: a dev-dependency alone, also of the layer that it opens them with.
const TESTING: &str = "glasshouse-testing";

/// Libraries that only some layers may use outside of tests: the database is used in persistence
/// only, and HTTP in api and server.
const RESERVED: &[(&str, &[&str])] = &[
    ("diesel", &["glasshouse-persistence", TESTING]),
    ("diesel_migrations", &["glasshouse-persistence"]),
    ("rusqlite", &["glasshouse-persistence"]),
    ("libsqlite3-sys", &["glasshouse-persistence"]),
    ("pq-sys", &["glasshouse-persistence"]),
    (
        "actix-web",
        &[
            "glasshouse-api",
            AUDIT,
            "glasshouse-sandbox",
            "glasshouse-server",
            TESTING,
        ],
    ),
    ("actix-session", &["glasshouse-api", "glasshouse-server"]),
    (
        "reqwest",
        &[
            AUDIT,
            "glasshouse-casino",
            "glasshouse-payments",
            "glasshouse-sandbox",
        ],
    ),
    ("clap", &["glasshouse-sandbox", "glasshouse-server"]),
];
/// Crates without I/O, clock and randomness.
const PURE: [&str; 3] = [
    "glasshouse-domain",
    "glasshouse-games",
    "glasshouse-transparency",
];
/// Libraries for I/O, clock and randomness.
const IMPURE: [&str; 8] = [
    "tokio",
    "getrandom",
    "rand",
    "fastrand",
    "jiff",
    "chrono",
    "time",
    "tracing",
];

struct Dependency {
    name: String,
    for_tests: bool,
}

/// Finds dependencies that do not point downwards, crates without a layer, and misplaced libraries.
pub(super) fn check(metadata: &Value) -> Vec<Finding> {
    let packages = array(&metadata["packages"]);
    let members: Vec<&str> = packages
        .iter()
        .filter_map(|package| package["name"].as_str())
        .collect();
    let mut findings = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        if !TOOLS.contains(&name) && layer(name).is_none() {
            findings.push(Finding::new(name, "has no layer: add it to tidy/layers.rs"));
            continue;
        }
        for dependency in array(&package["dependencies"]) {
            let dependency = Dependency {
                name: dependency["name"].as_str().unwrap_or_default().to_owned(),
                for_tests: dependency["kind"].as_str() == Some("dev"),
            };
            let problem = if members.contains(&&*dependency.name) {
                crate_problem(name, &dependency)
            } else {
                library_problem(name, &dependency)
            };
            findings.extend(problem.map(|message| Finding::new(name, message)));
        }
    }
    findings
}

fn crate_problem(from: &str, dependency: &Dependency) -> Option<String> {
    let to = dependency.name.as_str();
    if from == XTASK {
        return Some(format!(
            "depends on {to}, but must compile in seconds, without the workspace"
        ));
    }
    if from == TORTURE {
        return Some(format!(
            "depends on {to}, but must know a house from the outside only"
        ));
    }
    if TOOLS.contains(&to) {
        return Some(format!(
            "depends on {to}, which is a tool and not part of the product"
        ));
    }
    if to == TESTING {
        return (!dependency.for_tests)
            .then(|| format!("depends on {to}, which is for tests only"));
    }
    if from == AUDIT && !PURE.contains(&to) {
        return Some(format!(
            "depends on {to}, but must know no more of a house than anybody else"
        ));
    }
    // The sandbox is in the casino's layer, and only the casino's tests may use it.
    let is_sandbox_in_tests = dependency.for_tests && to == SANDBOX && layer(from) == layer(to);
    if from == BENCH || layer(from) > layer(to) || is_sandbox_in_tests {
        return None;
    }
    Some(format!("depends on {to}, which is not in a lower layer"))
}

fn library_problem(from: &str, to: &Dependency) -> Option<String> {
    let is_tool = TOOLS.contains(&from);
    if to.for_tests || is_tool {
        return None;
    }
    if PURE.contains(&from) && IMPURE.contains(&&*to.name) {
        return Some(format!(
            "uses {}, but must have no I/O, clock or randomness",
            to.name
        ));
    }
    let (_, owners) = RESERVED.iter().find(|(library, _)| *library == to.name)?;
    if owners.contains(&from) {
        return None;
    }
    Some(format!(
        "uses {}, which only {} may use",
        to.name,
        owners.join(" and ")
    ))
}

fn layer(name: &str) -> Option<u8> {
    LAYERS
        .iter()
        .find(|(other, _)| *other == name)
        .map(|(_, layer)| *layer)
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Checks a workspace with all crates, in which `from` has the only dependency, `to`.
    fn check(from: &str, to: &str, kind: Option<&str>, is_allowed: bool) {
        let others = LAYERS.iter().map(|(name, _)| *name).chain(TOOLS);
        let mut packages: Vec<Value> = others
            .filter(|name| *name != from)
            .map(|name| json!({"name": name, "dependencies": []}))
            .collect();
        packages.push(json!({"name": from, "dependencies": [{"name": to, "kind": kind}]}));
        let findings = super::check(&json!({ "packages": packages }));
        assert_eq!(
            findings.is_empty(),
            is_allowed,
            "{from} → {to} ({kind:?}): {findings:?}"
        );
        assert!(
            findings.iter().all(|finding| finding.location == from),
            "{findings:?}"
        );
    }

    #[test]
    fn dependencies_must_point_downwards() {
        check("glasshouse-server", "glasshouse-api", None, true);
        check("glasshouse-api", "glasshouse-domain", None, true);
        check("glasshouse-casino", "glasshouse-persistence", None, true);
        check("glasshouse-casino", "glasshouse-api", None, false);
        check("glasshouse-domain", "glasshouse-games", None, false);
        check(
            "glasshouse-server",
            "glasshouse-persistence",
            Some("dev"),
            true,
        );
        check("glasshouse-api", "glasshouse-server", Some("dev"), false);
        check("glasshouse-api", "glasshouse-casino", Some("build"), true);
    }

    #[test]
    fn crates_of_the_middle_layer_must_not_depend_on_each_other() {
        let middle = [
            "glasshouse-persistence",
            "glasshouse-payments",
            "glasshouse-games",
        ];
        for from in middle {
            check(from, "glasshouse-domain", None, true);
            for to in middle.into_iter().filter(|to| *to != from) {
                check(from, to, None, false);
                check(from, to, Some("dev"), false);
            }
        }
    }

    #[test]
    fn casino_may_depend_on_the_sandbox_only_in_tests() {
        check("glasshouse-casino", SANDBOX, Some("dev"), true);
        check("glasshouse-casino", SANDBOX, None, false);
        check(SANDBOX, "glasshouse-casino", Some("dev"), false);
    }

    #[test]
    fn the_audit_knows_only_what_is_public() {
        check(AUDIT, "glasshouse-games", None, true);
        check(AUDIT, "glasshouse-transparency", None, true);
        check(AUDIT, "glasshouse-persistence", None, false);
        check(AUDIT, "glasshouse-payments", Some("dev"), false);
        check(AUDIT, TESTING, Some("dev"), true);
        check("glasshouse-server", AUDIT, None, true);
        check("glasshouse-casino", AUDIT, None, false);
    }

    #[test]
    fn the_databases_of_tests_are_for_tests_alone() {
        check("glasshouse-persistence", TESTING, Some("dev"), true);
        check("glasshouse-casino", TESTING, Some("dev"), true);
        check("glasshouse-server", TESTING, None, false);
        check(BENCH, TESTING, None, false);
        check(TESTING, "glasshouse-persistence", None, true);
        check(TESTING, "diesel", None, true);
        check(TESTING, "glasshouse-casino", None, false);
    }

    #[test]
    fn tools_are_outside_of_the_layers() {
        check(BENCH, "glasshouse-persistence", None, true);
        check(XTASK, "glasshouse-domain", None, false);
        check(TORTURE, "glasshouse-domain", None, false);
        check(TORTURE, "fastrand", None, true);
        check("glasshouse-server", TORTURE, Some("dev"), false);
        check("glasshouse-server", XTASK, None, false);
        check("glasshouse-server", BENCH, Some("dev"), false);
        check("glasshouse-new", "serde", None, false);
    }

    #[test]
    fn libraries_are_limited_to_their_layer() {
        check("glasshouse-persistence", "diesel", None, true);
        check("glasshouse-casino", "diesel", None, false);
        check("glasshouse-casino", "diesel", Some("dev"), true);
        check(BENCH, "rusqlite", None, true);
        check("glasshouse-api", "actix-web", None, true);
        check("glasshouse-casino", "actix-web", None, false);
        check("glasshouse-games", "rand", None, false);
        check("glasshouse-casino", "rand", None, true);
        check("glasshouse-domain", "serde", None, true);
    }
}
