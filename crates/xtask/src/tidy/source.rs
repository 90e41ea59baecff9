//! Conventions for every text file, checked line by line.

use super::{Finding, SourceFile};

/// Words that mark unfinished work. They are concatenated so that this file does not violate its
/// own rule.
const UNFINISHED: [&str; 3] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("todo", "!("),
];
const ALLOW_ATTRIBUTES: [&str; 2] = [concat!("#[", "allow("), concat!("#![", "allow(")];

/// Finds violations in one file.
pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(file.text.split('\n')) {
        let found = check_line(file, line);
        findings
            .extend(found.map(|message| Finding::new(format!("{}:{number}", file.path), message)));
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        findings.push(Finding::new(
            &*file.path,
            "the last line does not end with a newline",
        ));
    }
    if file.has_extension(&["rs"]) {
        findings.extend(check_rust_file(file));
    }
    findings
}

fn check_line(file: &SourceFile, line: &str) -> impl Iterator<Item = String> {
    let text = line.strip_suffix('\r').unwrap_or(line);
    let carriage_return = (text.len() < line.len()).then(|| "ends with a carriage return".into());
    let trailing = (text.trim_end().len() < text.len()).then(|| "ends with white space".into());
    let unfinished = UNFINISHED
        .iter()
        .find(|word| contains_word(text, word))
        .map(|word| format!("`{word}`: finish the work, or file an issue"));
    let allow = ALLOW_ATTRIBUTES
        .iter()
        .find(|attribute| file.has_extension(&["rs"]) && text.contains(**attribute))
        .map(|_| {
            "use `expect` with a reason, which is reported when it is no longer needed".into()
        });
    [carriage_return, trailing, unfinished, allow]
        .into_iter()
        .flatten()
}

/// Whether the text contains the word, and not only as part of a longer one.
fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        let before = text.get(..start).and_then(|rest| rest.chars().next_back());
        let after = text
            .get(start + word.len()..)
            .and_then(|rest| rest.chars().next());
        let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        !is_letter(before) && (word.ends_with('(') || !is_letter(after))
    })
}

fn check_rust_file(file: &SourceFile) -> Option<Finding> {
    if file.path.ends_with("/mod.rs") {
        return Some(Finding::new(
            &*file.path,
            "a module `foo` must be `foo.rs` next to `foo/`",
        ));
    }
    let opening = file
        .text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("//! "));
    let has_description = opening.is_some_and(|text| text.split_whitespace().count() >= 3);
    (!has_description).then(|| {
        Finding::new(
            &*file.path,
            "the file must begin with a `//!` sentence on its purpose",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::source_file;
    use super::*;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let locations: Vec<String> = super::check(&source_file(path, text))
            .into_iter()
            .map(|finding| finding.location)
            .collect();
        assert_eq!(locations, expected, "{path}: {text:?}");
    }

    #[test]
    fn white_space_errors_are_found() {
        check("a.md", "", &[]);
        check("a.md", "one\ntwo\n", &[]);
        check("a.md", "one \ntwo\t\n", &["a.md:1", "a.md:2"]);
        check("a.md", "one\r\ntwo\n", &["a.md:1"]);
        check("a.md", "one\ntwo", &["a.md"]);
    }

    #[test]
    fn unfinished_work_is_found() {
        let word = UNFINISHED[0];
        check("a.ts", &format!("// {word}: later\n"), &["a.ts:1"]);
        check("a.ts", &format!("const {word}S = 1;\n"), &[]);
        check("a.md", &format!("{}\n", UNFINISHED[1]), &["a.md:1"]);
        check(
            "a.rs",
            &format!("//! The purpose of this file.\n{})\n", UNFINISHED[2]),
            &["a.rs:2"],
        );
    }

    #[test]
    fn allow_attributes_are_rejected() {
        for attribute in ALLOW_ATTRIBUTES {
            let text = format!("//! The purpose of this file.\n{attribute}dead_code)]\n");
            check("a.rs", &text, &["a.rs:2"]);
            check("a.md", &text, &[]);
        }
        check(
            "a.rs",
            "//! The purpose of this file.\n#[expect(dead_code, reason = \"x\")]\n",
            &[],
        );
    }

    #[test]
    fn rust_files_need_a_description() {
        let path = "crates/a/src/b.rs";
        check(path, "//! The purpose of this file.\n", &[]);
        for text in [
            "use std::fs;\n",
            "// The purpose of this file.\n",
            "//!\n",
            "//! Helpers.\n",
            "\n",
        ] {
            check(path, text, &[path]);
        }
        check(
            "crates/a/src/b/mod.rs",
            "//! The purpose of this file.\n",
            &["crates/a/src/b/mod.rs"],
        );
        check(
            "crates/a/src/mod_a.rs",
            "//! The purpose of this file.\n",
            &[],
        );
    }
}
