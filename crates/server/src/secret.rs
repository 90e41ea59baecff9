//! The secret that signs cookies: supplied by the operator, or generated at the first start and
//! kept.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use sha2::{Digest, Sha512};

use crate::Failure;
use crate::configuration::Configuration;
use crate::private_file::{random_secret, read_or_make};

/// The file in the data directory.
pub(crate) const FILE: &str = "secret";

/// Returns the key that signs session cookies.
pub(crate) fn signing_key(configuration: &Configuration) -> Result<[u8; 64], Failure> {
    let text = match &configuration.secret {
        Some(secret) => secret.clone(),
        None => stored_secret(&configuration.data_directory)?,
    };
    Ok(Sha512::digest(text.trim().as_bytes()).into())
}

/// Derives a separate key for device cookies, so that a signature made with one key is invalid with
/// the other.
pub(crate) fn device_key(signing_key: &[u8; 64]) -> [u8; 64] {
    Sha512::new()
        .chain_update(b"glasshouse device cookies")
        .chain_update(signing_key)
        .finalize()
        .into()
}

/// The secret as the operator gave it, or as it is kept; `None` if none was generated yet.
pub(crate) fn existing_secret(configuration: &Configuration) -> Result<Option<String>, Failure> {
    if let Some(secret) = &configuration.secret {
        return Ok(Some(secret.clone()));
    }
    let path = configuration.data_directory.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => long_enough(text, &path).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::Configuration(format!(
            "{} cannot be read: {error}",
            path.display()
        ))),
    }
}

fn stored_secret(folder: &Path) -> Result<String, Failure> {
    let path = folder.join(FILE);
    long_enough(read_or_make(&path, random_secret)?, &path)
}

fn long_enough(text: String, path: &Path) -> Result<String, Failure> {
    if text.trim().len() < 32 {
        return Err(Failure::Configuration(format!(
            "{} is too short for a secret; remove it to generate a new one",
            path.display()
        )));
    }
    Ok(text)
}
