//! Recovery codes: each replaces the authenticator once. They are shown once, and stored hashed.

use glasshouse_domain::{RECOVERY_CODE_CHARACTERS, SecurityEventKind, UserId};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::RequestOrigin;
use sha2::{Digest, Sha256};

use crate::accounts::security_events::{add_event, count_event};
use crate::error::{AccountRefusal, CasinoError, Refusal};
use crate::house::House;
use crate::randomness;

/// How many codes a user has at a time.
const CODES: usize = 10;
/// A code has 80 random bits, five to a character.
const CHARACTERS: usize = 16;
/// A hyphen follows each group of so many characters.
const GROUP: usize = 4;

/// New recovery codes in their normal form.
pub(crate) struct RecoveryCodes(Vec<String>);

impl RecoveryCodes {
    pub(crate) fn generate() -> Result<Self, CasinoError> {
        let codes = (0..CODES).map(|_| {
            let bytes: [u8; CHARACTERS] = randomness::bytes()?;
            // A power of two characters: each is equally likely.
            let characters = bytes.iter().filter_map(|byte| {
                let index = usize::from(*byte) % RECOVERY_CODE_CHARACTERS.len();
                RECOVERY_CODE_CHARACTERS.get(index).copied()
            });
            Ok(characters.map(char::from).collect())
        });
        codes.collect::<Result<_, CasinoError>>().map(Self)
    }

    pub(crate) fn hashes(&self) -> Vec<String> {
        self.0.iter().map(|code| hash_of(code)).collect()
    }

    /// The codes as they are shown, in groups.
    pub(crate) fn into_texts(self) -> Vec<String> {
        let text = |code: String| {
            let characters: Vec<char> = code.chars().collect();
            let groups = characters.chunks(GROUP).map(String::from_iter);
            groups.collect::<Vec<_>>().join("-")
        };
        self.0.into_iter().map(text).collect()
    }
}

/// The hash of a code in its normal form. Nobody can try 80 bits, so that a fast hash is enough.
pub(crate) fn hash_of(code: &str) -> String {
    hex::encode(Sha256::digest(code.as_bytes()))
}

/// Replaces a user's recovery codes and returns the new ones.
///
/// # Errors
/// [`AccountRefusal::NoSecondFactor`], or a fault.
pub async fn replace_recovery_codes(
    house: &House,
    user: UserId,
    origin: RequestOrigin,
) -> Result<Vec<String>, CasinoError> {
    let new = RecoveryCodes::generate()?;
    let hashes = new.hashes();
    let kind = SecurityEventKind::RecoveryCodesReplaced;
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let found = transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
            if !found.has_second_factor {
                return Err(AccountRefusal::NoSecondFactor.into());
            }
            transaction.replace_recovery_codes(user, &hashes)?;
            add_event(transaction, user, kind, &origin, at)
        })
        .await?;
    count_event(kind);
    Ok(new.into_texts())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use glasshouse_domain::TypedSecondFactor;

    use super::*;

    #[test]
    fn new_codes_differ_and_are_recognised_as_they_are_shown() {
        let codes = RecoveryCodes::generate().unwrap();
        let hashes = codes.hashes();
        let normal = codes.0.clone();
        let shown = codes.into_texts();
        assert_eq!(shown.iter().collect::<HashSet<_>>().len(), 10);
        for ((shown, normal), hash) in shown.iter().zip(&normal).zip(&hashes) {
            assert_eq!(shown.len(), 19);
            let parsed = TypedSecondFactor::parse(shown);
            assert!(parsed == Some(TypedSecondFactor::RecoveryCode(normal.clone())));
            assert_eq!(hash_of(normal), *hash);
        }
    }
}
