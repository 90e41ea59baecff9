//! Keeps other users of the machine away from the house's files: they contain password hashes and
//! keys, and anybody who reads the database and the seed key can predict future rolls.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use glasshouse_casino::DatabaseUrl;
use rustix::fs::Mode;

use crate::Failure;
use crate::configuration::Configuration;

/// The permission bits of group and others.
const OTHERS: u32 = 0o077;
/// The suffixes of a database file and of the files that SQLite creates next to it.
const SQLITE_FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Makes all files that this process creates from now on accessible only to their owner.
pub(crate) fn make_files_private() {
    rustix::process::umask(Mode::from_raw_mode(OTHERS));
}

/// Fails if other users can access the data directory, a file in it, the database or a key file.
/// Files that do not exist yet will be created private.
pub(crate) fn refuse_exposed_data(configuration: &Configuration) -> Result<(), Failure> {
    let folder = &configuration.data_directory;
    refuse_exposed_folder(folder)?;
    let mut files = Vec::new();
    if let DatabaseUrl::Sqlite(path) = &configuration.database_url {
        files.extend(sqlite_files(path));
    }
    files.extend(configuration.audit_key_file.clone());
    files.extend(configuration.seed_key_file.clone());
    files.extend(configuration.log_key_file.clone());
    files.extend(configuration.factor_key_file.clone());
    refuse_exposed_files(files)
}

/// Creates the data directory, which each server needs for itself, also if all keys are elsewhere.
pub(crate) fn create_data_directory(configuration: &Configuration) -> Result<(), Failure> {
    let folder = &configuration.data_directory;
    fs::create_dir_all(folder).map_err(|error| unusable_directory(folder, &error))
}

fn refuse_exposed_folder(folder: &Path) -> Result<(), Failure> {
    let metadata = match fs::metadata(folder) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unusable_directory(folder, &error)),
    };
    if !is_exposed(&metadata) && files_of(folder)?.iter().all(|file| !is_exposed_file(file)) {
        return Ok(());
    }
    Err(refusal(
        &format!("{} (mode {:04o})", folder.display(), mode(&metadata)),
        &format!("chmod -R go= {}", quoted(folder)),
    ))
}

/// The files directly in the folder.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| unusable_directory(folder, &error))? {
        let path = entry
            .map_err(|error| unusable_directory(folder, &error))?
            .path();
        if path.is_file() {
            files.push(path);
        }
    }
    Ok(files)
}

fn refuse_exposed_files(files: Vec<PathBuf>) -> Result<(), Failure> {
    let exposed: Vec<PathBuf> = files
        .into_iter()
        .filter(|file| is_exposed_file(file))
        .collect();
    if exposed.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = exposed
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let command: Vec<String> = exposed.iter().map(|file| quoted(file)).collect();
    Err(refusal(
        &names.join(", "),
        &format!("chmod go= {}", command.join(" ")),
    ))
}

fn is_exposed_file(file: &Path) -> bool {
    match fs::metadata(file) {
        Ok(metadata) => is_exposed(&metadata),
        // A file whose metadata cannot be read belongs to another user.
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

fn is_exposed(metadata: &Metadata) -> bool {
    mode(metadata) & OTHERS != 0
}

fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o7777
}

fn refusal(files: &str, command: &str) -> Failure {
    Failure::Configuration(format!(
        "Other users of this machine can access the house's data, which includes password hashes and \
         keys: {files}. Run: {command}"
    ))
}

fn unusable_directory(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::Configuration(format!(
        "The data directory {} cannot be used: {error}",
        folder.display()
    ))
}

/// A database file and the files that SQLite creates next to it.
pub(crate) fn sqlite_files(path: &Path) -> [PathBuf; 4] {
    SQLITE_FILES.map(|suffix| with_suffix(path, suffix))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Quotes a path as a single word for the shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |character: char| character.is_alphanumeric() || "/._-".contains(character);
    if text.chars().all(is_plain) && !text.starts_with('-') {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
