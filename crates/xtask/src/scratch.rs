//! Where the databases of a test run are kept.
//!
//! Tests create and delete hundreds of thousands of files and flush each commit. In memory both cost almost nothing,
//! and the databases keep their durable settings.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use rustix::fs::statvfs;
use tempfile::TempDir;

/// The folder in memory that Linux systems have.
const IN_MEMORY: &str = "/dev/shm";
/// Several times what all databases and browsers of a test run have been seen to need at the same time.
const NEEDED_BYTES: u64 = 4 << 30;
/// Compilers and browsers need memory as well.
const NEEDED_MEMORY_BYTES: u64 = 8 << 30;

/// Where a temporary folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// For measurements, which include what a disk costs.
    Disk,
    /// In memory if there is enough of it.
    Memory,
}

/// A new temporary folder.
pub(crate) fn folder(prefix: &str, place: Place) -> Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    let folder = if place == Place::Memory && has_room(Path::new(IN_MEMORY)) {
        builder.tempdir_in(IN_MEMORY)
    } else {
        builder.tempdir()
    };
    folder.context("cannot create a temporary folder")
}

fn has_room(folder: &Path) -> bool {
    let free = statvfs(folder).map_or(0, |system| system.f_bavail.saturating_mul(system.f_frsize));
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    free >= NEEDED_BYTES && available_memory(&memory) >= NEEDED_MEMORY_BYTES
}

/// The bytes of memory that are available according to Linux's `/proc/meminfo`.
fn available_memory(description: &str) -> u64 {
    let kilobytes = description.lines().find_map(|line| {
        let figure = line.strip_prefix("MemAvailable:")?;
        figure.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    kilobytes.unwrap_or(0).saturating_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_read() {
        let check = |description, expected| assert_eq!(available_memory(description), expected);
        check(
            "MemTotal:       24689424 kB\nMemAvailable:   23595484 kB\n",
            23_595_484 * 1024,
        );
        check("MemTotal:       24689424 kB\n", 0);
        check("MemAvailable:   many kB\n", 0);
        check("", 0);
    }
}
