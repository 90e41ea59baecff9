//! Signs a user in with username and password.

use std::fmt;

use glasshouse_domain::{
    NewPassword, PasskeyId, SecurityEventKind, TypedPassword, UserId, UserStatus, Username,
};
use glasshouse_persistence::accounts::{Credentials, RequestOrigin};
use glasshouse_persistence::{Scope, queries};

use crate::accounts::password_hashing::Verified;
use crate::accounts::player::{PlayerView, player};
use crate::accounts::second_factor::check::{SecondFactorAttempt, check_second_factor};
use crate::accounts::security_events::record_failure;
use crate::error::{AccountRefusal, CasinoError, Refusal};
use crate::house::House;

/// A sign-in request. Any text is accepted; an invalid username belongs to no user.
pub struct SignIn {
    /// The username, in any case.
    pub username: String,
    /// The password.
    pub password: TypedPassword,
    /// Where the request comes from.
    pub origin: RequestOrigin,
}

/// A user who has proved who they are.
#[derive(Debug)]
pub struct Authenticated {
    /// The user.
    pub player: PlayerView,
    /// What a session is opened with.
    pub proof: SignInProof,
}

/// That a user has proved who they are, by something that may be overtaken before the session is opened.
#[derive(Clone)]
pub struct SignInProof {
    pub(crate) user: UserId,
    pub(crate) evidence: Evidence,
}

/// What was checked.
#[derive(Clone)]
pub(crate) enum Evidence {
    /// The password, and the second factor, if there is one. It is worth nothing once the password has
    /// changed, or once a second factor was set up that was not checked.
    Password {
        /// The hash that the password was compared with.
        password_hash: String,
        /// Whether a second factor was checked, too.
        has_second_factor: bool,
    },
    /// A passkey. It is worth nothing once the passkey was removed.
    Passkey(PasskeyId),
}

impl SignInProof {
    pub(crate) const fn of_passkey(user: UserId, passkey: PasskeyId) -> Self {
        Self {
            user,
            evidence: Evidence::Passkey(passkey),
        }
    }
}

impl fmt::Debug for SignInProof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SignInProof({})", self.user)
    }
}

/// Checks a username and a password, and then the second factor, if the user has one.
///
/// # Errors
/// [`Refusal::InvalidCredentials`] for an unknown username and for a wrong password, in the same
/// time. Only if the password is right: [`Refusal::Banned`], [`AccountRefusal::Closed`],
/// [`AccountRefusal::OneTimePasswordExpired`], [`AccountRefusal::SecondFactorRequired`] if none was entered,
/// [`AccountRefusal::InvalidSecondFactor`] and [`Refusal::TooManyAttempts`]. Or a fault.
pub async fn sign_in(
    house: &House,
    attempt: SignIn,
    second_factor: Option<SecondFactorAttempt>,
) -> Result<Authenticated, CasinoError> {
    let found = verify(house, attempt, SecurityEventKind::SignInFailed).await?;
    let has_second_factor = found.user.has_second_factor;
    if has_second_factor {
        let entered = second_factor.ok_or(AccountRefusal::SecondFactorRequired)?;
        let failure = SecurityEventKind::SecondFactorFailed;
        check_second_factor(house, found.user.id, entered, failure).await?;
    }
    let proof = SignInProof {
        user: found.user.id,
        evidence: Evidence::Password {
            password_hash: found.password_hash,
            has_second_factor,
        },
    };
    let player = player(house, found.user).await?;
    Ok(Authenticated { player, proof })
}

/// Checks a username and a password like [`sign_in`], and returns the user with the current hash. A
/// wrong password of an existing user is recorded as an event of the given kind.
pub(crate) async fn verify(
    house: &House,
    attempt: SignIn,
    failure: SecurityEventKind,
) -> Result<Credentials, CasinoError> {
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
    let mut found = found.ok_or(Refusal::InvalidCredentials)?;
    if verified == Verified::Wrong {
        record_failure(house, found.user.id, failure, attempt.origin);
        return Err(Refusal::InvalidCredentials.into());
    }
    if verified == Verified::RightAsTyped {
        found.password_hash = rehash(house, &attempt.username, &found, password).await?;
    }
    if let UserStatus::Banned { reason } = found.user.status {
        return Err(Refusal::Banned { reason }.into());
    }
    if found.user.closed_at.is_some() {
        return Err(AccountRefusal::Closed.into());
    }
    if let Some(until) = found.user.one_time_password_until
        && house.now() >= until
    {
        return Err(AccountRefusal::OneTimePasswordExpired.into());
    }
    Ok(found)
}

/// Replaces a legacy hash of the password as typed by a hash of its normal form, which is the same
/// on every keyboard, and returns the hash that is stored then: the new one, or that of another
/// request with the same password that was faster.
async fn rehash(
    house: &House,
    username: &str,
    found: &Credentials,
    password: TypedPassword,
) -> Result<String, CasinoError> {
    let new = house.passwords.hash_normal_form(password.clone()).await?;
    let (user, old) = (found.user.id, found.password_hash.clone());
    let stored = new.clone();
    let is_replaced = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            Ok(transaction.replace_password_hash(user, &old, &stored)?)
        })
        .await?;
    if is_replaced {
        return Ok(new);
    }
    let current = find_credentials(house, username).await?;
    let hash = current.ok_or(Refusal::InvalidCredentials)?.password_hash;
    match house.passwords.verify(password, Some(hash.clone())).await? {
        Verified::Wrong => Err(Refusal::InvalidCredentials.into()),
        Verified::Right | Verified::RightAsTyped => Ok(hash),
    }
}

/// Finds a user by name; no user has an invalid one.
///
/// # Errors
/// On a fault.
pub(crate) async fn find_credentials(
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
