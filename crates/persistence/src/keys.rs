//! Secret keys from files: what the database holds is made or sealed with them, and they are not
//! stored in it.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// The minimum length of a key, in characters.
const MINIMUM_CHARACTERS: usize = 32;
/// The length of a key's ID, in hexadecimal digits.
const ID_DIGITS: usize = 16;

/// A secret key. The secret is never printed.
#[derive(Clone)]
pub struct SecretKey {
    id: String,
    mac: Hmac<Sha256>,
}

/// The keys of one purpose, oldest first. The last one is used for new data; older data names the
/// key that it was made with.
#[derive(Clone)]
pub(crate) struct SecretKeys {
    earlier: Vec<SecretKey>,
    current: SecretKey,
}

/// Why a text contains no usable keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeysError {
    /// There is no key.
    #[error("there is no key")]
    Empty,
    /// A line is too short to be a key, or contains spaces.
    #[error("each line must be a key of at least {MINIMUM_CHARACTERS} characters without spaces")]
    Weak,
}

impl SecretKey {
    fn new(secret: &str, purpose: &str) -> Self {
        // Half of the hash does not help to find the key, because the key is random.
        let hash = hex::encode(Sha256::digest(format!("{purpose};{secret}")));
        Self {
            id: hash.chars().take(ID_DIGITS).collect(),
            // HMAC accepts keys of any length, so this cannot fail; the fallback key is never used.
            mac: Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap_or_else(|_| {
                Hmac::<Sha256>::new(&hmac::digest::Key::<Hmac<Sha256>>::default())
            }),
        }
    }

    /// The key's ID in the database: a part of a hash of the key.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The HMAC-SHA256 of the parts, one after the other.
    pub(crate) fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.mac.clone();
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

impl SecretKeys {
    /// Parses keys, one per line, the newest last. The purpose is part of a key's ID.
    pub(crate) fn parse(text: &str, purpose: &str) -> Result<Self, KeysError> {
        let mut keys = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if line.len() < MINIMUM_CHARACTERS || line.contains(char::is_whitespace) {
                return Err(KeysError::Weak);
            }
            keys.push(SecretKey::new(line, purpose));
        }
        let current = keys.pop().ok_or(KeysError::Empty)?;
        Ok(Self {
            earlier: keys,
            current,
        })
    }

    pub(crate) const fn current(&self) -> &SecretKey {
        &self.current
    }

    pub(crate) fn find(&self, id: &str) -> Option<&SecretKey> {
        std::iter::once(&self.current)
            .chain(&self.earlier)
            .find(|key| key.id == id)
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SecretKey({})", self.id)
    }
}

impl fmt::Debug for SecretKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SecretKeys({})", self.current.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PURPOSE: &str = "test key";

    #[test]
    fn the_last_line_is_the_current_key() {
        let (old, new) = ("a".repeat(64), "b".repeat(64));
        let keys = SecretKeys::parse(&format!("{old}\n\n  {new}\r\n"), PURPOSE).unwrap();
        let alone = SecretKeys::parse(&old, PURPOSE).unwrap();
        assert_ne!(keys.current().id(), alone.current().id());
        assert!(keys.find(alone.current().id()).is_some());
        assert!(alone.find(keys.current().id()).is_none());
        assert!(!format!("{keys:?}{:?}", keys.current()).contains("bbbb"));
    }

    #[test]
    fn invalid_keys_are_refused() {
        let check = |text: &str, error| {
            assert_eq!(SecretKeys::parse(text, PURPOSE).unwrap_err(), error);
        };
        check(" \n", KeysError::Empty);
        check("secret", KeysError::Weak);
        check(&"a".repeat(31), KeysError::Weak);
        let spaced = format!("{} {}", "a".repeat(32), "b".repeat(32));
        check(&spaced, KeysError::Weak);
    }
}
