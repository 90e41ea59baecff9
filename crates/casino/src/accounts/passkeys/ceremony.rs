//! Ceremonies: what the house asks a device to sign, and what the answer is checked against.

use std::fmt::Display;
use std::time::Duration;

use glasshouse_domain::{PasskeyPurpose, Timestamp, UserId};
use glasshouse_persistence::accounts::{Passkey, PasskeyCeremony};
use glasshouse_persistence::{Scope, Transaction, queries};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use webauthn_rs::Webauthn;
use webauthn_rs::prelude::WebauthnError;

use crate::error::{CasinoError, Fault, PasskeyRefusal, Refusal};
use crate::house::House;
use crate::randomness;

/// How long a user may take to answer.
const VALIDITY: Duration = Duration::from_mins(5);
/// The maximum number of expired ceremonies removed per call, which is more than the limit on sign-ins lets a
/// few hundred networks begin in a minute.
const PURGE_LIMIT: i64 = 10_000;

/// What a browser asks the user's device for.
#[derive(Debug, Clone)]
pub struct PasskeyPrompt {
    /// The key of the ceremony: 256 random bits, with which the browser answers.
    pub ceremony: String,
    /// The options for the browser: `PublicKeyCredentialCreationOptionsJSON` or
    /// `PublicKeyCredentialRequestOptionsJSON` of the Web Authentication standard.
    pub options: serde_json::Value,
}

/// Checks passkeys for this house.
///
/// # Errors
/// [`PasskeyRefusal::Unavailable`].
pub(crate) fn relying_party_of(house: &House) -> Result<&Webauthn, CasinoError> {
    let found = house.relying_party.as_deref();
    Ok(found.ok_or(Refusal::from(PasskeyRefusal::Unavailable))?)
}

/// Reads a user's passkeys.
///
/// # Errors
/// On a fault.
pub(crate) async fn passkeys_of(house: &House, user: UserId) -> Result<Vec<Passkey>, CasinoError> {
    house
        .database
        .read::<_, CasinoError, _>(move |connection| queries::passkeys_of(connection, user))
        .await
}

/// What a passkey is called on its device.
///
/// # Errors
/// If it is not stored as it is written.
pub(crate) fn credential_id_of(passkey: &Passkey) -> Result<Vec<u8>, CasinoError> {
    hex::decode(&passkey.credential_id).map_err(|error| unusable(&error))
}

/// Stores what an answer is checked against, and returns what the browser is told.
///
/// # Errors
/// On a fault.
pub(crate) async fn begin<S: Serialize, O: Serialize>(
    house: &House,
    purpose: PasskeyPurpose,
    user: Option<UserId>,
    state: &S,
    options: &O,
) -> Result<PasskeyPrompt, CasinoError> {
    let key = hex::encode(randomness::bytes::<32>()?);
    let key_hash = hash_of(&key);
    let ceremony = PasskeyCeremony {
        purpose,
        user,
        state: serde_json::to_string(state).map_err(|error| unusable(&error))?,
    };
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            Ok(transaction.add_passkey_ceremony(&key_hash, &ceremony, at)?)
        })
        .await?;
    Ok(PasskeyPrompt {
        ceremony: key,
        options: serde_json::to_value(options).map_err(|error| unusable(&error))?,
    })
}

/// Takes a ceremony, so that it is completed at most once, and returns what the answer is checked
/// against; `None` if it has expired, was completed before, or was begun for something or somebody else.
///
/// # Errors
/// On a fault.
pub(crate) fn take<S: DeserializeOwned>(
    transaction: &mut Transaction<'_, '_>,
    key: &str,
    (purpose, user): (PasskeyPurpose, Option<UserId>),
    at: Timestamp,
) -> Result<Option<S>, CasinoError> {
    let since = at.saturating_sub(VALIDITY);
    let found = transaction.take_passkey_ceremony(&hash_of(key), since)?;
    let found = found.filter(|found| found.purpose == purpose && found.user == user);
    found
        .map(|found| serde_json::from_str(&found.state).map_err(|error| unusable(&error)))
        .transpose()
}

/// Removes expired ceremonies, a bounded number per call, and returns how many were removed.
///
/// # Errors
/// On a fault.
pub async fn purge_passkey_ceremonies(house: &House) -> Result<usize, CasinoError> {
    let before = house.now().saturating_sub(VALIDITY);
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            Ok(transaction.purge_passkey_ceremonies(before, PURGE_LIMIT)?)
        })
        .await
}

/// The refusal of an answer that the library does not accept. The reason is for the operator.
pub(crate) fn refused(error: &WebauthnError) -> PasskeyRefusal {
    tracing::info!(%error, "a passkey was refused");
    PasskeyRefusal::Invalid
}

/// A stored value, or one that is to be stored, that has no such form.
pub(crate) fn unusable(error: &dyn Display) -> CasinoError {
    CasinoError::Fault(Fault::Corrupt(format!("passkey: {error}")))
}

/// The library cannot begin a ceremony.
pub(crate) fn not_begun(error: &WebauthnError) -> CasinoError {
    CasinoError::Fault(Fault::Corrupt(format!("passkey ceremony: {error}")))
}

/// Nobody can guess the random bits of a key, so that a fast hash is enough.
fn hash_of(key: &str) -> String {
    hex::encode(Sha256::digest(key.as_bytes()))
}
