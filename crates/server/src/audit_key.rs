//! The keys that seal the audit log: supplied by the operator, or generated at the first start.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use glasshouse_casino::AuditKeys;

use crate::Failure;
use crate::configuration::Configuration;
use crate::private_file::{random_secret, read_existing, read_or_make};

const FILE: &str = "audit-key";

/// Returns the keys for writing. A file that the operator specifies must exist; the default file is
/// generated if missing.
pub(crate) fn audit_keys(configuration: &Configuration) -> Result<AuditKeys, Failure> {
    if let Some(keys) = configured_keys(configuration)? {
        return Ok(keys);
    }
    let path = default_file(configuration);
    let text = read_or_make(&path, random_secret)?;
    parse(&path, &text)
}

/// Returns the keys for checking; `None` if the default file does not exist.
pub(crate) fn existing_keys(configuration: &Configuration) -> Result<Option<AuditKeys>, Failure> {
    if let Some(keys) = configured_keys(configuration)? {
        return Ok(Some(keys));
    }
    let path = default_file(configuration);
    match fs::read_to_string(&path) {
        Ok(text) => parse(&path, &text).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&path, &error)),
    }
}

fn configured_keys(configuration: &Configuration) -> Result<Option<AuditKeys>, Failure> {
    let Some(path) = &configuration.audit_key_file else {
        return Ok(None);
    };
    parse(path, &read_existing(path)?).map(Some)
}

fn default_file(configuration: &Configuration) -> PathBuf {
    configuration.data_directory.join(FILE)
}

fn parse(path: &Path, text: &str) -> Result<AuditKeys, Failure> {
    AuditKeys::parse(text).map_err(|error| {
        Failure::Configuration(format!(
            "{} is not a valid audit key file: {error}",
            path.display()
        ))
    })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Configuration(format!("{} cannot be read: {error}", path.display()))
}
