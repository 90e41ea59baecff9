//! The keys that the audit log is sealed with: given, or made at the first start and kept.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use glasshouse_casino::AuditKeys;

use crate::Failure;
use crate::configuration::Configuration;
use crate::private_file::{random_secret, read_or_make};

const FILE: &str = "audit-key";

/// The keys, for writing. A file that the operator names must be there; our own is made.
pub(crate) fn audit_keys(configuration: &Configuration) -> Result<AuditKeys, Failure> {
    if let Some(keys) = given_keys(configuration)? {
        return Ok(keys);
    }
    let path = own_file(configuration);
    let text = read_or_make(&path, random_secret)?;
    parse(&path, &text)
}

/// The keys, for checking: none where there is no file.
pub(crate) fn kept_keys(configuration: &Configuration) -> Result<Option<AuditKeys>, Failure> {
    if let Some(keys) = given_keys(configuration)? {
        return Ok(Some(keys));
    }
    let path = own_file(configuration);
    match fs::read_to_string(&path) {
        Ok(text) => parse(&path, &text).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&path, &error)),
    }
}

fn given_keys(configuration: &Configuration) -> Result<Option<AuditKeys>, Failure> {
    let Some(path) = &configuration.audit_key_file else {
        return Ok(None);
    };
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    parse(path, &text).map(Some)
}

fn own_file(configuration: &Configuration) -> PathBuf {
    configuration.data_directory.join(FILE)
}

fn parse(path: &Path, text: &str) -> Result<AuditKeys, Failure> {
    AuditKeys::parse(text).map_err(|error| {
        Failure::Configuration(format!(
            "{} is no file of audit keys: {error}",
            path.display()
        ))
    })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Configuration(format!("{} cannot be read: {error}", path.display()))
}
