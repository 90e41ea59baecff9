//! Both databases have the same migrations, each with an `up.sql` and a `down.sql`.

use std::collections::BTreeSet;

use super::Finding;

const FOLDERS: [&str; 2] = ["migrations/sqlite/", "migrations/postgres/"];
const FILES: [&str; 2] = ["up.sql", "down.sql"];

/// Finds migration files that one of the databases lacks.
pub(super) fn check<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<Finding> {
    let paths: BTreeSet<&str> = paths.collect();
    let names: BTreeSet<&str> = paths
        .iter()
        .filter_map(|path| FOLDERS.iter().find_map(|folder| path.strip_prefix(folder)))
        .filter_map(|rest| rest.split_once('/'))
        .map(|(name, _)| name)
        .collect();
    let mut findings = Vec::new();
    for name in names {
        for folder in FOLDERS {
            for file in FILES {
                let path = format!("{folder}{name}/{file}");
                if !paths.contains(&*path) {
                    findings.push(Finding::new(
                        path,
                        "is missing: both databases need the same migrations",
                    ));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    fn check(paths: &[&str], expected: &[&str]) {
        let locations: Vec<String> = super::check(paths.iter().copied())
            .into_iter()
            .map(|finding| finding.location)
            .collect();
        assert_eq!(locations, expected, "{paths:?}");
    }

    #[test]
    fn missing_files_are_found() {
        let complete = [
            "migrations/postgres/0001_a/down.sql",
            "migrations/postgres/0001_a/up.sql",
            "migrations/sqlite/0001_a/down.sql",
            "migrations/sqlite/0001_a/up.sql",
        ];
        check(&[], &[]);
        check(&complete, &[]);
        for (index, missing) in complete.iter().enumerate() {
            let mut paths = complete.to_vec();
            paths.remove(index);
            check(&paths, &[missing]);
        }
        check(
            &complete[2..],
            &[
                "migrations/postgres/0001_a/up.sql",
                "migrations/postgres/0001_a/down.sql",
            ],
        );
    }
}
