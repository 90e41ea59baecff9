//! Records what a build product was made from, so that it is rebuilt only if that has changed.

use std::{
    fs,
    hash::{DefaultHasher, Hasher as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

/// A file next to a build product that contains a digest of its sources.
#[derive(Debug)]
pub(crate) struct Stamp {
    file: PathBuf,
    digest: String,
}

impl Stamp {
    /// Computes a digest of the names and contents of all files in `sources` (files or folders),
    /// except paths for which `is_ignored` holds. It uses contents rather than modification times,
    /// because a checkout changes the latter.
    ///
    /// The digest only has to detect edits; a new Rust release may change it, which costs one
    /// unnecessary build.
    pub(crate) fn new(
        file: PathBuf,
        sources: &[PathBuf],
        is_ignored: impl Fn(&Path) -> bool,
    ) -> Result<Self> {
        let mut files = Vec::new();
        for source in sources {
            collect(source, &is_ignored, &mut files)?;
        }
        files.sort();
        let mut hasher = DefaultHasher::new();
        for path in files {
            let content =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            hasher.write(path.as_os_str().as_encoded_bytes());
            hasher.write_usize(content.len());
            hasher.write(&content);
        }
        Ok(Self {
            file,
            digest: format!("{:016x}", hasher.finish()),
        })
    }

    /// Whether the product was made from exactly these sources.
    pub(crate) fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|stored| stored.trim() == self.digest)
    }

    /// Records that the product has been made.
    pub(crate) fn write(&self) -> Result<()> {
        fs::write(&self.file, &self.digest)
            .with_context(|| format!("cannot write {}", self.file.display()))
    }
}

/// Adds the files at and below a path, without those that are ignored.
pub(crate) fn collect(
    path: &Path,
    is_ignored: &impl Fn(&Path) -> bool,
    files: &mut Vec<PathBuf>,
) -> Result<()> {
    if is_ignored(path) || !path.exists() {
        return Ok(());
    }
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    for entry in entries {
        collect(&entry?.path(), is_ignored, files)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edited_new_and_removed_files_are_detected() {
        let folder = tempfile::tempdir().unwrap();
        let sources = folder.path().join("src");
        fs::create_dir_all(sources.join("deep")).unwrap();
        fs::create_dir_all(sources.join("out")).unwrap();
        fs::write(sources.join("deep/a.ts"), "one").unwrap();
        let stamp = || {
            let is_ignored = |path: &Path| path.ends_with("out");
            Stamp::new(
                folder.path().join("stamp"),
                std::slice::from_ref(&sources),
                is_ignored,
            )
            .unwrap()
        };

        assert!(!stamp().is_fresh(), "nothing has been built yet");
        stamp().write().unwrap();
        assert!(stamp().is_fresh());

        fs::write(sources.join("out/product.js"), "made").unwrap();
        assert!(stamp().is_fresh(), "an ignored file");

        fs::write(sources.join("deep/a.ts"), "two").unwrap();
        assert!(!stamp().is_fresh(), "an edit");
        stamp().write().unwrap();

        fs::write(sources.join("b.ts"), "").unwrap();
        assert!(!stamp().is_fresh(), "a new file");
        stamp().write().unwrap();

        fs::remove_file(sources.join("b.ts")).unwrap();
        assert!(!stamp().is_fresh(), "a removed file");
    }
}
