//! Every Markdown file and anchor that a comment or a document references exists.
//!
//! A reference is a path that ends in `.md`, with or without `#anchor`, relative to the
//! repository's root or to the referencing file. In Markdown files the whole text is searched, in
//! sources only the comments, and in alert rules what they name as the runbook. Not checked are:
//!
//! - web addresses, and paths with characters other than letters, digits and `._/-`;
//! - string literals, comments in languages that are not in [`comment_of`], and lines within a
//!   block comment that do not begin with `*` (a string that contains ` // ` is mistaken for a
//!   comment);
//! - a rule or section without its file ("rule 9"), and a path that is broken over two lines;
//! - headings underlined with `===` or `---`, and links to files other than Markdown;
//! - whether the referenced text says what the reference claims.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, SourceFile};

const MARKDOWN: [&str; 1] = ["md"];
const EXTENSION: &str = ".md";
/// Opens and closes a code block.
const FENCE: &str = "```";
/// Delimiters of a path. The colon is not one of them, so that `https://…` remains one word.
const DELIMITERS: [char; 14] = [
    '(', ')', '[', ']', '<', '>', '{', '}', '`', '"', '\'', ',', ';', '|',
];

/// Finds references to files or anchors that do not exist.
pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    let anchors: BTreeMap<&str, BTreeSet<String>> = files
        .iter()
        .filter(|file| file.has_extension(&MARKDOWN))
        .map(|file| (&*file.path, anchors_of(&file.text)))
        .collect();
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is_handwritten()) {
        let is_markdown = file.has_extension(&MARKDOWN);
        for (number, line) in (1..).zip(file.text.lines()) {
            let text = if is_markdown || is_runbook(file, line) {
                Some(line)
            } else {
                comment_of(file, line)
            };
            let references = text.into_iter().flat_map(references_in);
            let problems =
                references.filter_map(|(path, anchor)| problem(&anchors, &file.path, path, anchor));
            findings.extend(
                problems.map(|message| Finding::new(format!("{}:{number}", file.path), message)),
            );
        }
    }
    findings
}

/// The problem with a reference, if any. An empty path is the referencing file itself.
fn problem(
    anchors: &BTreeMap<&str, BTreeSet<String>>,
    from: &str,
    path: &str,
    anchor: Option<&str>,
) -> Option<String> {
    let relative = if path.is_empty() {
        Some(from.to_owned())
    } else {
        resolve(from, path)
    };
    let target = [relative.as_deref(), Some(path)]
        .into_iter()
        .flatten()
        .find_map(|candidate| anchors.get(candidate));
    match (target, anchor) {
        (None, _) if path.is_empty() => None,
        (None, _) => Some(format!("references {path}, which does not exist")),
        (Some(existing), Some(anchor)) if !existing.contains(anchor) => Some(format!(
            "references {path}#{anchor}, an anchor that does not exist"
        )),
        (Some(_), _) => None,
    }
}

/// Converts a path relative to the file `from` into one relative to the repository's root.
fn resolve(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether the line says where an alert is explained.
fn is_runbook(file: &SourceFile, line: &str) -> bool {
    file.has_extension(&["yml"]) && line.trim_start().starts_with("runbook:")
}

/// The comment in a line of a source file, if any. A line that begins with `* ` continues one.
fn comment_of<'l>(file: &SourceFile, line: &'l str) -> Option<&'l str> {
    let is_script = file.has_extension(&["toml", "yml", "yaml", "sh"])
        || ["justfile", ".githooks/pre-commit", ".ci/run"].contains(&&*file.path);
    let markers: &[&str] = if file.has_extension(&["rs", "ts", "tsx", "js", "mjs", "css"]) {
        &["//", "/*"]
    } else if file.has_extension(&["sql"]) {
        &["--"]
    } else if file.has_extension(&["html"]) {
        &["<!--"]
    } else if is_script {
        &["#"]
    } else {
        return None;
    };
    if markers.contains(&"/*") && line.trim_start().starts_with("* ") {
        return Some(line);
    }
    // A marker begins a word, so neither `https://` nor a string that begins with it is a comment.
    let begins_word = |start: usize| {
        let before = line.get(..start).unwrap_or_default();
        before.chars().next_back().is_none_or(char::is_whitespace)
    };
    markers
        .iter()
        .flat_map(|marker| line.match_indices(marker))
        .map(|(start, _)| start)
        .filter(|start| begins_word(*start))
        .min()
        .and_then(|start| line.get(start..))
}

