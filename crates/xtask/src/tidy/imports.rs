//! The front end's arrows: features never import features, and what is shared knows no feature.

use super::{Finding, SourceFile};

const SOURCES: &str = "frontend/src/";
const FEATURES: &str = "features";
/// What tests share with each other.
const TEST_SUPPORT: &str = "test-support";

/// What a folder of the sources may import beside itself; folders that are not named (the shell
/// that puts everything together) may import anything.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("lib", &["api"]),
    ("api", &["lib"]),
    ("hooks", &["lib", "api"]),
    ("components", &["lib", "api", "hooks", "assets", "styles"]),
    (
        FEATURES,
        &["components", "lib", "api", "hooks", "assets", "styles"],
    ),
];

/// Imports that go up or sideways.
pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files
        .iter()
        .filter(|file| file.has_extension(&["ts", "tsx"]))
    {
        let Some(path) = file.path.strip_prefix(SOURCES) else {
            continue;
        };
        for (number, line) in (1..).zip(file.text.lines()) {
            let Some(target) = specifier(line).and_then(|specifier| resolve(path, specifier))
            else {
                continue;
            };
            let problem = import_problem(path, &target);
            findings.extend(
                problem.map(|message| Finding::new(format!("{}:{number}", file.path), message)),
            );
        }
    }
    findings
}

fn import_problem(from: &str, to: &str) -> Option<String> {
    let (folder, rest) = from.split_once('/')?;
    let (_, allowed) = MAY_IMPORT.iter().find(|(name, _)| *name == folder)?;
    let target_folder = to.split('/').next().unwrap_or_default();
    if target_folder == TEST_SUPPORT && from.contains(".test.") {
        return None;
    }
    if target_folder == folder {
        if folder != FEATURES {
            return None;
        }
        let own = rest.split('/').next();
        let other = to.split('/').nth(1);
        return (own != other).then(|| format!("a feature must not import another one ({to})"));
    }
    (!allowed.contains(&target_folder)).then(|| {
        format!(
            "{folder} must not import {to}: only {} and itself",
            allowed.join(", ")
        )
    })
}

/// What a line of TypeScript imports or exports from, if anything.
fn specifier(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if line.starts_with("//") || line.starts_with('*') {
        return None;
    }
    ["from ", "import ", "import("]
        .into_iter()
        .find_map(|marker| {
            let (before, rest) = line.split_once(marker)?;
            let is_word = before
                .chars()
                .next_back()
                .is_none_or(|letter| !letter.is_alphanumeric());
            let quote = rest
                .chars()
                .next()
                .filter(|letter| ['"', '\''].contains(letter))?;
            let (specifier, _) = rest.get(1..)?.split_once(quote)?;
            is_word.then_some(specifier)
        })
}

/// The imported path from the sources' folder; none for a package.
fn resolve(from: &str, specifier: &str) -> Option<String> {
    if let Some(path) = specifier.strip_prefix("@/") {
        return Some(path.to_owned());
    }
    if !specifier.starts_with('.') {
        return None;
    }
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    for part in specifier.split('/') {
        match part {
            "." => {}
            // An import from outside the sources (the facts that both sides share) has no folder.
            ".." => drop(folders.pop()?),
            part => folders.push(part),
        }
    }
    Some(folders.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::source_file;
    use super::*;

    fn check(path: &str, line: &str, is_fine: bool) {
        let findings = super::check(&[source_file(&format!("{SOURCES}{path}"), line)]);
        assert_eq!(findings.is_empty(), is_fine, "{path}: {line}: {findings:?}");
    }

    #[test]
    fn features_never_import_features() {
        check(
            "features/dice/Panel.tsx",
            "import { a } from \"@/features/history/a\";",
            false,
        );
        check(
            "features/dice/Panel.tsx",
            "import { a } from \"../history/a\";",
            false,
        );
        check("features/dice/Panel.tsx", "} from '../history/a';", false);
        check(
            "features/dice/Panel.tsx",
            "export * from \"../history\";",
            false,
        );
        check(
            "features/dice/Panel.tsx",
            "const a = lazy(() => import(\"../history/a\"));",
            false,
        );
        check(
            "features/dice/Panel.tsx",
            "import \"../history/a.css\";",
            false,
        );
        check(
            "features/dice/Panel.tsx",
            "import { a } from \"./stage/a\";",
            true,
        );
        check(
            "features/dice/stage/a.ts",
            "import { a } from \"../a\";",
            true,
        );
        check("features/dice/Panel.tsx", "// from \"../history/a\"", true);
        check(
            "features/dice/Panel.tsx",
            "import { a } from \"react\";",
            true,
        );
        check(
            "features/dice/Panel.tsx",
            "import f from \"../../../../crates/games/facts.json\";",
            true,
        );
    }

    #[test]
    fn only_tests_use_what_tests_share() {
        let line = r#"import { round } from "@/test-support/rounds";"#;
        check("features/crash/rules.test.ts", line, true);
        check("features/crash/rules.ts", line, false);
    }

    #[test]
    fn what_is_shared_knows_no_feature() {
        check(
            "features/dice/Panel.tsx",
            "import { a } from \"@/components/a\";",
            true,
        );
        check(
            "features/dice/Panel.tsx",
            "import { a } from \"@/app/routes\";",
            false,
        );
        check(
            "components/a.tsx",
            "import { a } from \"@/features/dice/a\";",
            false,
        );
        check("components/a.tsx", "import { a } from \"../lib/a\";", true);
        check("lib/a.ts", "import { a } from \"../components/a\";", false);
        check("lib/a.ts", "import { a } from \"./b\";", true);
        check(
            "app/routes.tsx",
            "import { a } from \"@/features/dice/a\";",
            true,
        );
        check("main.tsx", "import { a } from \"./features/dice/a\";", true);
    }
}
