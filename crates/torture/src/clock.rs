//! A clock that can be set while programs run: libfaketime, which they load in place of the system's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// Where Debian and its derivatives keep the library.
const FOLDERS: [&str; 2] = [
    "/usr/lib/x86_64-linux-gnu/faketime",
    "/usr/lib/aarch64-linux-gnu/faketime",
];
const LIBRARY: &str = "libfaketimeMT.so.1";

/// Where the library keeps a semaphore and a file for each process, named after its ID.
const SHARED_MEMORY: &str = "/dev/shm";
const NAMES: [&str; 2] = ["sem.faketime_sem_", "faketime_shm_"];

/// The clock of the programs that run with it.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    library: PathBuf,
    file: PathBuf,
}

impl Clock {
    /// A clock that is right so far, or none without the library.
    pub(crate) fn new(folder: &Path) -> Result<Option<Self>> {
        let mut libraries = FOLDERS.iter().map(|folder| Path::new(folder).join(LIBRARY));
        let Some(library) = libraries.find(|library| library.is_file()) else {
            return Ok(None);
        };
        let file = folder.join("clock");
        let clock = Self { library, file };
        clock.set(0)?;
        Ok(Some(clock))
    }

    /// Has a program use this clock. How much time has passed since an instant stays right, as on a machine
    /// whose clock is set.
    pub(crate) fn apply(&self, command: &mut Command) {
        remove_leftovers(Path::new(SHARED_MEMORY));
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME_TIMESTAMP_FILE", &self.file)
            .env("FAKETIME_CACHE_DURATION", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .env("FAKETIME_DISABLE_SHM", "1");
    }

    /// Sets the clock this many seconds ahead of the right time, or behind it. Programs notice within a second.
    pub(crate) fn set(&self, offset_seconds: i64) -> Result<()> {
        // A rename, because a program may read the file at any moment.
        let new = self.file.with_extension("new");
        fs::write(&new, format!("{offset_seconds:+}\n"))?;
        fs::rename(&new, &self.file).context("cannot set the clock")
    }
}

/// Removes what killed processes have left. In a long run, process IDs come round again, and a program of another user
/// that got the ID of a killed one could not open its files. Best effort: only the owner or root may remove them.
fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = NAMES
            .iter()
            .find_map(|prefix| name.to_str()?.strip_prefix(prefix));
        if process.is_some_and(|id| !Path::new("/proc").join(id).exists()) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_ended_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let own = format!("faketime_shm_{}", std::process::id());
        // Greater than any process ID.
        let ended = ["sem.faketime_sem_4194305", "faketime_shm_4194305"];
        for name in ended
            .into_iter()
            .chain([own.as_str(), "PostgreSQL.4194305"])
        {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_leftovers(folder.path());
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut left: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        left.sort_unstable();
        assert_eq!(left, ["PostgreSQL.4194305", own.as_str()]);
    }
}
