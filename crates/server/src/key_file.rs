//! Files of secret keys: supplied by the operator, or generated at the first start.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use glasshouse_casino::public_log::{
    LogSigner, Origin, SigningKeys, VerifierKeys, log_summary, new_private_key,
};
use glasshouse_casino::{AuditKeys, FactorKeys, HouseKeys, SeedKeys, seed_keys_in_use};
use secrecy::ExposeSecret as _;

use crate::Failure;
use crate::configuration::Configuration;
use crate::private_file::{random_bytes, random_secret, read_or_make};

/// A file with the keys of one purpose.
pub(crate) struct KeyFile<K> {
    /// What the keys are called in messages.
    pub(crate) name: &'static str,
    /// Where the file is.
    pub(crate) path: PathBuf,
    /// Whether the operator specifies the file; then it must exist.
    pub(crate) is_configured: bool,
    parse: fn(&str) -> Result<K, String>,
}

/// Returns the keys for writing. A file that the operator specifies must exist; the default files
/// are generated if missing, unless the database needs the keys that were in them.
pub(crate) fn house_keys(configuration: &Configuration) -> Result<HouseKeys, Failure> {
    let audit = audit_key_file(configuration);
    let seeds = seed_key_file(configuration);
    if !seeds.is_configured && !seeds.path.exists() {
        refuse_lost_seed_key(configuration, &seeds.path)?;
    }
    let log = log_key_file(configuration);
    if !log.is_configured && !log.path.exists() {
        refuse_lost_log_key(configuration, &log.path)?;
    }
    Ok(HouseKeys {
        audit: audit.read_or_make(random_secret)?,
        seeds: seeds.read_or_make(random_secret)?,
        log: log.read_or_make(|| new_log_key(configuration))?,
        // A new key in place of a lost one: the recovery codes do not need it.
        factors: factor_key_file(configuration).read_or_make(random_secret)?,
    })
}

/// Returns the audit log's keys for checking; `None` if the default file does not exist.
pub(crate) fn existing_audit_keys(
    configuration: &Configuration,
) -> Result<Option<AuditKeys>, Failure> {
    audit_key_file(configuration).read_existing()
}

/// Returns the seed keys for checking; `None` if the default file does not exist.
pub(crate) fn existing_seed_keys(
    configuration: &Configuration,
) -> Result<Option<SeedKeys>, Failure> {
    seed_key_file(configuration).read_existing()
}

/// Returns the public log's keys for checking; `None` if the default file does not exist.
pub(crate) fn existing_log_keys(
    configuration: &Configuration,
) -> Result<Option<VerifierKeys>, Failure> {
    let signer = log_key_file(configuration).read_existing()?;
    Ok(signer.map(|signer| signer.keys().verifier_keys().clone()))
}

/// The file of the keys that seal the audit log.
pub(crate) fn audit_key_file(configuration: &Configuration) -> KeyFile<AuditKeys> {
    let configured = configuration.audit_key_file.as_ref();
    KeyFile {
        name: "audit key",
        path: path(configured, configuration, "audit-key"),
        is_configured: configured.is_some(),
        parse: |text| AuditKeys::parse(text).map_err(|error| error.to_string()),
    }
}

/// The file of the keys that server seeds are derived from.
pub(crate) fn seed_key_file(configuration: &Configuration) -> KeyFile<SeedKeys> {
    let configured = configuration.seed_key_file.as_ref();
    KeyFile {
        name: "seed key",
        path: path(configured, configuration, "seed-key"),
        is_configured: configured.is_some(),
        parse: |text| SeedKeys::parse(text).map_err(|error| error.to_string()),
    }
}

/// The file of the keys that the secrets of authenticators are encrypted with.
pub(crate) fn factor_key_file(configuration: &Configuration) -> KeyFile<FactorKeys> {
    let configured = configuration.factor_key_file.as_ref();
    KeyFile {
        name: "second-factor key",
        path: path(configured, configuration, "second-factor-key"),
        is_configured: configured.is_some(),
        parse: |text| FactorKeys::parse(text).map_err(|error| error.to_string()),
    }
}

