//! The secret that signs cookies: given, or made at the first start and kept.

use std::path::Path;

use sha2::{Digest, Sha512};

use crate::Failure;
use crate::configuration::Configuration;
use crate::private_file::{random_secret, read_or_make};

const FILE: &str = "secret";

/// The signing key.
pub(crate) fn signing_key(configuration: &Configuration) -> Result<[u8; 64], Failure> {
    let text = match &configuration.secret {
        Some(secret) => secret.clone(),
        None => kept_secret(&configuration.data_directory)?,
    };
    Ok(Sha512::digest(text.trim().as_bytes()).into())
}

/// A key of its own, so that what one key has signed is nothing to the other.
pub(crate) fn device_key(signing_key: &[u8; 64]) -> [u8; 64] {
    Sha512::new()
        .chain_update(b"glasshouse device cookies")
        .chain_update(signing_key)
        .finalize()
        .into()
}

fn kept_secret(folder: &Path) -> Result<String, Failure> {
    let path = folder.join(FILE);
    let text = read_or_make(&path, random_secret)?;
    if text.trim().len() < 32 {
        return Err(Failure::Configuration(format!(
            "{} is too short for a secret; remove it to have a new one made",
            path.display()
        )));
    }
    Ok(text)
}
