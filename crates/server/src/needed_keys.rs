//! Compares the key files of this machine with the keys that a database needs.

use std::fs;
use std::path::PathBuf;

use glasshouse_casino::{FactorKeys, NeededKeys};

use crate::Failure;
use crate::configuration::Configuration;
use crate::key_file::{KeyFile, audit_key_file, factor_key_file, log_key_file, seed_key_file};

/// A key file, and what the database needs of it.
pub(crate) struct KeyReport {
    /// What the keys are called, such as "seed key".
    pub(crate) name: &'static str,
    /// The name of the file in the data directory, if the operator does not specify one.
    pub(crate) default_name: &'static str,
    /// Where the file is.
    pub(crate) path: PathBuf,
    pub(crate) file: FileState,
    /// The IDs of the keys that the database needs.
    pub(crate) needed: Vec<String>,
    /// Those that a server cannot do without and that are not in the file.
    pub(crate) missing: Vec<String>,
    /// Those that only the check of the books needs and that are not in the file.
    pub(crate) missing_for_check: Vec<String>,
}

/// Whether a key file can be used.
pub(crate) enum FileState {
    Usable,
    /// The default file, which a first start generates, does not exist.
    Absent,
    /// It cannot be read, or has no valid keys: why.
    Unusable(String),
}

/// The keys that are needed of one file.
#[derive(Default)]
struct Needs<'n> {
    /// What a server cannot do without.
    by_server: Vec<&'n String>,
    /// What only the check of the books needs.
    by_check: Vec<&'n String>,
    /// Whether one of those for the server is enough.
    any_is_enough: bool,
}

/// Compares all key files with the keys that a database needs.
pub(crate) fn compare(configuration: &Configuration, needed: &NeededKeys) -> Vec<KeyReport> {
    let last_audit = needed.last_audit.as_ref();
    let audit = Needs {
        by_server: last_audit.into_iter().collect(),
        by_check: needed
            .audit
            .iter()
            .filter(|id| Some(*id) != last_audit)
            .collect(),
        any_is_enough: false,
    };
    vec![
        report(
            "seed-key",
            seed_key_file(configuration),
            &Needs {
                by_server: needed.seeds.iter().collect(),
                ..Needs::default()
            },
            |keys, id| keys.find(id).is_some(),
        ),
        report(
            "audit-key",
            audit_key_file(configuration),
            &audit,
            |keys, id| keys.find(id).is_some(),
        ),
        report(
            "log-key",
            log_key_file(configuration),
            &Needs {
                by_server: needed.log.iter().collect(),
                // Of earlier keys the log still knows the name, but the house no longer signs with them.
                any_is_enough: true,
                ..Needs::default()
            },
            |signer, id| signer.keys().verifier_keys().iter().any(|key| key == id),
        ),
        report(
            "second-factor-key",
            factor_key_file(configuration),
            &Needs {
                by_server: needed.factors.iter().collect(),
                ..Needs::default()
            },
            FactorKeys::has,
        ),
    ]
}

fn report<K>(
    default_name: &'static str,
    file: KeyFile<K>,
    needs: &Needs<'_>,
    has: impl Fn(&K, &str) -> bool,
) -> KeyReport {
    let (keys, state) = match file.read_existing() {
        Ok(Some(keys)) => (Some(keys), FileState::Usable),
        Ok(None) => (None, FileState::Absent),
        Err(Failure::Configuration(reason) | Failure::Running(reason)) => {
            (None, FileState::Unusable(reason))
        }
    };
    let is_missing = |id: &&&String| !keys.as_ref().is_some_and(|keys| has(keys, id));
    let missing_of = |ids: &[&String]| -> Vec<String> {
        let missing = ids.iter().filter(is_missing);
        missing.map(|id| (*id).clone()).collect()
    };
    let mut missing = missing_of(&needs.by_server);
    if needs.any_is_enough && missing.len() < needs.by_server.len() {
        missing.clear();
    }
    let all = needs.by_server.iter().chain(&needs.by_check);
    KeyReport {
        name: file.name,
        default_name,
        path: file.path,
        file: state,
        needed: all.map(|id| (*id).clone()).collect(),
        missing,
        missing_for_check: missing_of(&needs.by_check),
    }
}

impl KeyReport {
    /// Whether a key of this ID is in the file.
    pub(crate) fn has(&self, id: &String) -> bool {
        !self.missing.contains(id) && !self.missing_for_check.contains(id)
    }

    /// The text of the file; `None` if there is none.
    pub(crate) fn text(&self) -> Result<Option<String>, Failure> {
        match &self.file {
            FileState::Absent => Ok(None),
            FileState::Unusable(reason) => Err(Failure::Configuration(reason.clone())),
            FileState::Usable => fs::read_to_string(&self.path)
                .map(Some)
                .map_err(Failure::running),
        }
    }
}
