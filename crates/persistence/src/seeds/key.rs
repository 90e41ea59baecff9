//! The keys that server seeds are derived from. Somebody who has the database but not the keys can
//! predict nothing.

use sha2::{Digest, Sha256};

use crate::error::DatabaseError;
use crate::keys::{KeysError, SecretKey, SecretKeys};
use crate::seeds::stored::{SeedCommitment, StoredServerSeed};

/// The message that a seed's HMAC begins with; the salt follows.
const LABEL: &[u8] = b"glasshouse server seed v1";

/// The keys of the server seeds, oldest first. New seeds are derived from the last key, and every
/// other one from the key that its commitment names.
#[derive(Debug, Clone)]
pub struct SeedKeys(SecretKeys);

impl SeedKeys {
    /// Parses keys, one per line, the newest last.
    ///
    /// # Errors
    /// See [`KeysError`].
    pub fn parse(text: &str) -> Result<Self, KeysError> {
        SecretKeys::parse(text, "seed key").map(Self)
    }

    /// The key for new seeds.
    #[must_use]
    pub const fn current(&self) -> &SecretKey {
        self.0.current()
    }

    /// Finds a key by its ID.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&SecretKey> {
        self.0.find(id)
    }

    /// The commitment to the server seed that the current key derives from a random salt.
    #[must_use]
    pub fn commit(&self, salt: [u8; 32]) -> SeedCommitment {
        let key = self.current();
        SeedCommitment {
            hash: hash_of(&hex::encode(derive(key, &salt))),
            key_id: key.id().to_owned(),
            salt: hex::encode(salt),
            mask: None,
        }
    }

    /// The commitment to a server seed that was not derived from a key, and whose hash is known.
    pub(crate) fn commit_to(&self, seed: [u8; 32], hash: String, salt: [u8; 32]) -> SeedCommitment {
        let key = self.current();
        SeedCommitment {
            hash,
            key_id: key.id().to_owned(),
            salt: hex::encode(salt),
            mask: Some(hex::encode(xor(derive(key, &salt), seed))),
        }
    }

    /// Derives the server seed's text, 64 hexadecimal digits, from its commitment.
    ///
    /// # Errors
    /// [`DatabaseError::Corrupt`] if the key was not given, or if the derived seed does not have
    /// the committed hash: no round may be played with another seed than the player was promised.
    pub fn server_seed(&self, commitment: &SeedCommitment) -> Result<String, DatabaseError> {
        let key = self.find(&commitment.key_id).ok_or_else(|| {
            DatabaseError::corrupt(format!("the seed key {} was not given", commitment.key_id))
        })?;
        let derived = derive(key, &decode(&commitment.salt)?);
        let seed = match &commitment.mask {
            None => derived,
            Some(mask) => xor(derived, decode(mask)?),
        };
        let text = hex::encode(seed);
        if hash_of(&text) == commitment.hash {
            Ok(text)
        } else {
            let message = format!("the server seed of {} has another hash", commitment.hash);
            Err(DatabaseError::corrupt(message))
        }
    }

    /// The text of a stored server seed, which is secret unless the seed is revealed.
    ///
    /// # Errors
    /// See [`Self::server_seed`].
    pub fn text_of(&self, stored: &StoredServerSeed) -> Result<String, DatabaseError> {
        match stored {
            StoredServerSeed::Revealed(text) => Ok(text.clone()),
            StoredServerSeed::Committed(commitment) => self.server_seed(commitment),
        }
    }
}

fn derive(key: &SecretKey, salt: &[u8; 32]) -> [u8; 32] {
    key.mac(&[LABEL, salt])
}

/// SHA-256 of a server seed's text.
fn hash_of(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}

fn xor(one: [u8; 32], other: [u8; 32]) -> [u8; 32] {
    let mut bytes = one;
    for (byte, other) in bytes.iter_mut().zip(other) {
        *byte ^= other;
    }
    bytes
}

/// Decodes 32 bytes that are stored as hexadecimal digits.
pub(crate) fn decode(text: &str) -> Result<[u8; 32], DatabaseError> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes)
        .map_err(|error| DatabaseError::corrupt(format!("salt or mask: {error}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> SeedKeys {
        SeedKeys::parse(&"5eed".repeat(16)).unwrap()
    }

    #[test]
    fn a_seed_is_derived_as_documented() {
        let commitment = keys().commit([7; 32]);
        assert_eq!(commitment.key_id, "0765bb39779756c0");
        assert_eq!(commitment.salt, "07".repeat(32));
        let seed = keys().server_seed(&commitment).unwrap();
        assert_eq!(
            seed,
            "fb01de1cdd6b57187fce2aa9d41118eacd56ed30c9937896b9e28b290973e72c"
        );
        assert_eq!(
            commitment.hash,
            "b1442e2d6b4b38cddb3df4f69bdec649d8114236a236500c02fc7769bf9576b1"
        );
    }

    #[test]
    fn a_seed_that_was_not_derived_is_masked() {
        let seed = [0xab; 32];
        let text = hex::encode(seed);
        let commitment = keys().commit_to(seed, hash_of(&text), [7; 32]);
        assert_eq!(keys().server_seed(&commitment).unwrap(), text);
        assert!(!format!("{commitment:?}").contains(&text));
    }

    #[test]
    fn a_seed_needs_its_key_and_has_its_hash() {
        let commitment = keys().commit([7; 32]);
        let other = SeedKeys::parse(&"0b5e".repeat(16)).unwrap();
        let error = other.server_seed(&commitment).unwrap_err().to_string();
        assert!(error.contains(&commitment.key_id), "{error}");
        let both = format!("{}\n{}", "5eed".repeat(16), "0b5e".repeat(16));
        let both = SeedKeys::parse(&both).unwrap();
        assert_eq!(
            both.server_seed(&commitment).unwrap(),
            keys().server_seed(&commitment).unwrap()
        );
        assert_ne!(both.commit([7; 32]).hash, commitment.hash);
        for changed in [
            SeedCommitment {
                salt: "08".repeat(32),
                ..commitment.clone()
            },
            SeedCommitment {
                salt: "x".repeat(64),
                ..commitment.clone()
            },
            SeedCommitment {
                mask: Some("01".repeat(32)),
                ..commitment.clone()
            },
            SeedCommitment {
                hash: "0".repeat(64),
                ..commitment.clone()
            },
        ] {
            assert!(keys().server_seed(&changed).is_err(), "{changed:?}");
        }
    }
}
