//! A directory that appears under its name when it is complete, readable by its owner only.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use tempfile::TempDir;

use crate::Failure;

/// The mode of a directory that only its owner can use.
const OWNER_ONLY: u32 = 0o700;
/// The mode of a file that only its owner can use.
const OWNER_ONLY_FILE: u32 = 0o600;

/// A directory under a temporary name, next to its target. Removed if it is dropped unfinished.
pub(crate) struct PrivateFolder {
    folder: TempDir,
    parent: PathBuf,
    target: PathBuf,
}

impl PrivateFolder {
    /// Begins a directory. The target must not exist.
    pub(crate) fn begin(target: &Path) -> Result<Self, Failure> {
        refuse_existing(target)?;
        let name = target.file_name().ok_or_else(|| {
            Failure::Configuration(format!("{} names no new directory", target.display()))
        })?;
        let parent = parent_of(target);
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(".incomplete-");
        let folder = tempfile::Builder::new()
            .prefix(&prefix)
            .permissions(fs::Permissions::from_mode(OWNER_ONLY))
            .tempdir_in(&parent)
            .map_err(|error| unwritable(target, &error))?;
        Ok(Self {
            folder,
            parent,
            target: target.to_owned(),
        })
    }

    /// Where a file of this name is until the directory is finished.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Creates a file.
    pub(crate) fn create(&self, name: &str) -> Result<File, Failure> {
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(OWNER_ONLY_FILE)
            .open(self.path(name))
            .map_err(|error| unwritable(&self.target, &error))
    }

    /// Writes a file, durably.
    pub(crate) fn write(&self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let mut file = self.create(name)?;
        file.write_all(content)
            .and_then(|()| file.sync_all())
            .map_err(|error| unwritable(&self.target, &error))
    }

    /// Gives the directory its name, once everything in it is on the disk.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let finished = sync(self.folder.path())
            .and_then(|()| rename_new(self.folder.path(), &self.target))
            .and_then(|()| sync(&self.parent));
        finished.map_err(|error| unwritable(&self.target, &error))?;
        // Under its old name there is nothing left to remove.
        drop(self.folder.keep());
        Ok(())
    }
}

/// Fails if there is something of this name, even a dangling link.
pub(crate) fn refuse_existing(target: &Path) -> Result<(), Failure> {
    match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unwritable(target, &error)),
        Ok(_) => Err(Failure::Configuration(format!(
            "{} already exists: nothing is overwritten",
            target.display()
        ))),
    }
}

/// The directory that contains a path.
pub(crate) fn parent_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Waits until the names in a directory are on the disk.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Renames a file or a directory, unless the new name is taken.
pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some file systems cannot do it in one step.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)
            if fs::symlink_metadata(to).is_err() =>
        {
            fs::rename(from, to)
        }
        renamed => Ok(renamed?),
    }
}

fn unwritable(target: &Path, error: &io::Error) -> Failure {
    Failure::Running(format!("{} cannot be written: {error}", target.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_appears_when_it_is_finished_and_replaces_nothing() {
        let parent = tempfile::tempdir().unwrap();
        let names = || -> Vec<OsString> {
            let entries = fs::read_dir(parent.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name()).collect()
        };
        let target = parent.path().join("backup");
        let begin = || PrivateFolder::begin(&target).unwrap();
        let folder = begin();
        assert!(folder.write("file", b"text").is_ok());
        assert!(!target.exists());
        drop(folder);
        assert!(names().is_empty(), "nothing is left of an interrupted one");
        let (first, second) = (begin(), begin());
        assert!(first.write("file", b"text").is_ok());
        assert!(first.finish().is_ok());
        assert!(second.finish().is_err());
        assert_eq!(names(), ["backup"]);
        assert_eq!(fs::read(target.join("file")).unwrap(), b"text");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&target), OWNER_ONLY);
        assert_eq!(mode(&target.join("file")), OWNER_ONLY_FILE);
        assert!(PrivateFolder::begin(&target).is_err());
    }
}
