//! Remembers what something was made from, so that it is made again only when that has changed.

use std::{
    fs,
    hash::{DefaultHasher, Hasher as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

/// A note beside a product, holding a digest of its sources.
#[derive(Debug)]
pub(crate) struct Stamp {
    file: PathBuf,
    digest: String,
}

impl Stamp {
    /// Digests the names and contents of all files under `sources` (files or folders), leaving out
    /// paths for which `leave_out` holds. Contents rather than times: a checkout touches times.
    ///
    /// The digest only has to notice edits; a new Rust release may change it, which costs one
    /// needless run.
    pub(crate) fn new(
        file: PathBuf,
        sources: &[PathBuf],
        leave_out: impl Fn(&Path) -> bool,
    ) -> Result<Self> {
        let mut files = Vec::new();
        for source in sources {
            collect(source, &leave_out, &mut files)?;
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

    /// Whether the note says that the product was made from just these sources.
    pub(crate) fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|noted| noted.trim() == self.digest)
    }

    /// Notes that the product has been made.
    pub(crate) fn write(&self) -> Result<()> {
        fs::write(&self.file, &self.digest)
            .with_context(|| format!("cannot write {}", self.file.display()))
    }
}

fn collect(
    path: &Path,
    leave_out: &impl Fn(&Path) -> bool,
    files: &mut Vec<PathBuf>,
) -> Result<()> {
    if leave_out(path) || !path.exists() {
        return Ok(());
    }
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    for entry in entries {
        collect(&entry?.path(), leave_out, files)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_a_new_and_a_removed_file_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let sources = folder.path().join("src");
        fs::create_dir_all(sources.join("deep")).unwrap();
        fs::create_dir_all(sources.join("out")).unwrap();
        fs::write(sources.join("deep/a.ts"), "one").unwrap();
        let stamp = || {
            let leave_out = |path: &Path| path.ends_with("out");
            Stamp::new(
                folder.path().join("stamp"),
                std::slice::from_ref(&sources),
                leave_out,
            )
            .unwrap()
        };

        assert!(!stamp().is_fresh(), "nothing was made yet");
        stamp().write().unwrap();
        assert!(stamp().is_fresh());

        fs::write(sources.join("out/product.js"), "made").unwrap();
        assert!(stamp().is_fresh(), "a product is no source");

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
