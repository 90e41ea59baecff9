//! Checks the rules that no compiler knows: the architecture's arrows and the source's habits.
//!
//! Every rule is a pure function from what it looks at to what it found, so that each has a test
//! showing that a violation is caught.

mod imports;
mod layers;
mod licences;
mod migrations;
mod modules;
mod references;
mod size;
mod source;

use std::{fmt, fs};

use anyhow::{Context as _, Result, bail};

use crate::{process, report, workspace::Workspace};

/// A rule that is broken somewhere.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Finding {
    /// A file, with its line where that says more, or a package.
    place: String,
    /// Which rule, and what to do about it.
    message: String,
}

impl Finding {
    fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.message)
    }
}

/// A text file of the project.
#[derive(Debug)]
struct SourceFile {
    /// From the workspace's root, with `/` between folders.
    path: String,
    text: String,
}

impl SourceFile {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        self.path
            .rsplit_once('.')
            .is_some_and(|(_, extension)| extensions.contains(&extension))
    }

    /// Whether people wrote it here: no lock file, no licence text, nothing generated, no dump of a
    /// database for a test, and no test vectors, which are kept byte for byte.
    fn is_our_own(&self) -> bool {
        let elsewhere = [
            "LICENSE",
            "Cargo.lock",
            "frontend/package-lock.json",
            "frontend/openapi.json",
        ];
        let is_dump = self.path.contains("/tests/fixtures/") && self.has_extension(&["sql"]);
        !elsewhere.contains(&self.path.as_str())
            && !self.path.ends_with("/schema.d.ts")
            && !self.path.contains("/vectors/")
            && !is_dump
    }
}

/// Checks every rule; prints what breaks one and fails.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let files = source_files(workspace)?;
    let text_of = |path: &str| {
        files
            .iter()
            .find(|file| file.path == path)
            .map(|file| &*file.text)
    };
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is_our_own()) {
        findings.extend(source::check(file));
    }
    findings.extend(size::check(&files));
    findings.extend(imports::check(&files));
    findings.extend(modules::check(&files));
    findings.extend(references::check(&files));
    findings.extend(migrations::check(files.iter().map(|file| &*file.path)));
    findings.extend(layers::check(&workspace.metadata()?));
    let rules = text_of("deny.toml").context("deny.toml is missing")?;
    let rules = licences::Rules::parse(rules)?;
    findings.extend(licences::check_crates(
        &workspace.metadata_with_dependencies()?,
        &rules,
    ));
    if let Some(lock) = text_of("frontend/package-lock.json") {
        let lock = serde_json::from_str(lock).context("frontend/package-lock.json is no JSON")?;
        findings.extend(licences::check_npm_packages(&lock, &rules));
    }
    findings.sort();
    for finding in &findings {
        report::problem(&finding.to_string());
    }
    match findings.len() {
        0 => {
            report::line(&format!("Tidy: {} files keep every rule.", files.len()));
            Ok(())
        }
        count => bail!("{count} rule(s) broken"),
    }
}

/// The text files that git tracks or would track.
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
        // Listed, yet removed from the work tree; or a link to a folder.
        if !full_path.is_file() {
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
