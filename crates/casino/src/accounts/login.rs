//! Signs a user in with username and password.

use glasshouse_domain::{NewPassword, TypedPassword, UserStatus, Username};
use glasshouse_persistence::accounts::Credentials;
use glasshouse_persistence::{Scope, queries};

use crate::accounts::password_hashing::Verified;
use crate::accounts::player::{PlayerView, player};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// A sign-in request. Any text is accepted; an invalid username belongs to no user.
pub struct SignIn {
    /// The username, in any case.
    pub username: String,
    /// The password.
    pub password: TypedPassword,
}

/// Checks a username and a password.
///
/// # Errors
/// [`Refusal::InvalidCredentials`] for an unknown username and for a wrong password, in the same
/// time; [`Refusal::Banned`] only if the password is right; or a fault.
pub async fn sign_in(house: &House, attempt: SignIn) -> Result<PlayerView, CasinoError> {
    let found = find_credentials(house, &attempt.username).await?;
    let stored = found
        .as_ref()
        .map(|credentials| credentials.password_hash.clone());
    // No password is longer, so hashing more would only waste time.
    let is_too_long = attempt.password.expose().len() > NewPassword::MAXIMUM_BYTES;
    let password = if is_too_long {
        TypedPassword::new(String::new())
    } else {
        attempt.password
    };
    let verified = house.passwords.verify(password.clone(), stored).await?;
    let found = found
        .filter(|_| verified != Verified::Wrong)
        .ok_or(Refusal::InvalidCredentials)?;
    if verified == Verified::RightAsTyped {
        rehash(house, &found, password).await?;
    }
    let user = found.user;
    if let UserStatus::Banned { reason } = user.status {
        return Err(Refusal::Banned { reason }.into());
    }
    player(house, user).await
}

/// Replaces a legacy hash of the password as typed by a hash of its normal form, which is the same
/// on every keyboard.
async fn rehash(
    house: &House,
    found: &Credentials,
    password: TypedPassword,
) -> Result<(), CasinoError> {
    let new = house.passwords.hash_normal_form(password).await?;
    let (user, old) = (found.user.id, found.password_hash.clone());
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            Ok(transaction.replace_password_hash(user, &old, &new)?)
        })
        .await
}

async fn find_credentials(
    house: &House,
    username: &str,
) -> Result<Option<Credentials>, CasinoError> {
    let Ok(username) = Username::parse(username) else {
        return Ok(None);
    };
    house
        .database
        .read(move |connection| queries::credentials(connection, &username.key()))
        .await
}
