//! Chooses a new password with the link that was sent to the user's address.

use glasshouse_domain::{NewPassword, Role, SecurityEventKind, Timestamp};
use glasshouse_persistence::accounts::{RequestOrigin, User};
use glasshouse_persistence::email::PendingRecovery;
use glasshouse_persistence::{DatabaseError, Scope, Transaction, queries};

use crate::accounts::new_password::hash_new_password;
use crate::accounts::security_events::{add_event, count_event};
use crate::email::link_token::hash_of;
use crate::error::{CasinoError, EmailRefusal};
use crate::house::House;
use crate::mail::message::RECOVERY_VALIDITY;

/// Sets a new password with a link, which can be used once, and ends all sessions. Nobody is signed in
/// by it. A password that is refused leaves the link as it is.
///
/// # Errors
/// [`EmailRefusal::LinkUnusable`], a refusal of the password, or a fault.
pub async fn recover_password(
    house: &House,
    token: &str,
    password: NewPassword,
    origin: RequestOrigin,
) -> Result<(), CasinoError> {
    let token_hash = hash_of(token).ok_or(EmailRefusal::LinkUnusable)?;
    let (found, user) = find(house, token_hash.clone()).await?;
    // Otherwise anybody could keep the house busy with hashing.
    if !is_in_time(&found, house.now()) {
        return Err(EmailRefusal::LinkUnusable.into());
    }
    let new_hash = hash_new_password(house, password, &user.username, user.role).await?;
    let id = user.id;
    let kind = SecurityEventKind::PasswordRecovered;
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            transaction
                .lock_user(id)?
                .ok_or(EmailRefusal::LinkUnusable)?;
            judge(transaction, &found, &token_hash, at)?;
            transaction.change_password_hash(id, &new_hash, at)?;
            transaction.end_sessions_of(id)?;
            add_event(transaction, id, kind, &origin, at)
        })
        .await?;
    count_event(kind);
    house.events.close(id);
    Ok(())
}

async fn find(house: &House, token_hash: String) -> Result<(PendingRecovery, User), CasinoError> {
    let found = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            let Some(found) = queries::recovery_by_token(connection, &token_hash)? else {
                return Ok(None);
            };
            Ok(queries::user(connection, found.user)?.map(|user| (found, user)))
        })
        .await?;
    found.ok_or_else(|| EmailRefusal::LinkUnusable.into())
}

/// Uses up the link, if it can still be used. The user is locked.
fn judge(
    transaction: &mut Transaction<'_, '_>,
    found: &PendingRecovery,
    token_hash: &str,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let changed_at = transaction.password_changed_at(found.user)?;
    let is_void = changed_at.is_some_and(|changed_at| changed_at >= found.requested_at);
    let user = transaction.user(found.user)?;
    let may_recover =
        user.is_some_and(|user| user.role == Role::Player && user.closed_at.is_none());
    if is_void
        || !may_recover
        || !is_in_time(found, at)
        || !transaction.take_recovery(found.user, token_hash)?
    {
        return Err(EmailRefusal::LinkUnusable.into());
    }
    Ok(())
}

fn is_in_time(found: &PendingRecovery, at: Timestamp) -> bool {
    at < found.requested_at.saturating_add(RECOVERY_VALIDITY)
}
