//! What the database holds of a pair's seeds.

use diesel::prelude::*;
use glasshouse_domain::ClientSeedBy;

use crate::error::DatabaseError;
use crate::schema::seed_pairs;

/// A commitment to a server seed: its hash, and what the seed is derived from with the key. It does
/// not reveal the seed to anybody without the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedCommitment {
    /// SHA-256 of the server seed's text, in hexadecimal.
    pub hash: String,
    /// The ID of the key.
    pub key_id: String,
    /// The salt: 32 random bytes, in hexadecimal.
    pub salt: String,
    /// What the derived bytes are combined with; only for seeds that were chosen before seeds were
    /// derived.
    pub mask: Option<String>,
}

/// A stored server seed.
#[derive(Debug, Clone)]
pub enum StoredServerSeed {
    /// The text of a revealed seed.
    Revealed(String),
    /// A seed that is still secret.
    Committed(SeedCommitment),
}

impl StoredServerSeed {
    /// The seed's text if it is revealed.
    #[must_use]
    pub fn revealed(self) -> Option<String> {
        match self {
            Self::Revealed(text) => Some(text),
            Self::Committed(_) => None,
        }
    }

    /// The ID of the key that is needed to derive the seed; `None` if it is revealed.
    #[must_use]
    pub fn needed_key(&self) -> Option<&str> {
        match self {
            Self::Revealed(_) => None,
            Self::Committed(commitment) => Some(&commitment.key_id),
        }
    }
}

/// The columns of a stored server seed.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = seed_pairs)]
pub(crate) struct ServerSeedRow {
    pub(crate) server_seed: Option<String>,
    pub(crate) server_seed_hash: String,
    key_id: Option<String>,
    salt: Option<String>,
    mask: Option<String>,
}

impl TryFrom<ServerSeedRow> for StoredServerSeed {
    type Error = DatabaseError;

    fn try_from(row: ServerSeedRow) -> Result<Self, DatabaseError> {
        match (row.server_seed, row.key_id, row.salt) {
            (Some(text), ..) => Ok(Self::Revealed(text)),
            (None, Some(key_id), Some(salt)) => Ok(Self::Committed(SeedCommitment {
                hash: row.server_seed_hash,
                key_id,
                salt,
                mask: row.mask,
            })),
            _ => Err(DatabaseError::corrupt(format!(
                "the server seed of {} has no salt",
                row.server_seed_hash
            ))),
        }
    }
}

/// Every pair that is not next has a client seed.
pub(crate) fn active_client_seed(stored: Option<String>) -> Result<String, DatabaseError> {
    stored.ok_or_else(|| DatabaseError::corrupt("a seed pair in use has no client seed"))
}

pub(crate) fn stored_client_seed_by(stored: Option<&str>) -> Result<ClientSeedBy, DatabaseError> {
    stored.and_then(ClientSeedBy::parse).ok_or_else(|| {
        DatabaseError::corrupt("a seed pair in use does not say who chose its client seed")
    })
}
