//! Users with passkeys on devices that make real signatures.

use glasshouse_casino::accounts::{
    PasskeyAddition, PasskeyAnswer, PasskeyPrompt, SessionKeyHash, add_passkey, begin_passkey,
    begin_passkey_confirmation, begin_passkey_sign_in, confirm_with_passkey, open_proved_session,
    sign_in_with_passkey,
};
use glasshouse_casino::{CasinoError, House, PasskeyRefusal, Refusal};
use glasshouse_domain::UserId;
use glasshouse_testing::PasskeyDevice;
use serde_json::Value;

use super::second_factors::{origin, user};

/// Where browsers reach the houses of the tests.
pub(crate) const ADDRESS: &str = "http://localhost";

pub(crate) fn device() -> PasskeyDevice {
    PasskeyDevice::at(ADDRESS)
}

/// The answer to a ceremony of signing in or confirming.
pub(crate) fn answer(prompt: &PasskeyPrompt, credential: Value) -> PasskeyAnswer {
    PasskeyAnswer {
        ceremony: prompt.ceremony.clone(),
        credential: serde_json::from_value(credential).unwrap(),
        origin: origin(),
    }
}

/// The answer to a ceremony of an addition.
pub(crate) fn addition(prompt: &PasskeyPrompt, name: &str, credential: Value) -> PasskeyAddition {
    PasskeyAddition {
        ceremony: prompt.ceremony.clone(),
        name: name.to_owned(),
        credential: serde_json::from_value(credential).unwrap(),
        origin: origin(),
    }
}

/// Makes a passkey on the device and adds it. Returns the recovery codes, if there are new ones.
pub(crate) async fn add(
    house: &House,
    session: &SessionKeyHash,
    device: &mut PasskeyDevice,
    name: &str,
) -> Result<Option<Vec<String>>, CasinoError> {
    let user = user(house, session).await;
    let prompt = begin_passkey(house, &user).await?;
    let made = device.make(&prompt.options).unwrap();
    let added = add_passkey(house, session, user.id, addition(&prompt, name, made)).await?;
    Ok(added)
}

/// Signs in with the device alone and opens a session.
pub(crate) async fn sign_in_on(
    house: &House,
    device: &mut PasskeyDevice,
) -> Result<SessionKeyHash, CasinoError> {
    let prompt = begin_passkey_sign_in(house).await?;
    let signed = device.sign(&prompt.options).unwrap();
    let found = sign_in_with_passkey(house, answer(&prompt, signed)).await?;
    let key = open_proved_session(house, found.proof, origin()).await?;
    Ok(SessionKeyHash::of(&key))
}

/// Confirms a session with the device.
pub(crate) async fn confirm_on(
    house: &House,
    (session, user): (&SessionKeyHash, UserId),
    device: &mut PasskeyDevice,
) -> Result<(), CasinoError> {
    let prompt = begin_passkey_confirmation(house, user).await?;
    let signed = device.sign(&prompt.options).unwrap();
    confirm_with_passkey(house, session.clone(), user, answer(&prompt, signed))
        .await
        .map(drop)
}

pub(crate) fn refused(refusal: PasskeyRefusal) -> Refusal {
    refusal.into()
}
