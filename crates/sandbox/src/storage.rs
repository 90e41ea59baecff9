//! The file that the store is persisted in. It survives a killed process, a full disk and a second
//! process.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::SandboxError;
use crate::store::Store;

/// The exclusive right to a file, until this is dropped or the process ends for any reason.
pub(crate) struct Claim {
    _lock: File,
}

/// Creates the folder and locks the file against other processes: two processes writing it would
/// overwrite each other's changes.
pub(crate) fn claim(path: &Path) -> Result<Claim, SandboxError> {
    let unusable = |error| data_error(path, "cannot be used", error);
    if let Some(folder) = folder_of(path) {
        fs::create_dir_all(folder).map_err(unusable)?;
    }
    // The lock is a separate file, because the data file is replaced at each write.
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    let lock = options.open(adjacent(path, "lock")).map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => Ok(Claim { _lock: lock }),
        Err(TryLockError::WouldBlock) => Err(data_error(
            path,
            "cannot be used",
            "another process uses it",
        )),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Reads the store; empty if the file does not exist yet.
pub(crate) fn read(path: &Path) -> Result<Store, SandboxError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Store::default()),
        Err(error) => return Err(data_error(path, "cannot be read", error)),
    };
    serde_json::from_slice(&text).map_err(|error| {
        let advice = "Move it away to start with an empty sandbox";
        data_error(path, "is damaged", format!("{error}. {advice}"))
    })
}

/// Writes to a new file and renames it, so that a crash leaves either the old or the new version.
/// The new file is synced first, because it could be empty after a power failure otherwise.
pub(crate) fn write(store: &Store, path: &Path) -> Result<(), SandboxError> {
    let unusable = |error| data_error(path, "cannot be written", error);
    let text = serde_json::to_vec(store).map_err(|error| unusable(error.into()))?;
    let new_path = adjacent(path, "new");
    let mut file = File::create(&new_path).map_err(unusable)?;
    file.write_all(&text).map_err(unusable)?;
    file.sync_all().map_err(unusable)?;
    fs::rename(&new_path, path).map_err(unusable)
}

fn folder_of(path: &Path) -> Option<&Path> {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
}

fn adjacent(path: &Path, extension: &str) -> PathBuf {
    path.with_added_extension(extension)
}

fn data_error(path: &Path, problem: &str, error: impl std::fmt::Display) -> SandboxError {
    let data = format!("The sandbox's data {} {problem}", path.display());
    SandboxError::machine(&data, error)
}
