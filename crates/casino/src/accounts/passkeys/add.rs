//! Adds a passkey to an account.

use glasshouse_domain::{
    MAXIMUM_PASSKEYS, PasskeyName, PasskeyPurpose, SecurityEventKind, Timestamp, UserId,
};
use glasshouse_persistence::accounts::{NewPasskey, Passkey, RequestOrigin, User};
use glasshouse_persistence::{Scope, Transaction};
use serde::{Deserialize, Serialize};
use webauthn_rs::Webauthn;
use webauthn_rs::prelude::{
    CreationChallengeResponse, PasskeyRegistration, RegisterPublicKeyCredential, Uuid,
};
use webauthn_rs_proto::ResidentKeyRequirement;

use crate::accounts::passkeys::ceremony::{
    PasskeyPrompt, begin, credential_id_of, not_begun, passkeys_of, refused, relying_party_of,
    take, unusable,
};
use crate::accounts::second_factor::recovery_codes::RecoveryCodes;
use crate::accounts::security_events::{add_event, count_event};
use crate::accounts::session_key::SessionKeyHash;
use crate::error::{AccountRefusal, CasinoError, PasskeyRefusal, Refusal};
use crate::house::House;
use crate::randomness;

/// The answer of the device on which a passkey was made.
#[derive(Debug, Clone)]
pub struct PasskeyAddition {
    /// The key of the ceremony.
    pub ceremony: String,
    /// The user's name for the passkey.
    pub name: String,
    /// What the device returned.
    pub credential: RegisterPublicKeyCredential,
    /// Where the request comes from.
    pub origin: RequestOrigin,
}

/// What the answer to a ceremony of an addition is checked against.
#[derive(Serialize, Deserialize)]
struct State {
    user_handle: String,
    registration: PasskeyRegistration,
}

/// Asks a user's device for a new passkey. One that has a passkey for the account already refuses.
///
/// # Errors
/// [`PasskeyRefusal::Unavailable`], [`PasskeyRefusal::TooMany`], or a fault.
pub async fn begin_passkey(house: &House, user: &User) -> Result<PasskeyPrompt, CasinoError> {
    let relying_party = relying_party_of(house)?;
    let id = user.id;
    let own = passkeys_of(house, id).await?;
    require_room(&own)?;
    let handle = match own.first() {
        Some(passkey) => Uuid::parse_str(&passkey.user_handle).map_err(|error| unusable(&error))?,
        None => Uuid::from_bytes(randomness::bytes()?),
    };
    let (options, registration) = options(relying_party, handle, user, &own)?;
    let state = State {
        user_handle: handle.simple().to_string(),
        registration,
    };
    let options = &options.public_key;
    begin(house, PasskeyPurpose::Addition, Some(id), &state, options).await
}

fn options(
    relying_party: &Webauthn,
    handle: Uuid,
    user: &User,
    own: &[Passkey],
) -> Result<(CreationChallengeResponse, PasskeyRegistration), CasinoError> {
    let known = own.iter().map(credential_id_of);
    let known = known.collect::<Result<Vec<_>, CasinoError>>()?;
    let name = &user.username;
    let (mut options, registration) = relying_party
        .start_passkey_registration(handle, name, name, Some(known))
        .map_err(|error| not_begun(&error))?;
    if let Some(criteria) = &mut options.public_key.authenticator_selection {
        // So that the device finds it without a username.
        criteria.resident_key = Some(ResidentKeyRequirement::Required);
        criteria.require_resident_key = true;
    }
    Ok((options, registration))
}

fn require_room(own: &[Passkey]) -> Result<(), Refusal> {
    if own.len() < MAXIMUM_PASSKEYS {
        Ok(())
    } else {
        Err(PasskeyRefusal::TooMany.into())
    }
}

/// Adds the passkey that a device has made. If it is the user's first second factor, all other sessions
/// end, and the new recovery codes are returned, which are shown once.
///
/// # Errors
/// A [`PasskeyRefusal`], [`AccountRefusal::SessionEnded`], or a fault.
pub async fn add_passkey(
    house: &House,
    session: &SessionKeyHash,
    user: UserId,
    addition: PasskeyAddition,
) -> Result<Option<Vec<String>>, CasinoError> {
    let name = PasskeyName::parse(&addition.name).map_err(PasskeyRefusal::from);
    let name = name.map_err(Refusal::from)?;
    let relying_party = relying_party_of(house)?.clone();
    let session = session.clone();
    let codes = RecoveryCodes::generate()?;
    let hashes = codes.hashes();
    let kind = SecurityEventKind::PasskeyAdded;
    let at = house.now();
    let ended = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let found = transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
            let new = checked(transaction, &relying_party, user, &name, &addition, at)?;
            // The session may have been ended from another device in the meantime.
            if !transaction.confirm_session(session.as_str(), at)? {
                return Err(AccountRefusal::SessionEnded.into());
            }
            if !transaction.add_passkey(&new)? {
                return Err(Refusal::from(PasskeyRefusal::Invalid).into());
            }
            let ended = if found.has_second_factor {
                None
            } else {
                transaction.replace_recovery_codes(user, &hashes)?;
                // They were opened without a second factor.
                Some(transaction.end_other_sessions(user, session.as_str())?)
            };
            add_event(transaction, user, kind, &addition.origin, at)?;
            Ok(ended)
        })
        .await?;
    count_event(kind);
    Ok(ended.map(|ended| {
        house.events.close_ended(ended);
        codes.into_texts()
    }))
}

/// Checks the answer of the device.
fn checked(
    transaction: &mut Transaction<'_, '_>,
    relying_party: &Webauthn,
    user: UserId,
    name: &PasskeyName,
    addition: &PasskeyAddition,
    at: Timestamp,
) -> Result<NewPasskey, CasinoError> {
    let purpose = (PasskeyPurpose::Addition, Some(user));
    let state: Option<State> = take(transaction, &addition.ceremony, purpose, at)?;
    let state = state.ok_or(Refusal::from(PasskeyRefusal::CeremonyExpired))?;
    let own = transaction.passkeys_of(user)?;
    require_room(&own)?;
    // Begun at the same time as the first one, which has given the user another handle.
    if own
        .iter()
        .any(|passkey| passkey.user_handle != state.user_handle)
    {
        return Err(Refusal::from(PasskeyRefusal::CeremonyExpired).into());
    }
    let passkey = relying_party
        .finish_passkey_registration(&addition.credential, &state.registration)
        .map_err(|error| Refusal::from(refused(&error)))?;
    Ok(NewPasskey {
        user,
        user_handle: state.user_handle,
        credential_id: hex::encode(passkey.cred_id()),
        name: name.clone(),
        public_key: serde_json::to_string(&passkey).map_err(|error| unusable(&error))?,
        at,
    })
}
