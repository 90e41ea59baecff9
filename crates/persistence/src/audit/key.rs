//! The keys that seal the audit log: secrets that are not stored in the database.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// The minimum length of a key, in characters.
const MINIMUM_CHARACTERS: usize = 32;
/// The length of a key's ID, in hexadecimal digits.
const ID_DIGITS: usize = 16;

/// A key of the audit log. The secret is never printed.
#[derive(Clone)]
pub struct AuditKey {
    id: String,
    secret: String,
}

/// The keys of the audit log, oldest first. New records use the last key; older records are
/// verified with the key that they name.
#[derive(Clone)]
pub struct AuditKeys {
    earlier: Vec<AuditKey>,
    current: AuditKey,
}

/// Why the text contains no usable keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AuditKeysError {
    /// There is no key.
    #[error("there is no key")]
    Empty,
    /// A line is too short to be a key, or contains spaces.
    #[error("each line must be a key of at least {MINIMUM_CHARACTERS} characters without spaces")]
    Weak,
}

impl AuditKey {
    fn new(secret: &str) -> Self {
        // Half of the hash does not help to find the key, because the key is random.
        let hash = hex::encode(Sha256::digest(format!("audit key;{secret}")));
        Self {
            id: hash.chars().take(ID_DIGITS).collect(),
            secret: secret.to_owned(),
        }
    }

    /// The key's ID in the database: a part of a hash of the key.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn mac(&self, text: &[u8]) -> String {
        // HMAC accepts keys of any length, so this cannot fail; the fallback key is never used.
        let mut mac = Hmac::<Sha256>::new_from_slice(self.secret.as_bytes())
            .unwrap_or_else(|_| Hmac::<Sha256>::new(&hmac::digest::Key::<Hmac<Sha256>>::default()));
        mac.update(text);
        hex::encode(mac.finalize().into_bytes())
    }
}

impl AuditKeys {
    /// Parses keys, one per line, the newest last.
    ///
    /// # Errors
    /// See [`AuditKeysError`].
    pub fn parse(text: &str) -> Result<Self, AuditKeysError> {
        let mut keys = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if line.len() < MINIMUM_CHARACTERS || line.contains(char::is_whitespace) {
                return Err(AuditKeysError::Weak);
            }
            keys.push(AuditKey::new(line));
        }
        let current = keys.pop().ok_or(AuditKeysError::Empty)?;
        Ok(Self {
            earlier: keys,
            current,
        })
    }

    /// The key for new records.
    #[must_use]
    pub const fn current(&self) -> &AuditKey {
        &self.current
    }

    /// Finds a key by its ID.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&AuditKey> {
        std::iter::once(&self.current)
            .chain(&self.earlier)
            .find(|key| key.id == id)
    }
}

impl fmt::Debug for AuditKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "AuditKey({})", self.id)
    }
}

impl fmt::Debug for AuditKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "AuditKeys({})", self.current.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_current_key() {
        let (old, new) = ("a".repeat(64), "b".repeat(64));
        let keys = AuditKeys::parse(&format!("{old}\n\n  {new}\r\n")).unwrap();
        let alone = AuditKeys::parse(&old).unwrap();
        assert_ne!(keys.current().id(), alone.current().id());
        assert!(keys.find(alone.current().id()).is_some());
        assert!(alone.find(keys.current().id()).is_none());
        assert!(!format!("{keys:?}").contains("bbbb"));
    }

    #[test]
    fn invalid_keys_are_refused() {
        assert_eq!(AuditKeys::parse(" \n").unwrap_err(), AuditKeysError::Empty);
        assert_eq!(
            AuditKeys::parse("secret").unwrap_err(),
            AuditKeysError::Weak
        );
        let spaced = format!("{} {}", "a".repeat(32), "b".repeat(32));
        assert_eq!(AuditKeys::parse(&spaced).unwrap_err(), AuditKeysError::Weak);
    }
}
