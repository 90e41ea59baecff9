//! Servers on databases that were restored from a backup.

use std::sync::Arc;

use tempfile::TempDir;

use super::{Server, command, free_address, start};

impl Server {
    /// A server on a copy of this one's database, with the data directory in a folder.
    pub(crate) fn start_restored(&self, folder: TempDir, url: &str) -> Self {
        let (address, sandbox_address) = (free_address(), free_address());
        let mut command = command(folder.path(), &address, &sandbox_address);
        command
            .env("DATABASE_URL", url)
            .env("GLASSHOUSE_RATE_LIMIT", "off");
        let (process, said) = start(&mut command);
        Self {
            address,
            sandbox_address,
            administrator_password: self.administrator_password.clone(),
            access: Arc::clone(&self.access),
            said,
            folder,
            process,
            postgres: None,
            key_files: Vec::new(),
        }
    }
}
