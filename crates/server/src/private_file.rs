//! Small files with secrets, generated at the first start and kept.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use rand::TryRng;
use rand::rngs::SysRng;
use tempfile::NamedTempFile;

use crate::Failure;

/// Reads the file, or creates it with the result of `make` if it does not exist. If another server was
/// faster, its file is read.
pub(crate) fn read_or_make(
    path: &Path,
    make: impl FnOnce() -> Result<String, Failure>,
) -> Result<String, Failure> {
    let unusable = |error: std::io::Error| {
        Failure::Running(format!("{} cannot be used: {error}", path.display()))
    };
    match fs::read_to_string(path) {
        Ok(text) => return Ok(text),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(unusable(error)),
    }
    let text = make()?;
    match create(path, &text) {
        Ok(()) => Ok(text),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            fs::read_to_string(path).map_err(unusable)
        }
        Err(error) => Err(unusable(error)),
    }
}

/// Generates 32 random bytes.
pub(crate) fn random_bytes() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(Failure::running)?;
    Ok(bytes)
}

/// Generates a secret of 64 random hexadecimal digits.
pub(crate) fn random_secret() -> Result<String, Failure> {
    random_bytes().map(hex::encode)
}

/// Creates the file atomically, readable only by its owner. Fails if the file exists by then.
pub(crate) fn create(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Temporary files are only readable by their owner.
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(())
}
