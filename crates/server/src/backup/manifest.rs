//! What a backup says about itself: the file `manifest.json`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use glasshouse_casino::{Inventory, NeededKeys};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Failure;

/// The name of the file.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The version of the format of backups that this program writes and reads.
const FORMAT: u32 = 1;
/// The size of a piece in which files are read.
const PIECE_BYTES: usize = 1 << 16;

/// What a backup says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: u32,
    /// When the backup was begun, in UTC.
    pub(crate) created_at: String,
    /// The version of Glasshouse that made the backup.
    pub(crate) program_version: String,
    /// The kind of the database.
    pub(crate) database: Kind,
    /// The program that wrote the copy of a PostgreSQL database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) written_by: Option<String>,
    /// The last migration of the database.
    pub(crate) last_migration: String,
    /// What is in the database; none if it has the tables of another version of Glasshouse.
    pub(crate) contents: Option<Contents>,
    /// The files of the backup.
    pub(crate) files: BTreeMap<String, FileSum>,
}

/// The kind of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// What is in the database of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Contents {
    /// The number of rows of each kind.
    pub(crate) counts: BTreeMap<String, i64>,
    /// The hash of the whole audit log; none before its first record.
    pub(crate) audit_hash: Option<String>,
    /// The public log; none before it has begun.
    pub(crate) log: Option<LogEnd>,
    /// The IDs of the keys without which the backup is of no use or cannot be checked in full.
    pub(crate) keys: KeyIds,
}

/// The end of the public log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LogEnd {
    pub(crate) name: String,
    pub(crate) size: u64,
    /// The last signed checkpoint.
    pub(crate) checkpoint: String,
}

/// The IDs of keys, by the default names of their files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeyIds {
    #[serde(rename = "seed-key")]
    seeds: Vec<String>,
    #[serde(rename = "audit-key")]
    audit: Vec<String>,
    /// The one among them that servers need.
    #[serde(rename = "last-audit-key")]
    last_audit: Option<String>,
    #[serde(rename = "log-key")]
    log: Vec<String>,
    #[serde(rename = "second-factor-key")]
    factors: Vec<String>,
}

/// The size and the SHA-256 of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileSum {
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

impl Manifest {
    pub(crate) fn new(created_at: String, database: Kind, last_migration: &str) -> Self {
        Self {
            format: FORMAT,
            created_at,
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            database,
            written_by: None,
            last_migration: last_migration.to_owned(),
            contents: None,
            files: BTreeMap::new(),
        }
    }

    /// Reads the manifest of a backup.
    pub(crate) fn read(backup: &Path) -> Result<Self, Failure> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let refusal = |reason: String| {
            Failure::Configuration(format!("{} is no backup: {reason}", backup.display()))
        };
        let text = fs::read_to_string(backup.join(MANIFEST))
            .map_err(|error| refusal(format!("its {MANIFEST} cannot be read: {error}")))?;
        let malformed = |error: serde_json::Error| refusal(format!("{MANIFEST}: {error}"));
        let Format { format } = serde_json::from_str(&text).map_err(malformed)?;
        if format != FORMAT {
            return Err(refusal(format!(
                "its format is {format}, and this version of Glasshouse knows {FORMAT}. Use the version \
                 that made it"
            )));
        }
        serde_json::from_str(&text).map_err(malformed)
    }

    pub(crate) fn to_json(&self) -> Result<String, Failure> {
        let text = serde_json::to_string_pretty(self).map_err(Failure::running)?;
        Ok(format!("{text}\n"))
    }

    /// The name of the file with the database.
    pub(crate) const fn database_file(&self) -> &'static str {
        self.database.file()
    }
}

impl Kind {
    /// The name of the file with a database of this kind.
    pub(crate) const fn file(self) -> &'static str {
        match self {
            Self::Sqlite => "glasshouse.db",
            Self::Postgres => "glasshouse.dump",
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

impl From<&Inventory> for Contents {
    fn from(inventory: &Inventory) -> Self {
        let counts = inventory.counts.iter();
        let log = &inventory.log;
        Self {
            counts: counts
                .map(|count| (count.name.clone(), count.value))
                .collect(),
            audit_hash: inventory.audit_hash.clone(),
            log: log.origin.clone().map(|name| LogEnd {
                name,
                size: log.size,
                checkpoint: log.checkpoint.clone(),
            }),
            keys: KeyIds::from(&inventory.keys),
        }
    }
}

impl From<&NeededKeys> for KeyIds {
    fn from(keys: &NeededKeys) -> Self {
        Self {
            seeds: keys.seeds.clone(),
            audit: keys.audit.clone(),
            last_audit: keys.last_audit.clone(),
            log: keys.log.clone(),
            factors: keys.factors.clone(),
        }
    }
}

impl From<&KeyIds> for NeededKeys {
    fn from(ids: &KeyIds) -> Self {
        Self {
            last_audit: ids.last_audit.clone(),
            audit: ids.audit.clone(),
            seeds: ids.seeds.clone(),
            factors: ids.factors.clone(),
            log: ids.log.clone(),
        }
    }
}

/// Copies everything, and returns its size and SHA-256.
pub(crate) fn copy_summing(from: &mut impl Read, to: &mut impl Write) -> io::Result<FileSum> {
    let mut hash = Sha256::new();
    let mut bytes = 0_u64;
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let count = match from.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let read = piece.get(..count).unwrap_or_default();
        hash.update(read);
        to.write_all(read)?;
        bytes = bytes.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }
    Ok(FileSum {
        bytes,
        sha256: hex::encode(hash.finalize()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_is_summed() {
        let text = "abc".repeat(PIECE_BYTES);
        let mut copy = Vec::new();
        let sum = copy_summing(&mut text.as_bytes(), &mut copy).unwrap();
        assert_eq!(copy, text.as_bytes());
        assert_eq!(sum.bytes, 3 << 16);
        assert_eq!(sum.sha256, hex::encode(Sha256::digest(&text)));
    }

    #[test]
    fn a_manifest_of_another_format_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest::new("now".to_owned(), Kind::Postgres, "0045");
        let text = manifest.to_json().unwrap();
        fs::write(folder.path().join(MANIFEST), &text).unwrap();
        let read = Manifest::read(folder.path());
        assert_eq!(read.unwrap(), manifest);
        let text = text.replace("\"format\": 1", "\"format\": 2");
        fs::write(folder.path().join(MANIFEST), text).unwrap();
        let Err(Failure::Configuration(sentence)) = Manifest::read(folder.path()) else {
            panic!("it was read");
        };
        assert!(sentence.contains("its format is 2"), "{sentence}");
    }
}
