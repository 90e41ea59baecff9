//! The secret that signs cookies: given, or made at the first start and kept.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use sha2::{Digest, Sha512};

use crate::Failure;
use crate::configuration::Configuration;

const FILE: &str = "secret";

/// The signing key.
pub(crate) fn signing_key(configuration: &Configuration) -> Result<[u8; 64], Failure> {
    let text = match &configuration.secret {
        Some(secret) => secret.clone(),
        None => kept_secret(&configuration.data_directory)?,
    };
    Ok(Sha512::digest(text.trim().as_bytes()).into())
}

fn kept_secret(folder: &Path) -> Result<String, Failure> {
    let path = folder.join(FILE);
    let failed = |error: std::io::Error| {
        Failure::Running(format!("{} cannot be used: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(failed)?;
    match fs::read_to_string(&path) {
        Ok(text) if text.trim().len() >= 32 => return Ok(text),
        Ok(_) => {
            return Err(Failure::Configuration(format!(
                "{} is too short for a secret; remove it to have a new one made",
                path.display()
            )));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(Failure::running)?;
    let text = hex::encode(bytes);
    create_private(&path, &text).map_err(failed)?;
    Ok(text)
}

/// Readable by its owner only. Fails if the file has appeared meanwhile.
fn create_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
