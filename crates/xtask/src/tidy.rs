//! Checks the rules that the compiler does not: the architecture's dependencies and source
//! conventions.
//!
//! Every rule is a pure function from its input to findings, and has a test that a violation is
//! found.

mod imports;
mod layers;
mod licences;
mod migrations;
mod modules;
mod monitoring;
mod references;
mod size;
mod source;
pub(crate) mod third_party;

use std::{fmt, fs};

use anyhow::{Context as _, Result, bail};

use crate::{process, report, workspace::Workspace};

/// A violation of a rule.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Finding {
    /// A file, with the line where that helps, or a package.
    location: String,
    /// Which rule is violated, and what to do about it.
    message: String,
}

impl Finding {
    fn new(location: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            location: location.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.location, self.message)
    }
}

/// A text file of the repository.
#[derive(Debug)]
struct SourceFile {
    /// Relative to the workspace's root, with `/` as the separator.
    path: String,
    text: String,
}

impl SourceFile {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        self.path
            .rsplit_once('.')
            .is_some_and(|(_, extension)| extensions.contains(&extension))
    }

    /// Whether the file was written by hand for this project: no lock file, licence text, generated
    /// file, database dump of a test, or test vectors, which must not be changed.
    fn is_handwritten(&self) -> bool {
        let excluded = [
            "LICENSE",
            "Cargo.lock",
            "frontend/package-lock.json",
            "frontend/openapi.json",
        ];
        let is_dump = self.path.contains("/tests/fixtures/") && self.has_extension(&["sql"]);
        !excluded.contains(&self.path.as_str())
            && !self.path.ends_with("/schema.d.ts")
            && !self.path.contains("/vectors/")
            && !is_dump
    }
}

/// Checks all rules, prints every violation and fails if there is one.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let files = source_files(workspace)?;
    let text_of = |path: &str| {
        files
            .iter()
            .find(|file| file.path == path)
            .map(|file| &*file.text)
    };
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is_handwritten()) {
        findings.extend(source::check(file));
    }
    findings.extend(size::check(&files));
    findings.extend(imports::check(&files));
    findings.extend(modules::check(&files));
    findings.extend(monitoring::check(&files));
    findings.extend(references::check(&files));
    findings.extend(migrations::check(files.iter().map(|file| &*file.path)));
    findings.extend(layers::check(&workspace.metadata()?));
    let metadata = workspace.metadata_with_dependencies()?;
    let published = workspace.metadata_of(third_party::PUBLISHED)?;
    findings.extend(third_party::check(workspace, &metadata, &published)?);
    let rules = text_of("deny.toml").context("deny.toml is missing")?;
    let rules = licences::Rules::parse(rules)?;
    // A copy has no source, like the workspace's own crates; what it was copied from has one.
    for packages in [&metadata, &published] {
        findings.extend(licences::check_crates(packages, &rules));
    }
    if let Some(lock) = text_of("frontend/package-lock.json") {
        let lock =
            serde_json::from_str(lock).context("frontend/package-lock.json is not valid JSON")?;
        findings.extend(licences::check_npm_packages(&lock, &rules));
    }
    findings.sort();
    for finding in &findings {
        report::problem(&finding.to_string());
    }
    match findings.len() {
        0 => {
            report::line(&format!(
                "Tidy: checked {} files, no violations.",
                files.len()
            ));
            Ok(())
        }
        count => bail!("{count} violation(s)"),
    }
}

/// The text files that git tracks, or would track after `git add`, without the copies of other projects' crates.
fn source_files(workspace: &Workspace) -> Result<Vec<SourceFile>> {
    let mut command = workspace.command("git");
    command.args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]);
    let listing = process::capture(&mut command)?;
    let mut files = Vec::new();
    for path in listing.split_terminator('\0') {
        let full_path = workspace.root().join(path);
        let is_copy = path.starts_with(third_party::FOLDER) && path != third_party::README;
        // Deleted from the work tree, or a symbolic link to a folder.
        if is_copy || !full_path.is_file() {
            continue;
        }
        let bytes = fs::read(&full_path).with_context(|| format!("cannot read {path}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(SourceFile {
                path: path.to_owned(),
                text,
            });
        }
    }
    Ok(files)
}

#[cfg(test)]
fn source_file(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}
