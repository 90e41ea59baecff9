//! The dependencies within a crate: which topic may import which, and no cycles between files.
//!
//! Only paths that begin with `crate::` are checked, outside of comments and of the tests at the
//! end of a file; by convention, `super::` stays within a topic.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, SourceFile};

/// A topic and the topics that it may import.
type Topic = (&'static str, &'static [&'static str]);

/// What the topics of a crate may import besides themselves and the modules in the crate's root
/// that are not topics.
const MAY_IMPORT: &[(&str, &[Topic])] = &[
    (
        "casino",
        &[
            ("mail", &[]),
            ("alerts", &[]),
            ("accounts", &["alerts", "mail"]),
            ("fairness", &[]),
            ("limits", &["accounts"]),
            ("email", &["accounts", "limits", "mail"]),
            ("money", &["alerts", "limits", "mail"]),
            ("play", &["accounts", "fairness"]),
            ("administration", &["accounts", "limits", "mail", "money"]),
            (
                "privacy",
                &["accounts", "administration", "email", "limits"],
            ),
            ("books", &["alerts", "fairness", "limits", "play"]),
            ("public_log", &["books", "fairness", "play"]),
        ],
    ),
    (
        "persistence",
        &[
            // The engine stages and writes these topics' rows; their modules extend its
            // transaction.
            (
                "engine",
                &[
                    "accounts",
                    "audit",
                    "books",
                    "public_log",
                    "rounds",
                    "seeds",
                ],
            ),
            ("alerts", &["admin", "engine"]),
            ("public_log", &["accounts", "engine"]),
            ("seeds", &["accounts", "engine"]),
            ("accounts", &["engine", "seeds"]),
            ("rounds", &["accounts", "engine", "public_log", "seeds"]),
            ("limits", &["accounts", "engine", "rounds"]),
            ("email", &["accounts", "engine"]),
            ("money", &["accounts", "engine"]),
            ("audit", &["engine", "money"]),
            (
                "admin",
                &[
                    "accounts", "alerts", "audit", "engine", "limits", "money", "rounds",
                ],
            ),
            (
                "books",
                &[
                    "accounts",
                    "limits",
                    "money",
                    "public_log",
                    "rounds",
                    "seeds",
                ],
            ),
        ],
    ),
    (
        "api",
        &[
            ("wire", &[]),
            ("http", &["session"]),
            ("session", &[]),
            ("routes", &["http", "session", "wire"]),
        ],
    ),
];

/// The modules of a crate, each with its imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Finds imports that a topic must not have, and import cycles.
pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, BTreeMap<String, &str>> = BTreeMap::new();
    for file in files {
        if let Some((name, module)) = module_of(&file.path) {
            crates.entry(name).or_default().insert(module, &file.text);
        }
    }
    let mut findings = Vec::new();
    for (name, modules) in crates {
        let imports = imports_of(&modules);
        let rules = MAY_IMPORT.iter().find(|(other, _)| *other == name);
        if let Some((_, topics)) = rules {
            findings.extend(check_topics(name, topics, &imports));
        }
        for cycle in cycles(&imports) {
            findings.push(Finding::new(
                format!("crates/{name}"),
                format!("these modules form an import cycle: {}", cycle.join(", ")),
            ));
        }
    }
    findings
}

/// The crate and the module path of a source file.
fn module_of(path: &str) -> Option<(&str, String)> {
    let (name, rest) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let module = rest.strip_suffix(".rs")?;
    Some((name, module.replace('/', "::")))
}

fn imports_of(modules: &BTreeMap<String, &str>) -> Imports {
    let find = |path: &[String]| {
        (1..=path.len())
            .rev()
            .filter_map(|length| path.get(..length))
            .map(|parts| parts.join("::"))
            .find(|module| modules.contains_key(module))
    };
    modules
        .iter()
        .map(|(module, text)| {
            let mut imported: BTreeSet<String> = paths(&code_of(text))
                .iter()
                .filter_map(|path| find(path))
                .collect();
            imported.remove(module);
            (module.clone(), imported)
        })
        .collect()
}

/// A file's text without its comments and without the tests at its end.
fn code_of(text: &str) -> String {
    text.lines()
        .take_while(|line| !line.starts_with("#[cfg(test)]"))
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The paths that follow each `crate::`, with the branches of a `use` as separate paths.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (start, word) in code.match_indices("crate::") {
        let is_whole_word = !code.get(..start).is_some_and(|before| {
            before.ends_with(|letter: char| {
                letter.is_alphanumeric() || letter == '_' || letter == '$'
            })
        });
        if is_whole_word {
            let rest = code.get(start + word.len()..).unwrap_or_default();
            parse_branches(rest, &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Parses a path with all of its branches, and returns the remaining code.
fn parse_branches<'c>(
    code: &'c str,
    path: &mut Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> &'c str {
    let code = code.trim_start();
    if let Some(mut rest) = code.strip_prefix('{') {
        loop {
            rest = parse_branches(rest, &mut path.clone(), found).trim_start();
            // Skip `as` and the name after it, up to the next branch.
            let end = rest.find([',', '}']).unwrap_or(rest.len());
            let (_, tail) = rest.split_at(end);
            match tail.strip_prefix(',') {
                Some(next) if !next.trim_start().starts_with('}') => rest = next,
                Some(next) => return next.trim_start().strip_prefix('}').unwrap_or_default(),
                None => return tail.strip_prefix('}').unwrap_or_default(),
            }
        }
    }
    let end = code
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(code.len());
    let (name, rest) = code.split_at(end);
    if !name.is_empty() && name != "self" {
        path.push(name.to_owned());
    }
    if let Some(rest) = rest.strip_prefix("::") {
        return parse_branches(rest, path, found);
    }
    found.push(path.clone());
    rest
}

fn topic_of(module: &str) -> &str {
    module.split("::").next().unwrap_or_default()
}

fn check_topics(name: &str, topics: &[Topic], imports: &Imports) -> Vec<Finding> {
    let allowed_of = |topic: &str| topics.iter().find(|(other, _)| *other == topic);
    let mut findings = Vec::new();
    for (module, imported) in imports {
        let Some((topic, allowed)) = allowed_of(topic_of(module)) else {
            continue;
        };
        for target in imported {
            let other = topic_of(target);
            if other != *topic && allowed_of(other).is_some() && !allowed.contains(&other) {
                let file = module.replace("::", "/");
                findings.push(Finding::new(
                    format!("crates/{name}/src/{file}.rs"),
                    format!("{topic} must not import {target}: see tidy/modules.rs"),
                ));
            }
        }
    }
    findings
}

/// The groups of modules that import each other, directly or indirectly.
fn cycles(imports: &Imports) -> Vec<Vec<&str>> {
    let all_reached: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|module| (module.as_str(), reachable(imports, module)))
        .collect();
    let reaches = |from: &str, to: &str| all_reached.get(from).is_some_and(|all| all.contains(to));
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut cycles = Vec::new();
    for module in imports.keys().map(String::as_str) {
        if reaches(module, module) && !seen.contains(module) {
            let is_in_cycle = |other: &&str| reaches(module, other) && reaches(other, module);
            let cycle: Vec<&str> = imports
                .keys()
                .map(String::as_str)
                .filter(is_in_cycle)
                .collect();
            seen.extend(&cycle);
            cycles.push(cycle);
        }
    }
    cycles
}

fn reachable<'i>(imports: &'i Imports, from: &str) -> BTreeSet<&'i str> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&str> = vec![from];
    while let Some(module) = waiting.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if reached.insert(next.as_str()) {
                waiting.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files
            .iter()
            .map(|(path, text)| SourceFile {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        check(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_branch_of_a_use_is_parsed() {
        let code =
            "use crate::a::{self, b::{C, D as E}, f,};\nlet x = crate::g::h(1);\nuse mycrate::z;";
        let paths: Vec<_> = paths(code).iter().map(|path| path.join("::")).collect();
        assert_eq!(paths, ["a", "a::b::C", "a::b::D", "a::f", "g::h"]);
    }

    #[test]
    fn forbidden_import_of_a_topic_is_found() {
        let play = (
            "crates/casino/src/play/dice.rs",
            "use crate::money::cashier::Cashier;",
        );
        let money = (
            "crates/casino/src/money/cashier.rs",
            "use crate::house::House;",
        );
        let expected = "crates/casino/src/play/dice.rs: play must not import money::cashier: see \
                        tidy/modules.rs";
        assert_eq!(messages(&[play, money]), [expected]);
    }

    #[test]
    fn root_modules_may_import_and_be_imported() {
        let house = (
            "crates/casino/src/house.rs",
            "use crate::play::timed::Events;",
        );
        let play = (
            "crates/casino/src/play/timed.rs",
            "use crate::error::CasinoError;",
        );
        let error = ("crates/casino/src/error.rs", "");
        assert!(messages(&[house, play, error]).is_empty());
    }

    #[test]
    fn cycle_is_reported_once_with_its_modules() {
        let a = ("crates/games/src/a.rs", "use crate::b::B;");
        let b = ("crates/games/src/b.rs", "fn f() { crate::c::g() }");
        let c = ("crates/games/src/c.rs", "use crate::{a::A, d};");
        let d = ("crates/games/src/d.rs", "");
        let expected = "crates/games: these modules form an import cycle: a, b, c";
        assert_eq!(messages(&[a, b, c, d]), [expected]);
    }

    #[test]
    fn comments_and_tests_are_ignored() {
        let text = "/// See [`crate::b::B`].\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n";
        let a = ("crates/games/src/a.rs", text);
        let b = ("crates/games/src/b.rs", "use crate::a::f;");
        assert!(messages(&[a, b]).is_empty());
    }
}
