//! Servers on databases that were restored from a backup.

use tempfile::TempDir;

use super::Server;

impl Server {
    /// A server on a copy of this one's database, with the data directory in a folder.
    pub(crate) fn start_restored(&self, folder: TempDir, url: &str) -> Self {
        self.start_other(folder, url, &[])
    }
}
