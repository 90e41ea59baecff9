//! Small files with secrets, made at the first start and kept for the next ones.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use rand::TryRng;
use rand::rngs::SysRng;
use tempfile::NamedTempFile;

use crate::Failure;

/// What the file holds, or what `make` makes if there is none; then that is what it holds.
pub(crate) fn read_or_make(
    path: &Path,
    make: impl FnOnce() -> Result<String, Failure>,
) -> Result<String, Failure> {
    let failed = |error: std::io::Error| {
        Failure::Running(format!("{} cannot be used: {error}", path.display()))
    };
    match fs::read_to_string(path) {
        Ok(text) => return Ok(text),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let text = make()?;
    create(path, &text).map_err(failed)?;
    Ok(text)
}

/// Sixty-four random hexadecimal digits.
pub(crate) fn random_secret() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(Failure::running)?;
    Ok(hex::encode(bytes))
}

/// Readable by its owner only, whole or not at all. Fails if the file has appeared meanwhile.
fn create(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Temporary files are their owner's only.
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(())
}
