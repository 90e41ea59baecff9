//! Sessions are opened by a login and ended by a logout, a ban, inactivity or age.

use std::collections::HashSet;
use std::time::Duration;

use glasshouse_domain::{PasskeyPurpose, SecurityEventKind, Timestamp, UserId, UserStatus};
use glasshouse_persistence::accounts::{Credentials, RequestOrigin, User};
use glasshouse_persistence::{Scope, Transaction};

use crate::accounts::activity::{
    ACTIVITY_RESOLUTION, IDLE_LIMIT, add_activity, count_before_sign_in,
};
use crate::accounts::login::{Evidence, SignIn, SignInProof, verify};
use crate::accounts::passkeys::{self, PasskeyAnswer};
use crate::accounts::second_factor::check::{SecondFactorAttempt, check_second_factor};
use crate::accounts::security_events::{add_event, count_event};
use crate::accounts::session_key::SessionKeyHash;
use crate::error::{AccountRefusal, CasinoError, PasskeyRefusal, Refusal};
use crate::house::House;
use crate::randomness;

/// A session ends after this long in any case.
pub const ABSOLUTE_LIMIT: Duration = Duration::from_hours(12);
/// How long a confirmation counts: the password or, for users who have one, the second factor.
const CONFIRMATION: Duration = Duration::from_mins(5);
/// This many wrong passwords or codes in a row end the session, so that a stolen session cannot be
/// used to guess them.
const MAXIMUM_REFUSED_CONFIRMATIONS: i64 = 10;
/// The maximum number of ended sessions removed per call.
const PURGE_LIMIT: i64 = 500;

/// A valid session.
#[derive(Debug, Clone)]
pub struct Session {
    /// The user with the current role and status.
    pub user: User,
    /// Whether the stored time of the last activity must be updated.
    pub is_touch_due: bool,
    /// Until when actions that need a confirmation need no new one.
    pub confirmed_until: Timestamp,
    /// When the session ends if the user stays inactive.
    pub ends_at: Timestamp,
}

/// Opens a session for a user who has just registered, and returns its key: 256 random bits that only
/// the browser keeps.
///
/// # Errors
/// On a fault.
pub async fn open_session(
    house: &House,
    user: UserId,
    origin: RequestOrigin,
) -> Result<String, CasinoError> {
    open(house, user, None, origin).await
}

/// Opens a session for a user who has signed in, and returns its key.
///
/// # Errors
/// [`Refusal::InvalidCredentials`] if the password has changed since it was checked, which ended all
/// sessions; [`AccountRefusal::SecondFactorRequired`] if a second factor was set up since;
/// [`PasskeyRefusal::Invalid`] if the passkey was removed since; [`AccountRefusal::Closed`] if the account has been closed since; or a fault.
pub async fn open_proved_session(
    house: &House,
    proof: SignInProof,
    origin: RequestOrigin,
) -> Result<String, CasinoError> {
    open(house, proof.user, Some(proof), origin).await
}

async fn open(
    house: &House,
    user: UserId,
    proof: Option<SignInProof>,
    origin: RequestOrigin,
) -> Result<String, CasinoError> {
    let key = new_session_key()?;
    let hash = SessionKeyHash::of(&key);
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(user), move |transaction| {
            // Since the password was checked, it may have changed, or the account been closed.
            let found = transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
            if let Some(proof) = &proof {
                check_proof(transaction, proof, &found)?;
            }
            if found.closed_at.is_some() {
                return Err(AccountRefusal::Closed.into());
            }
            count_before_sign_in(transaction, user, at)?;
            transaction.add_session(hash.as_str(), user, &origin, at)?;
            transaction.note_session_start(hash.as_str(), user, at)?;
            add_event(transaction, user, SecurityEventKind::SignedIn, &origin, at)
        })
        .await?;
    count_event(SecurityEventKind::SignedIn);
    Ok(key)
}

