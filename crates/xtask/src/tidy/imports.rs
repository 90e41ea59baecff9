//! The front end's dependencies: shared code imports neither games nor features, no game imports
//! another game, and no feature another feature.

use super::{Finding, SourceFile};

const SOURCES: &str = "frontend/src/";
/// Code that only tests may import.
const TEST_SUPPORT: &str = "test-support";
/// Each game, and each feature, has its own folder.
const GAME: &str = "games/*";
const FEATURE: &str = "features/*";
/// The registry of the games, and the files that belong to its area because they use it.
const REGISTRY: &str = "games/registry";
const REGISTRY_USERS: &[&str] = &[
    "games/announced",
    "games/verify-round",
    "games/game-preview",
    "games/game-status",
    "games/measured-returns",
    "games/published-round",
    "games/status-api",
];
/// The interface between the registry and the games.
const DEFINITION: &str = "games/definition";
/// Code that several games share.
const SHARED_BY_GAMES: &[&str] = &[
    "games/autobet",
    "games/rounds",
    "games/cards",
    "games/timed",
];

/// What each area of the sources may import besides itself. `app` puts everything together, and
/// nothing imports it.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("styles", &[]),
    ("lib", &[]),
    ("api", &["lib"]),
    ("components", &["lib"]),
    ("games/rounds", &["components", "api", "lib"]),
    ("games/cards", &["games/rounds", "components", "api", "lib"]),
    ("games/autobet", &["components", "api", "lib"]),
    (
        "games/timed",
        &[
            DEFINITION,
            "games/autobet",
            "games/rounds",
            "components",
            "api",
            "lib",
        ],
    ),
    (DEFINITION, &["games/rounds", "api"]),
    (
        GAME,
        &[
            DEFINITION,
            "games/autobet",
            "games/rounds",
            "games/cards",
            "games/timed",
            "components",
            "api",
            "lib",
        ],
    ),
    (REGISTRY, &[GAME, DEFINITION, "games/rounds", "api", "lib"]),
    (
        FEATURE,
        &[
            REGISTRY,
            DEFINITION,
            "games/rounds",
            "components",
            "api",
            "lib",
        ],
    ),
    (
        "app",
        &[
            FEATURE,
            REGISTRY,
            GAME,
            DEFINITION,
            "games/rounds",
            "games/cards",
            "games/timed",
            "components",
            "api",
            "lib",
            "styles",
        ],
    ),
];

/// Finds imports that [`MAY_IMPORT`] does not allow.
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
    if !from.contains('/') {
        return None;
    }
    let (area, target) = (area_of(from), area_of(to));
    if area == TEST_SUPPORT || (target == TEST_SUPPORT && from.contains(".test.")) {
        return None;
    }
    let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == area) else {
        return Some(format!(
            "tidy/imports.rs has no rule for what {area} may import"
        ));
    };
    if target == area {
        let is_other = matches!(area, GAME | FEATURE) && folder_in(from) != folder_in(to);
        return is_other.then(|| format!("a folder of {area} must not import another one ({to})"));
    }
    (!allowed.contains(&target)).then(|| {
        format!(
            "{area} must not import {to}, only {} and itself",
            allowed.join(", ")
        )
    })
}

/// The area of the sources that a file or an imported path belongs to.
fn area_of(path: &str) -> &str {
    match path.split('/').next() {
        Some("features") => FEATURE,
        Some("games") => game_area_of(path),
        top => top.unwrap_or_default(),
    }
}

fn game_area_of(path: &str) -> &'static str {
    let is_file = path.split('/').count() == 2 && path.contains('.');
    let module = path.split('.').next().unwrap_or(path);
    let is_within = |area: &str| {
        module
            .strip_prefix(area)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if let Some(shared) = SHARED_BY_GAMES.iter().find(|area| is_within(area)) {
        return shared;
    }
    if module == DEFINITION {
        return DEFINITION;
    }
    // An import of a folder has no extension either, so it does not count as a file.
    if is_file || module == REGISTRY || REGISTRY_USERS.contains(&module) {
        return REGISTRY;
    }
    GAME
}

/// The game or the feature that a path belongs to.
fn folder_in(path: &str) -> Option<&str> {
    path.split('/').nth(1)
}

/// The module specifier of an import or export in a line of TypeScript, if any.
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

