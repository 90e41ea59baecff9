//! The hash of a session key.

use glasshouse_persistence::accounts::OpenSession;
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

    /// The hash of a stored session.
    #[must_use]
    pub fn of_stored(session: &OpenSession) -> Self {
        Self(session.key_hash.clone())
    }

    /// A hash that is stored in the database.
    pub(crate) const fn stored(text: String) -> Self {
        Self(text)
    }

    /// The ID under which the user sees the session: half of the hash, from which neither the key nor
    /// the rest of the hash follows.
    #[must_use]
    pub fn session_id(&self) -> &str {
        self.0.get(..32).unwrap_or_default()
    }

    /// The hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
