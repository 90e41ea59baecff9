//! One-time passwords: what the house gives a user who has lost the password, or a new administrator.
//! Their user can only choose another password.

use std::time::Duration;

use glasshouse_domain::{AuditAction, NewPassword, SecurityEventKind, Timestamp};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::RequestOrigin;

use crate::accounts::login::find_credentials;
use crate::accounts::security_events::add_event;
use crate::administration::operator::{find_user, lock_named, operator_record};
use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::randomness::random_password;

/// How long a one-time password can be used.
const VALIDITY: Duration = Duration::from_hours(72);

/// Until when a one-time password that is issued now can be used.
pub(crate) fn one_time_end(at: Timestamp) -> Timestamp {
    at.saturating_add(VALIDITY)
}

/// Replaces a user's password by a one-time password, which is returned, and ends all sessions.
///
/// # Errors
/// [`Refusal::NotFound`] if the user does not exist, or a fault.
pub async fn reset_password(house: &House, username: &str) -> Result<String, CasinoError> {
    let id = find_user(house, username).await?;
    let password = random_password()?;
    let new = NewPassword::parse(password.clone()).map_err(Refusal::from)?;
    let hash = house.passwords.hash(new, |_| Ok(())).await?;
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            lock_named(transaction, id)?;
            transaction.set_one_time_password(id, &hash, at, one_time_end(at))?;
            transaction.end_sessions_of(id)?;
            let kind = SecurityEventKind::PasswordReset;
            add_event(transaction, id, kind, &RequestOrigin::default(), at)?;
            let record = operator_record(AuditAction::PasswordReset, Some(id), at);
            Ok(transaction.add_audit_record(&record)?)
        })
        .await?;
    Ok(password)
}

/// Whether a user, if there is one with this name, has still to use a one-time password.
///
/// # Errors
/// On a fault.
pub async fn awaits_first_use(house: &House, username: &str) -> Result<bool, CasinoError> {
    let Some(found) = find_credentials(house, username).await? else {
        return Ok(false);
    };
    let until = found.user.one_time_password_until;
    Ok(until.is_some_and(|until| house.now() < until))
}
