//! The file that the store is kept in: it outlives a kill, a full disk and a second process.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::SandboxError;
use crate::store::Store;

/// The right to a file, until this is dropped or the process ends, however it ends.
pub(crate) struct Claim {
    _lock: File,
}

/// Makes the folder, and keeps other processes from the file: of two that write it, each would take
/// back what the other has written.
pub(crate) fn claim(path: &Path) -> Result<Claim, SandboxError> {
    let failed = |error| about(path, "cannot be used", error);
    if let Some(folder) = folder_of(path) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    // A file beside, because the file itself is replaced at each write.
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    let lock = options.open(beside(path, "lock")).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(Claim { _lock: lock }),
        Err(TryLockError::WouldBlock) => {
            Err(about(path, "cannot be used", "another process uses it"))
        }
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// What is kept; nothing, if there is no file yet.
pub(crate) fn read(path: &Path) -> Result<Store, SandboxError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Store::default()),
        Err(error) => return Err(about(path, "cannot be read", error)),
    };
    serde_json::from_slice(&text).map_err(|error| {
        let advice = "Move it away to begin with an empty sandbox";
        about(path, "is damaged", format!("{error}. {advice}"))
    })
}

/// Written beside and renamed, so that a crash leaves the old one or the new one; and on the disk
/// before that, or a loss of power could leave a new one that is empty.
pub(crate) fn write(store: &Store, path: &Path) -> Result<(), SandboxError> {
    let failed = |error| about(path, "cannot be written", error);
    let text = serde_json::to_vec(store).map_err(|error| failed(error.into()))?;
    let new = beside(path, "new");
    let mut file = File::create(&new).map_err(failed)?;
    file.write_all(&text).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    fs::rename(&new, path).map_err(failed)
}

fn folder_of(path: &Path) -> Option<&Path> {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    path.with_added_extension(ending)
}

fn about(path: &Path, what: &str, error: impl std::fmt::Display) -> SandboxError {
    let data = format!("The sandbox's data {} {what}", path.display());
    SandboxError::machine(&data, error)
}
