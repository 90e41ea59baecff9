//! The hash of a session key.

use sha2::{Digest, Sha256};

/// SHA-256 of a session key. The database stores only this hash, never the key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SessionKeyHash(String);

impl SessionKeyHash {
    /// Hashes a session key.
    #[must_use]
    pub fn of(key: &str) -> Self {
        Self(hex::encode(Sha256::digest(key.as_bytes())))
    }

    /// The hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
