//! A user signs in with name and password.

use glasshouse_domain::{NewPassword, UserStatus, Username};
use glasshouse_persistence::accounts::Credentials;
use glasshouse_persistence::{Scope, queries};

use crate::accounts::password_hashing::Verified;
use crate::accounts::player::{PlayerView, player};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// What a visitor fills in. Any text will do: what is no username is nobody's.
pub struct SignIn {
    /// The name, in any case.
    pub username: String,
    /// The password.
    pub password: String,
}

/// Checks a name and a password.
///
/// # Errors
/// [`Refusal::InvalidCredentials`] for an unknown name and for a wrong password alike, in the same
/// time; [`Refusal::Banned`] only to who knows the password; or a fault.
pub async fn sign_in(house: &House, attempt: SignIn) -> Result<PlayerView, CasinoError> {
    let found = find(house, &attempt.username).await?;
    let stored = found
        .as_ref()
        .map(|credentials| credentials.password_hash.clone());
    // No password is longer; hashing more would only cost time.
    let mut password = attempt.password;
    if password.len() > NewPassword::MAXIMUM_BYTES {
        password.clear();
    }
    let verified = house.passwords.verify(password.clone(), stored).await?;
    let found = found
        .filter(|_| verified != Verified::Wrong)
        .ok_or(Refusal::InvalidCredentials)?;
    if verified == Verified::RightAsTyped {
        hash_anew(house, &found, password).await?;
    }
    let user = found.user;
    if let UserStatus::Banned { reason } = user.status {
        return Err(Refusal::Banned { reason }.into());
    }
    player(house, user).await
}

/// Replaces a hash that was made of a password as it was typed, so that it is the same on every
/// keyboard from now on.
async fn hash_anew(
    house: &House,
    found: &Credentials,
    password: String,
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

async fn find(house: &House, username: &str) -> Result<Option<Credentials>, CasinoError> {
    let Ok(username) = Username::parse(username) else {
        return Ok(None);
    };
    house
        .database
        .read(move |connection| queries::credentials(connection, &username.key()))
        .await
}