/// The file of the keys that sign receipts and the public log.
pub(crate) fn log_key_file(configuration: &Configuration) -> KeyFile<LogSigner> {
    let configured = configuration.log_key_file.as_ref();
    KeyFile {
        name: "log key",
        path: path(configured, configuration, "log-key"),
        is_configured: configured.is_some(),
        parse: |text| match SigningKeys::parse(text) {
            Ok(keys) => Ok(LogSigner::new(keys)),
            Err(error) => Err(error.to_string()),
        },
    }
}

/// The line of a new key to sign receipts and the log of this name with.
pub(crate) fn log_key_line(origin: &Origin) -> Result<String, Failure> {
    let key = new_private_key(origin, random_bytes()?);
    Ok(key.expose_secret().to_owned())
}

/// A new key for a log named after the public address.
fn new_log_key(configuration: &Configuration) -> Result<String, Failure> {
    Ok(format!("{}\n", log_key_line(&configuration.log_origin()?)?))
}

fn path(configured: Option<&PathBuf>, configuration: &Configuration, default: &str) -> PathBuf {
    configured.map_or_else(
        || configuration.data_directory.join(default),
        PathBuf::clone,
    )
}

/// A new key would not replace a lost one: the seeds in use could never be derived again.
fn refuse_lost_seed_key(configuration: &Configuration, path: &Path) -> Result<(), Failure> {
    let url = &configuration.database_url;
    let in_use = seed_keys_in_use(url)
        .map_err(|error| Failure::Running(format!("The database cannot be opened: {error}")))?;
    if in_use.is_empty() {
        return Ok(());
    }
    Err(Failure::Configuration(format!(
        "{} does not exist, but the server seeds in use were made with {}. Restore the file from \
         its backup, or set GLASSHOUSE_SEED_KEY_FILE",
        path.display(),
        in_use.join(", ")
    )))
}

/// A new key could not continue the log, and would sign receipts in its name.
fn refuse_lost_log_key(configuration: &Configuration, path: &Path) -> Result<(), Failure> {
    let summary = log_summary(&configuration.database_url)
        .map_err(|error| Failure::Running(format!("The database cannot be opened: {error}")))?;
    let Some(name) = summary.logs.last().and_then(|log| log.origin.as_ref()) else {
        return Ok(());
    };
    Err(Failure::Configuration(format!(
        "{} does not exist, but the public log {name} was signed with a key. Restore the file from \
         its backup, or set GLASSHOUSE_LOG_KEY_FILE. If the key is lost, begin another log: \
         glasshouse log restart",
        path.display()
    )))
}

impl<K> KeyFile<K> {
    fn read_or_make(&self, make: impl FnOnce() -> Result<String, Failure>) -> Result<K, Failure> {
        let text = if self.is_configured {
            fs::read_to_string(&self.path).map_err(|error| self.unreadable(&error))?
        } else {
            read_or_make(&self.path, make)?
        };
        self.parse(&text)
    }

    /// Reads the keys; `None` if the default file does not exist.
    pub(crate) fn read_existing(&self) -> Result<Option<K>, Failure> {
        match fs::read_to_string(&self.path) {
            Ok(text) => self.parse(&text).map(Some),
            Err(error) if !self.is_configured && error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    fn parse(&self, text: &str) -> Result<K, Failure> {
        (self.parse)(text).map_err(|error| {
            Failure::Configuration(format!(
                "{} is not a valid {} file: {error}",
                self.path.display(),
                self.name
            ))
        })
    }

    fn unreadable(&self, error: &std::io::Error) -> Failure {
        Failure::Configuration(format!("{} cannot be read: {error}", self.path.display()))
    }
}