/// Refuses a proof that a change of the password, the second factor or the passkeys has overtaken.
fn check_proof(
    transaction: &mut Transaction<'_, '_>,
    proof: &SignInProof,
    user: &User,
) -> Result<(), CasinoError> {
    match &proof.evidence {
        Evidence::Password {
            password_hash,
            has_second_factor,
        } => {
            if transaction.lock_password_hash(user.id)?.as_ref() != Some(password_hash) {
                return Err(Refusal::InvalidCredentials.into());
            }
            if user.has_second_factor && !has_second_factor {
                return Err(AccountRefusal::SecondFactorRequired.into());
            }
        }
        Evidence::Passkey(id) => {
            let own = transaction.passkeys_of(user.id)?;
            if !own.iter().any(|passkey| passkey.id == *id) {
                return Err(Refusal::from(PasskeyRefusal::Invalid).into());
            }
        }
    }
    Ok(())
}

/// A new session key.
pub(crate) fn new_session_key() -> Result<String, CasinoError> {
    Ok(hex::encode(randomness::bytes::<32>()?))
}

/// Finds the session of a key. Returns `None` if it does not exist, is too old or was idle for too
/// long.
///
/// # Errors
/// [`Refusal::Banned`] if its user is banned, or a fault.
pub async fn find_session(
    house: &House,
    key: SessionKeyHash,
) -> Result<Option<Session>, CasinoError> {
    let found = house.database.session(key.as_str().to_owned()).await?;
    let now = house.now();
    let Some(row) = found else {
        return Ok(None);
    };
    let idle = now.saturating_since(row.last_active_at);
    let age = now.saturating_since(row.created_at);
    if idle >= IDLE_LIMIT || age >= ABSOLUTE_LIMIT {
        return Ok(None);
    }
    if let UserStatus::Banned { reason } = row.user.status {
        return Err(Refusal::Banned { reason }.into());
    }
    Ok(Some(Session {
        user: row.user,
        is_touch_due: idle >= ACTIVITY_RESOLUTION,
        confirmed_until: row.confirmed_at.saturating_add(CONFIRMATION),
        ends_at: (row.last_active_at.saturating_add(IDLE_LIMIT))
            .min(row.created_at.saturating_add(ABSOLUTE_LIMIT)),
    }))
}

/// Records activity of the user. Returns false if the session has ended; it stays ended.
///
/// # Errors
/// On a fault.
pub async fn touch_session(house: &House, key: SessionKeyHash) -> Result<bool, CasinoError> {
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            Ok(transaction.touch_session(key.as_str(), at)?)
        })
        .await
}

/// Checks the password of the session's user again and stores the confirmation. Returns until when
/// it is valid. Ten wrong passwords in a row end the session.
///
/// # Errors
/// [`Refusal::InvalidCredentials`] if the password is wrong, [`AccountRefusal::SecondFactorRequired`] if the
/// user has a second factor, which is then what confirms; [`AccountRefusal::SessionEnded`]; or a fault.
pub async fn confirm_session(
    house: &House,
    key: SessionKeyHash,
    attempt: SignIn,
) -> Result<Timestamp, CasinoError> {
    let origin = attempt.origin.clone();
    let user = check_own_password(house, &key, attempt).await?.user;
    if user.has_second_factor {
        return Err(AccountRefusal::SecondFactorRequired.into());
    }
    store_confirmation(house, key, user.id, origin).await
}

/// Checks the second factor of the session's user and stores the confirmation. Returns until when it is
/// valid. Ten wrong codes in a row end the session.
///
/// # Errors
/// [`AccountRefusal::InvalidSecondFactor`], [`AccountRefusal::SessionEnded`], or a fault.
pub async fn confirm_with_second_factor(
    house: &House,
    key: SessionKeyHash,
    user: UserId,
    attempt: SecondFactorAttempt,
) -> Result<Timestamp, CasinoError> {
    let origin = attempt.origin.clone();
    let failure = SecurityEventKind::ConfirmationCodeFailed;
    let outcome = check_second_factor(house, user, attempt, failure).await;
    counted(house, &key, outcome).await?;
    store_confirmation(house, key, user, origin).await
}

/// Checks the signature of a passkey of the session's user and stores the confirmation. Returns until when
/// it is valid. Ten wrong ones in a row end the session.
///
/// # Errors
/// A [`PasskeyRefusal`], [`AccountRefusal::SessionEnded`], or a fault.
pub async fn confirm_with_passkey(
    house: &House,
    key: SessionKeyHash,
    user: UserId,
    answer: PasskeyAnswer,
) -> Result<Timestamp, CasinoError> {
    let origin = answer.origin.clone();
    let purpose = (PasskeyPurpose::Confirmation, Some(user));
    let outcome = passkeys::check::check(house, purpose, answer).await;
    counted(house, &key, outcome).await?;
    store_confirmation(house, key, user, origin).await
}

