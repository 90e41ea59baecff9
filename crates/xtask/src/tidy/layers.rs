//! The workspace's arrows go strictly down, and libraries stay in the layer they belong to.

use serde_json::Value;

use super::Finding;

/// The layers: a crate may depend on crates of lower numbers only, so those of one number never
/// see each other.
const LAYERS: &[(&str, u8)] = &[
    ("glasshouse-server", 5),
    ("glasshouse-api", 4),
    ("glasshouse-casino", 3),
    ("glasshouse-sandbox", 3),
    ("glasshouse-testing", 3),
    ("glasshouse-persistence", 2),
    ("glasshouse-payments", 2),
    ("glasshouse-games", 2),
    ("glasshouse-domain", 1),
];

/// Tools outside the layers: nothing may depend on them. The first may depend on nothing here, so
/// that it compiles in seconds.
const XTASK: &str = "xtask";
const BENCH: &str = "glasshouse-bench";
const SANDBOX: &str = "glasshouse-sandbox";
/// The databases of tests: a dev-dependency alone, also of the layer that it opens them with.
const TESTING: &str = "glasshouse-testing";

/// Libraries that only some layers may use outside of tests: the database stays in persistence,
/// HTTP in api and server, and the rules of the house stay free of input, output, clock and chance.
const RESERVED: &[(&str, &[&str])] = &[
    ("diesel", &["glasshouse-persistence", TESTING]),
    ("diesel_migrations", &["glasshouse-persistence"]),
    ("rusqlite", &["glasshouse-persistence"]),
    ("libsqlite3-sys", &["glasshouse-persistence"]),
    ("pq-sys", &["glasshouse-persistence"]),
    (
        "actix-web",
        &["glasshouse-api", "glasshouse-sandbox", "glasshouse-server"],
    ),
    ("actix-session", &["glasshouse-api", "glasshouse-server"]),
    ("reqwest", &["glasshouse-payments", "glasshouse-sandbox"]),
    ("clap", &["glasshouse-sandbox", "glasshouse-server"]),
];
const PURE: [&str; 2] = ["glasshouse-domain", "glasshouse-games"];
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

/// Arrows that go sideways or up, crates that stand in no layer, and libraries out of place.
pub(super) fn check(metadata: &Value) -> Vec<Finding> {
    let packages = array(&metadata["packages"]);
    let members: Vec<&str> = packages
        .iter()
        .filter_map(|package| package["name"].as_str())
        .collect();
    let mut findings = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        if ![XTASK, BENCH].contains(&name) && layer(name).is_none() {
            findings.push(Finding::new(
                name,
                "stands in no layer: give it one in tidy/layers.rs",
            ));
            continue;
        }
        for dependency in array(&package["dependencies"]) {
            let dependency = Dependency {
                name: dependency["name"].as_str().unwrap_or_default().to_owned(),
                for_tests: dependency["kind"].as_str() == Some("dev"),
            };
            let problem = if members.contains(&&*dependency.name) {
                arrow_problem(name, &dependency)
            } else {
                library_problem(name, &dependency)
            };
            findings.extend(problem.map(|message| Finding::new(name, message)));
        }
    }
    findings
}

fn arrow_problem(from: &str, dependency: &Dependency) -> Option<String> {
    let to = dependency.name.as_str();
    if from == XTASK {
        return Some(format!(
            "depends on {to}, but must compile in seconds, alone"
        ));
    }
    if [XTASK, BENCH].contains(&to) {
        return Some(format!("depends on {to}, which stands outside the product"));
    }
    if to == TESTING {
        return (!dependency.for_tests)
            .then(|| format!("depends on {to}, which is for tests only"));
    }
    // The sandbox stands beside the house, which meets it in tests alone.
    let is_beside = dependency.for_tests && to == SANDBOX && layer(from) == layer(to);
    if from == BENCH || layer(from) > layer(to) || is_beside {
        return None;
    }
    Some(format!("depends on {to}, which is not below it"))
}

fn library_problem(from: &str, to: &Dependency) -> Option<String> {
    let is_outside = [XTASK, BENCH].contains(&from);
    if to.for_tests || is_outside {
        return None;
    }
    if PURE.contains(&from) && IMPURE.contains(&&*to.name) {
        return Some(format!(
            "uses {}, but is pure: no input, output, clock or chance",
            to.name
        ));
    }
    let (_, owners) = RESERVED.iter().find(|(library, _)| *library == to.name)?;
    if owners.contains(&from) {
        return None;
    }
    Some(format!(
        "uses {}, which is for {} only",
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

    /// All crates of the workspace; the first has the one given dependency.
    fn check(from: &str, to: &str, kind: Option<&str>, is_fine: bool) {
        let others = LAYERS.iter().map(|(name, _)| *name).chain([XTASK, BENCH]);
        let mut packages: Vec<Value> = others
            .filter(|name| *name != from)
            .map(|name| json!({"name": name, "dependencies": []}))
            .collect();
        packages.push(json!({"name": from, "dependencies": [{"name": to, "kind": kind}]}));
        let findings = super::check(&json!({ "packages": packages }));
        assert_eq!(
            findings.is_empty(),
            is_fine,
            "{from} → {to} ({kind:?}): {findings:?}"
        );
        assert!(
            findings.iter().all(|finding| finding.place == from),
            "{findings:?}"
        );
    }

    #[test]
    fn arrows_go_strictly_down() {
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
    fn the_middle_three_never_see_each_other() {
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
    fn the_house_meets_the_sandbox_in_tests_alone() {
        check("glasshouse-casino", SANDBOX, Some("dev"), true);
        check("glasshouse-casino", SANDBOX, None, false);
        check(SANDBOX, "glasshouse-casino", Some("dev"), false);
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
    fn tools_stand_outside() {
        check(BENCH, "glasshouse-persistence", None, true);
        check(XTASK, "glasshouse-domain", None, false);
        check("glasshouse-server", XTASK, None, false);
        check("glasshouse-server", BENCH, Some("dev"), false);
        check("glasshouse-new", "serde", None, false);
    }

    #[test]
    fn libraries_stay_in_their_layer() {
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