/// The imported path relative to the sources' folder; `None` for a package.
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
            // An import from outside of the sources (the facts shared with the server) has no area.
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

    fn check(path: &str, line: &str, is_allowed: bool) {
        let findings = super::check(&[source_file(&format!("{SOURCES}{path}"), line)]);
        assert_eq!(
            findings.is_empty(),
            is_allowed,
            "{path}: {line}: {findings:?}"
        );
    }

    fn check_import(from: &str, to: &str, is_allowed: bool) {
        check(from, &format!("import {{ a }} from \"{to}\";"), is_allowed);
    }

    #[test]
    fn feature_must_not_import_another_feature() {
        let panel = "features/wallet/panel.tsx";
        check_import(panel, "@/features/history/a", false);
        check_import(panel, "@/features/history", false);
        check_import(panel, "../history/a", false);
        check(panel, "} from '../history/a';", false);
        check(panel, "export * from \"../history\";", false);
        check(
            panel,
            "const a = lazy(() => import(\"../history/a\"));",
            false,
        );
        check(panel, "import \"../history/a.css\";", false);
        check_import(panel, "./stage/a", true);
        check_import("features/wallet/stage/a.ts", "../a", true);
        check(panel, "// from \"../history/a\"", true);
        check_import(panel, "react", true);
        check_import(panel, "../../../../crates/games/facts.json", true);
    }

    #[test]
    fn game_must_not_import_another_game() {
        let game = "games/crash/crash-game.tsx";
        check_import(game, "@/games/stonks/rules", false);
        check_import(game, "@/games/stonks", false);
        check_import(game, "../stonks/rules", false);
        check(game, "const a = lazy(() => import(\"../stonks\"));", false);
        check_import(game, "./rules", true);
        for shared in ["timed", "cards/trainer", "rounds/api", "definition"] {
            check_import(game, &format!("@/games/{shared}"), true);
        }
        check_import("games/dice-duel/a.ts", "@/games/dice", false);
    }

    #[test]
    fn game_must_not_import_registry_or_features() {
        for from in [
            "games/crash/a.ts",
            "games/timed/a.ts",
            "games/definition.ts",
        ] {
            check_import(from, "@/games/registry", false);
            check_import(from, "@/games/verify-round", false);
            check_import(from, "@/features/history", false);
            check_import(from, "@/app/navigation", false);
        }
    }

    #[test]
    fn code_shared_by_games_must_not_import_a_game() {
        check_import("games/timed/a.ts", "@/games/crash/api", false);
        check_import("games/timed/a.test.ts", "@/games/crash/api", false);
        check_import("games/rounds/a.ts", "@/games/timed/api", false);
        check_import("games/timed/a.ts", "@/games/rounds/api", true);
        check_import("games/definition.ts", "./dice", false);
    }

    #[test]
    fn registry_may_import_games() {
        check_import("games/registry.ts", "./dice", true);
        check_import("games/registry.ts", "./definition", true);
        check_import("games/registry.test.ts", "./registry", true);
        check_import("games/verify-round.ts", "./registry", true);
        check_import("games/registry.ts", "@/features/history", false);
    }

    #[test]
    fn feature_may_import_games_only_through_the_registry() {
        let feature = "features/history/view.tsx";
        for allowed in ["registry", "verify-round", "definition", "rounds/api"] {
            check_import(feature, &format!("@/games/{allowed}"), true);
        }
        for forbidden in ["dice", "dice/rules", "timed", "cards/trainer"] {
            check_import(feature, &format!("@/games/{forbidden}"), false);
        }
    }

    #[test]
    fn shared_code_must_not_import_games_or_features() {
        for from in ["components/a.tsx", "lib/a.ts", "api/a.ts"] {
            check_import(from, "@/features/history/a", false);
            check_import(from, "@/games/dice", false);
            check_import(from, "@/games/registry", false);
            check_import(from, "@/games/rounds/api", false);
            check_import(from, "@/app/navigation", false);
        }
        check_import("features/history/view.tsx", "@/components/a", true);
        check_import("features/history/view.tsx", "@/app/router", false);
        check_import("components/a.tsx", "../lib/a", true);
        check_import("components/a.tsx", "@/api/client", false);
        check_import("api/a.ts", "@/lib/a", true);
        check_import("lib/a.ts", "@/api/client", false);
        check_import("lib/a.ts", "../components/a", false);
        check_import("lib/a.ts", "./b", true);
    }

    #[test]
    fn app_may_import_everything() {
        for to in [
            "features/history",
            "games/dice/page",
            "games/registry",
            "styles/main.css",
        ] {
            check_import("app/routes/history.tsx", &format!("@/{to}"), true);
        }
        check_import("main.tsx", "./features/history/a", true);
    }

    #[test]
    fn only_tests_may_import_test_support() {
        let shared = "@/test-support/rounds";
        check_import("games/crash/rules.test.ts", shared, true);
        check_import("games/crash/rules.ts", shared, false);
        check_import("test-support/rounds.ts", "@/games/crash/api", true);
    }

    #[test]
    fn unknown_folder_is_rejected() {
        check_import("pages/a.tsx", "@/lib/a", false);
    }
}
