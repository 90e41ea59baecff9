//! Checks the signature of a passkey, to sign in or to confirm an action.

use glasshouse_domain::{
    AuditAction, PasskeyPurpose, SecurityEventKind, Timestamp, UserId, UserStatus,
};
use glasshouse_persistence::accounts::{Passkey, RequestOrigin, User};
use glasshouse_persistence::{Scope, Transaction};
use webauthn_rs::Webauthn;
use webauthn_rs::prelude::{DiscoverableAuthentication, PublicKeyCredential};
use webauthn_rs_proto::AllowCredentials;

use crate::accounts::audited_events::RefusedAttempt;
use crate::accounts::login::{Authenticated, SignInProof};
use crate::accounts::passkeys::ceremony::{
    PasskeyPrompt, begin, credential_id_of, not_begun, passkeys_of, refused, relying_party_of,
    take, unusable,
};
use crate::accounts::player::player;
use crate::accounts::security_events::record_failure;
use crate::error::{AccountRefusal, CasinoError, PasskeyRefusal, Refusal};
use crate::house::House;

/// The answer of a device to the request for a signature.
#[derive(Debug, Clone)]
pub struct PasskeyAnswer {
    /// The key of the ceremony.
    pub ceremony: String,
    /// What the device returned.
    pub credential: PublicKeyCredential,
    /// Where the request comes from.
    pub origin: RequestOrigin,
}

/// What was found out about an answer.
enum Outcome {
    Right(Box<(User, Passkey)>),
    /// Nobody began this ceremony, or it is over.
    Expired,
    /// Nobody has this passkey, or somebody else.
    Unknown,
    /// It is this user's passkey, but the answer is not right.
    Wrong(UserId),
}

/// Asks a device for the signature of whichever passkey its owner chooses.
///
/// # Errors
/// [`PasskeyRefusal::Unavailable`], or a fault.
pub async fn begin_passkey_sign_in(house: &House) -> Result<PasskeyPrompt, CasinoError> {
    let (options, state) = relying_party_of(house)?
        .start_discoverable_authentication()
        .map_err(|error| not_begun(&error))?;
    let options = &options.public_key;
    begin(house, PasskeyPurpose::SignIn, None, &state, options).await
}

/// Asks a device for the signature of one of the user's passkeys.
///
/// # Errors
/// [`PasskeyRefusal::Unavailable`], [`PasskeyRefusal::None`] if the user has no passkey, or a fault.
pub async fn begin_passkey_confirmation(
    house: &House,
    user: UserId,
) -> Result<PasskeyPrompt, CasinoError> {
    let relying_party = relying_party_of(house)?;
    let own = passkeys_of(house, user).await?;
    if own.is_empty() {
        return Err(Refusal::from(PasskeyRefusal::None).into());
    }
    let (mut options, state) = relying_party
        .start_discoverable_authentication()
        .map_err(|error| not_begun(&error))?;
    // The browser then offers no passkeys of other accounts. Whose it is, is checked with the answer.
    for passkey in own {
        let id = credential_id_of(&passkey)?;
        options.public_key.allow_credentials.push(AllowCredentials {
            type_: "public-key".to_owned(),
            id,
            transports: None,
        });
    }
    let options = &options.public_key;
    begin(
        house,
        PasskeyPurpose::Confirmation,
        Some(user),
        &state,
        options,
    )
    .await
}

/// Signs a user in with a passkey alone. Its owner has unlocked the device, so it is both factors.
///
/// # Errors
/// [`PasskeyRefusal::Unavailable`], [`PasskeyRefusal::CeremonyExpired`], [`PasskeyRefusal::Invalid`]; only
/// if the signature is right: [`Refusal::Banned`] and [`AccountRefusal::Closed`]; or a fault.
pub async fn sign_in_with_passkey(
    house: &House,
    answer: PasskeyAnswer,
) -> Result<Authenticated, CasinoError> {
    let (user, passkey) = check(house, (PasskeyPurpose::SignIn, None), answer).await?;
    if let UserStatus::Banned { reason } = user.status {
        return Err(Refusal::Banned { reason }.into());
    }
    if user.closed_at.is_some() {
        return Err(AccountRefusal::Closed.into());
    }
    let proof = SignInProof::of_passkey(user.id, passkey.id);
    let player = player(house, user).await?;
    Ok(Authenticated { player, proof })
}

/// Checks the answer to a request for a signature, which is then used up. A wrong signature is recorded.
///
/// # Errors
/// As for [`sign_in_with_passkey`].
pub(crate) async fn check(
    house: &House,
    (purpose, expected): (PasskeyPurpose, Option<UserId>),
    answer: PasskeyAnswer,
) -> Result<(User, Passkey), CasinoError> {
    let relying_party = relying_party_of(house)?.clone();
    let PasskeyAnswer {
        ceremony,
        credential,
        origin,
    } = answer;
    let at = house.now();
    // A wrong answer is no error in here, because the end of the ceremony must be committed.
    let outcome = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let state = take(transaction, &ceremony, (purpose, expected), at)?;
            let Some(state) = state else {
                return Ok(Outcome::Expired);
            };
            judge(
                transaction,
                &relying_party,
                (&credential, state),
                expected,
                at,
            )
        })
        .await?;
    match outcome {
        Outcome::Right(found) => Ok(*found),
        Outcome::Expired => Err(Refusal::from(PasskeyRefusal::CeremonyExpired).into()),
        Outcome::Unknown => Err(Refusal::from(PasskeyRefusal::Invalid).into()),
        Outcome::Wrong(user) => {
            let mut refused = RefusedAttempt::from(SecurityEventKind::PasskeyFailed);
            if purpose == PasskeyPurpose::Confirmation {
                refused.action = AuditAction::ConfirmationRefused;
            }
            record_failure(house, user, refused, origin);
            Err(Refusal::from(PasskeyRefusal::Invalid).into())
        }
    }
}

fn judge(
    transaction: &mut Transaction<'_, '_>,
    relying_party: &Webauthn,
    (credential, state): (&PublicKeyCredential, DiscoverableAuthentication),
    expected: Option<UserId>,
    at: Timestamp,
) -> Result<Outcome, CasinoError> {
    let id = hex::encode(credential.get_credential_id());
    let Some(found) = transaction.passkey(&id)? else {
        return Ok(Outcome::Unknown);
    };
    if expected.is_some_and(|expected| expected != found.user) {
        return Ok(Outcome::Unknown);
    }
    let user = transaction
        .lock_user(found.user)?
        .ok_or(Refusal::NotFound)?;
    // It may have been removed, or used, before the lock.
    let Some(found) = transaction.passkey(&id)? else {
        return Ok(Outcome::Unknown);
    };
    let handle = credential.get_user_unique_id().map(hex::encode);
    // Devices leave it out if they were asked for certain passkeys.
    let is_other = handle.map_or(expected.is_none(), |handle| handle != found.user_handle);
    if is_other {
        return Ok(Outcome::Wrong(user.id));
    }
    let mut stored: webauthn_rs::prelude::Passkey =
        serde_json::from_str(&found.public_key).map_err(|error| unusable(&error))?;
    match relying_party.finish_discoverable_authentication_v2(credential, state, &stored) {
        Ok(result) => {
            stored.update_credential(&result);
            let public_key = serde_json::to_string(&stored).map_err(|error| unusable(&error))?;
            transaction.use_passkey(found.id, &public_key, at)?;
            Ok(Outcome::Right(Box::new((user, found))))
        }
        Err(error) => {
            refused(&error);
            Ok(Outcome::Wrong(user.id))
        }
    }
}
