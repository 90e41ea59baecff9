//! The keys that the secrets of authenticators are encrypted with. Somebody who has the database but
//! not the keys can compute no code.

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use glasshouse_domain::UserId;

use crate::error::DatabaseError;
use crate::keys::{KeysError, SecretKey, SecretKeys};

/// The message that the encryption key is derived from.
const LABEL: &[u8] = b"glasshouse second factor v1";
/// The length of a nonce in bytes: long enough to be chosen at random.
const NONCE_BYTES: usize = 24;

/// The keys of the second factors, oldest first. New secrets are encrypted with the last key, and
/// every other one is decrypted with the key that it names.
#[derive(Debug, Clone)]
pub struct FactorKeys(SecretKeys);

/// An encrypted secret, which only its own user's row is valid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedSecret {
    /// The ID of the key.
    pub key_id: String,
    /// The nonce and the ciphertext with its tag, in hexadecimal.
    pub text: String,
}

impl FactorKeys {
    /// Parses keys, one per line, the newest last.
    ///
    /// # Errors
    /// See [`KeysError`].
    pub fn parse(text: &str) -> Result<Self, KeysError> {
        SecretKeys::parse(text, "second-factor key").map(Self)
    }

    /// Whether the key with this ID is among them.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.0.find(id).is_some()
    }

    /// Encrypts a user's secret with the current key and a random nonce.
    ///
    /// # Errors
    /// If the secret is too long to be encrypted.
    pub fn seal(
        &self,
        user: UserId,
        secret: &[u8],
        nonce: [u8; NONCE_BYTES],
    ) -> Result<SealedSecret, DatabaseError> {
        let key = self.0.current();
        let payload = Payload {
            msg: secret,
            aad: &user.get().to_be_bytes(),
        };
        let sealed = cipher(key)
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| DatabaseError::corrupt("a secret cannot be encrypted".to_owned()))?;
        Ok(SealedSecret {
            key_id: key.id().to_owned(),
            text: hex::encode([&nonce[..], &sealed].concat()),
        })
    }

    /// Decrypts a user's secret.
    ///
    /// # Errors
    /// [`DatabaseError::Corrupt`] if the key was not given, or if the secret was changed or belongs to
    /// another user.
    pub fn open(&self, user: UserId, sealed: &SealedSecret) -> Result<Vec<u8>, DatabaseError> {
        let id = &sealed.key_id;
        let key = self.0.find(id).ok_or_else(|| {
            DatabaseError::corrupt(format!("the second-factor key {id} was not given"))
        })?;
        let invalid = || DatabaseError::corrupt(format!("the second factor of user {user}"));
        let bytes = hex::decode(&sealed.text).map_err(|_| invalid())?;
        let (nonce, sealed) = bytes
            .split_first_chunk::<NONCE_BYTES>()
            .ok_or_else(invalid)?;
        let payload = Payload {
            msg: sealed,
            aad: &user.get().to_be_bytes(),
        };
        cipher(key)
            .decrypt(&XNonce::from(*nonce), payload)
            .map_err(|_| invalid())
    }
}

fn cipher(key: &SecretKey) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&Key::from(key.mac(&[LABEL])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALICE: UserId = UserId::new(1);

    fn keys(text: &str) -> FactorKeys {
        FactorKeys::parse(text).unwrap()
    }

    #[test]
    fn a_secret_is_opened_with_its_key_and_for_its_user_only() {
        let (old, new) = ("01d0".repeat(16), "4e11".repeat(16));
        let sealed = keys(&old).seal(ALICE, b"secret", [7; 24]).unwrap();
        assert!(!sealed.text.contains(&hex::encode(b"secret")));
        let both = keys(&format!("{old}\n{new}"));
        assert_eq!(both.open(ALICE, &sealed).unwrap(), b"secret");
        assert!(both.open(UserId::new(2), &sealed).is_err());
        let error = keys(&new).open(ALICE, &sealed).unwrap_err().to_string();
        assert!(error.contains(&sealed.key_id), "{error}");
        let mut changed = sealed.clone();
        changed.text.replace_range(60..62, "00");
        assert_ne!(changed, sealed);
        for text in [
            changed.text,
            "07".repeat(24),
            "07".repeat(3),
            "x".to_owned(),
        ] {
            let changed = SealedSecret {
                text,
                ..sealed.clone()
            };
            assert!(both.open(ALICE, &changed).is_err(), "{changed:?}");
        }
        assert_ne!(both.seal(ALICE, b"secret", [7; 24]).unwrap(), sealed);
    }
}
