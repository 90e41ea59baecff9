//! Source files stay short enough to be read in one sitting.

use super::{Finding, SourceFile};

/// A longer file usually has more than one concern.
const MAXIMUM_LINES: usize = 400;

/// Files that may be longer, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// Finds files that are too long, and exceptions that are no longer needed.
pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    check_with(files, EXCEPTIONS)
}

fn check_with(files: &[SourceFile], exceptions: &[(&str, &str)]) -> Vec<Finding> {
    let too_long: Vec<(&SourceFile, usize)> = files
        .iter()
        .filter(|file| file.is_handwritten())
        .filter(|file| file.has_extension(&["rs", "ts", "tsx", "js", "mjs", "css", "sql"]))
        .map(|file| (file, file.text.lines().count()))
        .filter(|(_, lines)| *lines > MAXIMUM_LINES)
        .collect();
    let mut findings: Vec<Finding> = too_long
        .iter()
        .filter(|(file, _)| !exceptions.iter().any(|(path, _)| *path == file.path))
        .map(|(file, lines)| {
            Finding::new(
                &*file.path,
                format!("has {lines} lines, more than {MAXIMUM_LINES}: split it by concern"),
            )
        })
        .collect();
    for (path, reason) in exceptions {
        if !too_long.iter().any(|(file, _)| file.path == *path) {
            findings.push(Finding::new(
                *path,
                format!("no longer needs its exception in tidy/size.rs ({reason})"),
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::source_file;
    use super::*;

    fn check(path: &str, lines: usize, exceptions: &[(&str, &str)], expected: &[&str]) {
        let files = [source_file(path, &"x\n".repeat(lines))];
        let locations: Vec<String> = check_with(&files, exceptions)
            .into_iter()
            .map(|finding| finding.location)
            .collect();
        assert_eq!(locations, expected, "{path} of {lines} lines");
    }

    #[test]
    fn long_files_and_needless_exceptions_are_found() {
        check("a.rs", 400, &[], &[]);
        check("a.rs", 401, &[], &["a.rs"]);
        check("a.tsx", 401, &[], &["a.tsx"]);
        check("a.json", 401, &[], &[]);
        check("frontend/src/api/schema.d.ts", 401, &[], &[]);
        check("crates/a/tests/fixtures/b/postgres.sql", 401, &[], &[]);
        check(
            "migrations/sqlite/a/up.sql",
            401,
            &[],
            &["migrations/sqlite/a/up.sql"],
        );
        check("a.rs", 401, &[("a.rs", "a table")], &[]);
        check("a.rs", 400, &[("a.rs", "a table")], &["a.rs"]);
    }
}
