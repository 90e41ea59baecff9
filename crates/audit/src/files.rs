//! Small files that are replaced as a whole, so that a crash leaves the old or the new content.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::fault::Fault;

/// Reads a file; `None` if it does not exist.
pub(crate) fn read(file: &Path) -> Result<Option<String>, Fault> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::file(file, format!("cannot be read: {error}"))),
    }
}

/// Replaces a file, and returns when neither a crash nor a power failure can undo it. The file is
/// accessible only to its owner.
pub(crate) fn replace(file: &Path, text: &str) -> Result<(), Fault> {
    let written = write_new(file, text).and_then(|new| {
        new.persist(file)?;
        sync_folder(file)
    });
    written.map_err(|error| unwritable(file, &error))
}

/// Creates a file, in the same way as [`replace`].
///
/// # Errors
/// If it exists, or cannot be written.
pub(crate) fn create(file: &Path, text: &str) -> Result<(), Fault> {
    let written = write_new(file, text).and_then(|new| {
        new.persist_noclobber(file)?;
        sync_folder(file)
    });
    written.map_err(|error| unwritable(file, &error))
}

fn write_new(file: &Path, text: &str) -> std::io::Result<NamedTempFile> {
    // Temporary files are only accessible to their owner.
    let mut new = NamedTempFile::new_in(folder_of(file))?;
    new.write_all(text.as_bytes())?;
    new.as_file().sync_all()?;
    Ok(new)
}

/// Makes the new name of a file survive a power failure.
fn sync_folder(file: &Path) -> std::io::Result<()> {
    File::open(folder_of(file))?.sync_all()
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn unwritable(file: &Path, error: &std::io::Error) -> Fault {
    Fault::file(file, format!("cannot be written: {error}"))
}
