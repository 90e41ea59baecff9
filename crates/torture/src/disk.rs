//! A disk of its own for the house, which can be full.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use rustix::fs::statvfs;

use crate::process::run;

/// What is left of a full disk.
const LEFT_BYTES: u64 = 64 << 10;
/// How often a disk is shrunk anew because somebody has written to it.
const ATTEMPTS: u32 = 100;

/// A file system in memory, unmounted on drop.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: PathBuf,
    size_mebibytes: u64,
}

impl Disk {
    /// Mounts one, or says why that is impossible: usually only root may.
    pub(crate) fn mount(folder: &Path, size_mebibytes: u64) -> Result<Self> {
        let options = format!("size={size_mebibytes}m,mode=0755");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]);
        run(mount.arg(folder)).context("no disk of its own")?;
        Ok(Self {
            folder: folder.to_owned(),
            size_mebibytes,
        })
    }

    /// Leaves no room for more than a few pages.
    pub(crate) fn fill(&self) -> Result<()> {
        for _ in 1..ATTEMPTS {
            if self.shrink().is_ok() {
                return Ok(());
            }
        }
        self.shrink()
    }

    /// Fails if more has been written meanwhile than what is left.
    fn shrink(&self) -> Result<()> {
        let state = statvfs(&self.folder)?;
        let used = state.f_blocks.saturating_sub(state.f_bfree) * state.f_frsize;
        self.resize(&format!("{}", used + LEFT_BYTES))
    }

    /// Gives the room back.
    pub(crate) fn free(&self) -> Result<()> {
        self.resize(&format!("{}m", self.size_mebibytes))
    }

    fn resize(&self, size: &str) -> Result<()> {
        let options = format!("remount,size={size}");
        run(Command::new("mount")
            .args(["-o", &options])
            .arg(&self.folder))?;
        Ok(())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // The folder is temporary: a mount that stays is gone with the next start of the machine.
        drop(run(Command::new("umount").arg("--lazy").arg(&self.folder)));
    }
}
