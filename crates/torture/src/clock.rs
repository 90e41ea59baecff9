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
