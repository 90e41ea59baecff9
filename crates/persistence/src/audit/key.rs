//! The keys that seal the audit log: secrets that are not stored in the database.

use crate::keys::{KeysError, SecretKey, SecretKeys};

/// The keys of the audit log, oldest first. New records use the last key; older records are
/// verified with the key that they name.
#[derive(Debug, Clone)]
pub struct AuditKeys(SecretKeys);

impl AuditKeys {
    /// Parses keys, one per line, the newest last.
    ///
    /// # Errors
    /// See [`KeysError`].
    pub fn parse(text: &str) -> Result<Self, KeysError> {
        SecretKeys::parse(text, "audit key").map(Self)
    }

    /// The key for new records.
    #[must_use]
    pub const fn current(&self) -> &SecretKey {
        self.0.current()
    }

    /// Finds a key by its ID.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&SecretKey> {
        self.0.find(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_keeps_its_id_and_its_macs() {
        // Existing logs depend on both.
        let keys = AuditKeys::parse(&"5ea1".repeat(16)).unwrap();
        assert_eq!(keys.current().id(), "400a0d7a38249f75");
        assert_eq!(
            hex::encode(keys.current().mac(&[b"text"])),
            "e1dcb7f899fd397a8566d1afaa81667f5e4915676939fb5369658f7875c67e14"
        );
    }
}