async fn store_confirmation(
    house: &House,
    key: SessionKeyHash,
    user: UserId,
    origin: RequestOrigin,
) -> Result<Timestamp, CasinoError> {
    let at = house.now();
    let is_open = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let is_open = transaction.confirm_session(key.as_str(), at)?;
            if is_open {
                add_event(transaction, user, SecurityEventKind::Confirmed, &origin, at)?;
            }
            Ok(is_open)
        })
        .await?;
    if !is_open {
        return Err(AccountRefusal::SessionEnded.into());
    }
    count_event(SecurityEventKind::Confirmed);
    Ok(at.saturating_add(CONFIRMATION))
}

/// Checks the password of the session's user, which confirms the session unless the user has a second
/// factor. Ten wrong passwords in a row end the session.
///
/// # Errors
/// [`Refusal::InvalidCredentials`], [`AccountRefusal::SessionEnded`], or a fault.
pub async fn check_session_password(
    house: &House,
    key: SessionKeyHash,
    attempt: SignIn,
) -> Result<(), CasinoError> {
    let origin = attempt.origin.clone();
    let user = check_own_password(house, &key, attempt).await?.user;
    if !user.has_second_factor {
        store_confirmation(house, key, user.id, origin).await?;
    }
    Ok(())
}

/// Checks the password of the session's user. Ten wrong passwords in a row end the session.
///
/// # Errors
/// [`Refusal::InvalidCredentials`], or a fault.
pub(crate) async fn check_own_password(
    house: &House,
    key: &SessionKeyHash,
    attempt: SignIn,
) -> Result<Credentials, CasinoError> {
    let outcome = verify(house, attempt, SecurityEventKind::ConfirmationFailed).await;
    counted(house, key, outcome).await
}

/// Passes the outcome of a check in a session on, and counts it if what was entered is wrong.
async fn counted<T>(
    house: &House,
    key: &SessionKeyHash,
    outcome: Result<T, CasinoError>,
) -> Result<T, CasinoError> {
    if outcome.as_ref().is_err_and(CasinoError::is_wrong_proof) {
        refuse_confirmation(house, key).await?;
    }
    outcome
}

/// Counts a wrong password, code or passkey, and ends the session if there were too many in a row.
async fn refuse_confirmation(house: &House, key: &SessionKeyHash) -> Result<(), CasinoError> {
    let refused = key.clone();
    let is_ended = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let limit = MAXIMUM_REFUSED_CONFIRMATIONS;
            Ok(transaction.refuse_confirmation(refused.as_str(), limit)?)
        })
        .await?;
    if is_ended {
        house.events.close_sessions(&HashSet::from([key.clone()]));
    }
    Ok(())
}

/// Ends the session that a request of its user belongs to, if it exists, and closes its event streams.
/// The request counts as activity. If the user signs out, this is recorded with where the request came
/// from.
///
/// # Errors
/// On a fault.
pub async fn end_session(
    house: &House,
    user: UserId,
    key: SessionKeyHash,
    sign_out: Option<RequestOrigin>,
) -> Result<(), CasinoError> {
    let kind = SecurityEventKind::SignedOut;
    let ended = key.clone();
    let at = house.now();
    let is_signed_out = house
        .database
        .write::<_, CasinoError, _>(Scope::player(user), move |transaction| {
            add_activity(transaction, user, &ended, at)?;
            let existed = transaction.end_session(ended.as_str())?.is_some();
            let Some(origin) = sign_out.as_ref().filter(|_| existed) else {
                return Ok(false);
            };
            add_event(transaction, user, kind, origin, at)?;
            Ok(true)
        })
        .await?;
    if is_signed_out {
        count_event(kind);
    }
    house.events.close_sessions(&HashSet::from([key]));
    Ok(())
}

/// Removes sessions that have ended by inactivity, a bounded number per call, and returns how many
/// were removed.
///
/// # Errors
/// On a fault.
pub async fn purge_sessions(house: &House) -> Result<usize, CasinoError> {
    let idle_since = house.now().saturating_sub(IDLE_LIMIT);
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            Ok(transaction.purge_sessions(idle_since, PURGE_LIMIT)?)
        })
        .await
}