/// The paths of Markdown files in a text, each with its anchor if it has one. A link to an anchor
/// in the same file has an empty path.
fn references_in(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let words = text.split(|letter: char| letter.is_whitespace() || DELIMITERS.contains(&letter));
    let named = words.filter_map(|word| {
        let word = word.trim_end_matches(['.', ':', '!', '?', '*', '…']);
        let (path, anchor) = match word.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor)),
            None => (word, None),
        };
        let is_path = |letter: char| letter.is_ascii_alphanumeric() || "._/-".contains(letter);
        let has_name = path.len() > EXTENSION.len() && path.ends_with(EXTENSION);
        (has_name && !path.ends_with("/.md") && path.chars().all(is_path)).then_some((path, anchor))
    });
    let own = text.match_indices("](#").filter_map(|(start, opening)| {
        let (anchor, _) = text.get(start + opening.len()..)?.split_once(')')?;
        Some(("", Some(anchor)))
    });
    named.chain(own)
}

/// The anchors of a Markdown file: the IDs in its HTML and the slugs of its headings.
fn anchors_of(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut slugs: BTreeMap<String, u32> = BTreeMap::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with(FENCE) {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        for attribute in [" id=\"", " name=\""] {
            let ids = line.split(attribute).skip(1);
            anchors.extend(ids.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
        let Some(heading) = heading(line) else {
            continue;
        };
        let slug = slug(heading);
        let count = slugs.entry(slug.clone()).or_default();
        anchors.insert(match *count {
            0 => slug,
            count => format!("{slug}-{count}"),
        });
        *count += 1;
    }
    anchors
}

/// The text of a heading line such as `## Dice`, if the line is one.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim())
}

/// GitHub's anchor for a heading: in lower case, with hyphens for spaces and without punctuation. A
/// link is replaced by its text.
fn slug(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading;
    while let Some((before, address)) = rest.split_once("](") {
        text.push_str(before);
        rest = address.split_once(')').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    text.to_lowercase()
        .chars()
        .filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter))
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::source_file;
    use super::*;

    const RULES: &str = "# Rules\n\n<a id=\"rule-9\"></a>\n**Rule 9.** Text.\n\n## Cash out\n";

    fn check(path: &str, text: &str, expected: &[&str]) {
        let files = [
            source_file("README.md", "# Read me\n"),
            source_file("docs/rules.md", RULES),
            source_file(path, text),
        ];
        let messages: Vec<String> = super::check(&files)
            .iter()
            .map(|finding| finding.to_string().replace(path, "it"))
            .collect();
        let found: Vec<&str> = messages
            .iter()
            .map(|message| message.split([',', ' ']).nth(2).unwrap())
            .collect();
        assert_eq!(found, expected, "{path}: {text:?}: {messages:?}");
    }

    #[test]
    fn files_referenced_in_comments_must_exist() {
        let path = "crates/a/src/b.rs";
        check(path, "//! As in `docs/rules.md`.\n", &[]);
        check(path, "    let a = 1; // (README.md)\n", &[]);
        check(path, "/// [Rules](../../../docs/rules.md).\n", &[]);
        check(path, "//! As in `rules.md`, section 3.\n", &["rules.md"]);
        check(path, "// See ../docs/rules.md.\n", &["../docs/rules.md"]);
        check(
            path,
            "/* docs/no.md */\n * no.md\n",
            &["docs/no.md", "no.md"],
        );
        check("a.sql", "-- docs/no.md\n", &["docs/no.md"]);
        check("a.css", "/* docs/no.md */\n", &["docs/no.md"]);
        check("a.toml", "# docs/no.md\n", &["docs/no.md"]);
        check("justfile", "# docs/no.md\n", &["docs/no.md"]);
        check("a.html", "<!-- docs/no.md -->\n", &["docs/no.md"]);
    }

    #[test]
    fn files_referenced_in_documents_must_exist() {
        check(
            "docs/a.md",
            "See [the rules](rules.md) and README.md.\n",
            &[],
        );
        check(
            "docs/a.md",
            "[here](../docs/rules.md), `docs/rules.md`\n",
            &[],
        );
        check("docs/a.md", "See [there](no.md): *no.md*\n", &["no.md"]);
        check("docs/a.md", "| `docs/no.md` |\n", &["docs/no.md"]);
        check("docs/a.md", "```\nedit docs/no.md\n```\n", &["docs/no.md"]);
    }

    #[test]
    fn referenced_anchors_must_exist() {
        let path = "crates/a/src/b.rs";
        check(path, "// (`docs/rules.md#rule-9`)\n", &[]);
        check(path, "// docs/rules.md#cash-out.\n", &[]);
        check(
            path,
            "// docs/rules.md#rule-10, README.md#rule-9\n",
            &["docs/rules.md#rule-10", "README.md#rule-9"],
        );
        check("docs/a.md", "[nine](rules.md#rule-9)\n", &[]);
        check(
            "docs/a.md",
            "[ten](rules.md#rule-10)\n",
            &["rules.md#rule-10"],
        );
        check("docs/a.md", "# One\n[one](#one), [two](#two)\n", &["#two"]);
    }

    #[test]
    fn runbooks_of_alerts_must_exist() {
        let path = "ops/prometheus/a.yml";
        check(path, "  runbook: docs/rules.md#rule-9\n", &[]);
        check(
            path,
            "  runbook: docs/rules.md#rule-8\n",
            &["docs/rules.md#rule-8"],
        );
        check(path, "  summary: docs/no.md\n", &[]);
    }

    #[test]
    fn other_text_is_not_a_reference() {
        check("a.rs", "const A: &str = \"docs/no.md\";\n", &[]);
        check("a.rs", "const A: &str = \"// docs/no.md\";\n", &[]);
        check("a.rs", "let a = 2 * length(\"no.md\");\n", &[]);
        check("a.rs", "// https://example.org/no.md#no\n", &[]);
        check(
            "a.rs",
            "// every `*.md` file, `.md` itself, NO.MD, a.mdx\n",
            &[],
        );
        check(
            "a.md",
            "<https://example.org/no.md> [x](https://example.org/no.md)\n",
            &[],
        );
        check("a.json", "{\"a\": \"// docs/no.md\"}\n", &[]);
        check("LICENSE", "docs/no.md\n", &[]);
    }

    #[test]
    fn heading_slugs_match_github() {
        let check = |text: &str, expected: &[&str]| {
            let expected: BTreeSet<String> = expected.iter().map(ToString::to_string).collect();
            assert_eq!(anchors_of(text), expected, "{text}");
        };
        check("## What is always true\n", &["what-is-always-true"]);
        check(
            "# `glasshouse check`: the books\n",
            &["glasshouse-check-the-books"],
        );
        check("### 1. Jacks or Better, 8/5\n", &["1-jacks-or-better-85"]);
        check("## [A link](b.md#c) to heads-up\n", &["a-link-to-heads-up"]);
        check("# One\n# One\n# One\n", &["one", "one-1", "one-2"]);
        check("#one\n####### one\ntext # one\n", &[]);
        check("```sh\n# one <a id=\"two\">\n```\n# Three\n", &["three"]);
        check("<a id=\"one\"></a> <a name=\"Two\"></a>\n", &["one", "Two"]);
    }
}
