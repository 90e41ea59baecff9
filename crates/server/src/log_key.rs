//! The keys that sign receipts and the public log: supplied by the operator, or generated at the
//! first start.

use std::path::Path;

use glasshouse_casino::public_log::{LogSigner, SigningKeys, new_private_key};
use secrecy::ExposeSecret as _;

use crate::Failure;
use crate::configuration::Configuration;
use crate::private_file::{random_bytes, read_existing, read_or_make};

const FILE: &str = "log-key";

/// Returns the keys. A file that the operator specifies must exist; the default file is generated if
/// missing.
pub(crate) fn log_signer(configuration: &Configuration) -> Result<LogSigner, Failure> {
    if let Some(path) = &configuration.log_key_file {
        return parse(path, &read_existing(path)?);
    }
    let path = configuration.data_directory.join(FILE);
    let text = read_or_make(&path, || new_key(configuration))?;
    parse(&path, &text)
}

fn new_key(configuration: &Configuration) -> Result<String, Failure> {
    let origin = configuration.log_origin()?;
    let key = new_private_key(&origin, random_bytes()?);
    Ok(format!("{}\n", key.expose_secret()))
}

fn parse(path: &Path, text: &str) -> Result<LogSigner, Failure> {
    SigningKeys::parse(text)
        .map(LogSigner::new)
        .map_err(|error| {
            Failure::Configuration(format!(
                "{} is not a valid file of log keys: {error}",
                path.display()
            ))
        })
}
