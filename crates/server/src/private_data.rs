//! What the house keeps is its own: server seeds in use, password hashes and keys lie in these files,
//! and whoever reads them knows the next rolls.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use glasshouse_casino::DatabaseUrl;
use rustix::fs::Mode;

use crate::Failure;
use crate::configuration::Configuration;

/// The rights of everybody but the owner.
const OTHERS: u32 = 0o077;
/// What SQLite puts beside a database.
const SQLITE_FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// From here on the files that this process makes are its owner's only.
pub(crate) fn make_files_private() {
    rustix::process::umask(Mode::from_raw_mode(OTHERS));
}

/// Refuses to go on where others may reach the data directory, a file in it, the database or the
/// audit key. What is not there yet will be made private.
pub(crate) fn refuse_open(configuration: &Configuration) -> Result<(), Failure> {
    let folder = &configuration.data_directory;
    refuse_open_folder(folder)?;
    let mut files = Vec::new();
    if let DatabaseUrl::Sqlite(path) = &configuration.database_url {
        files.extend(SQLITE_FILES.map(|suffix| with_suffix(path, suffix)));
    }
    files.extend(configuration.audit_key_file.clone());
    refuse_open_files(files)
}

fn refuse_open_folder(folder: &Path) -> Result<(), Failure> {
    let metadata = match fs::metadata(folder) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unusable(folder, &error)),
    };
    if !is_open(&metadata) && files_of(folder)?.iter().all(|file| !is_open_file(file)) {
        return Ok(());
    }
    Err(refusal(
        &format!("{} (mode {:04o})", folder.display(), mode(&metadata)),
        &format!("chmod -R go= {}", quoted(folder)),
    ))
}

/// The files right in the folder.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| unusable(folder, &error))? {
        let path = entry.map_err(|error| unusable(folder, &error))?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    Ok(files)
}

fn refuse_open_files(files: Vec<PathBuf>) -> Result<(), Failure> {
    let open: Vec<PathBuf> = files
        .into_iter()
        .filter(|file| is_open_file(file))
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let shown: Vec<String> = open.iter().map(|file| file.display().to_string()).collect();
    let command: Vec<String> = open.iter().map(|file| quoted(file)).collect();
    Err(refusal(
        &shown.join(", "),
        &format!("chmod go= {}", command.join(" ")),
    ))
}

fn is_open_file(file: &Path) -> bool {
    match fs::metadata(file) {
        Ok(metadata) => is_open(&metadata),
        // One that cannot be looked at is somebody else's.
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

fn is_open(metadata: &Metadata) -> bool {
    mode(metadata) & OTHERS != 0
}

fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o7777
}

fn refusal(what: &str, command: &str) -> Failure {
    Failure::Configuration(format!(
        "Others on this machine can reach the house's data: {what}, with server seeds and keys in it. \
         Run: {command}"
    ))
}

fn unusable(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::Configuration(format!(
        "The data directory {} cannot be used: {error}",
        folder.display()
    ))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// As a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |character: char| character.is_alphanumeric() || "/._-".contains(character);
    if text.chars().all(is_plain) && !text.starts_with('-') {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
