//! Changes a user's own password.

use glasshouse_domain::{NewPassword, SecurityEventKind};
use glasshouse_persistence::Scope;

use crate::accounts::login::SignIn;
use crate::accounts::new_password::hash_new_password;
use crate::accounts::security_events::{add_event, count_event};
use crate::accounts::session_key::SessionKeyHash;
use crate::accounts::sessions::{check_own_password, new_session_key};
use crate::error::{AccountRefusal, CasinoError, Refusal};
use crate::house::House;

/// A request to change the password.
pub struct PasswordChange {
    /// The user with the current password, and where the request comes from.
    pub current: SignIn,
    /// The new password.
    pub new: NewPassword,
}

/// Changes the password of the session's user. All other sessions end, and this one continues with a
/// new key, which is returned: a thief may have the old one.
///
/// # Errors
/// [`Refusal::InvalidCredentials`] if the current password is wrong, [`AccountRefusal::PasswordUnchanged`],
/// [`AccountRefusal::SessionEnded`], a refusal of the new password, or a fault.
pub async fn change_password(
    house: &House,
    session: &SessionKeyHash,
    change: PasswordChange,
) -> Result<String, CasinoError> {
    let PasswordChange { current, new } = change;
    let origin = current.origin.clone();
    let is_same = NewPassword::normal_form(current.password.expose()) == new.expose();
    let found = check_own_password(house, session, current).await?;
    if is_same {
        return Err(AccountRefusal::PasswordUnchanged.into());
    }
    let (user, old_hash) = (found.user, found.password_hash);
    let new_hash = hash_new_password(house, new, &user.username, user.role).await?;
    let session = session.clone();
    let key = new_session_key()?;
    let opened = SessionKeyHash::of(&key);
    let kind = SecurityEventKind::PasswordChanged;
    let id = user.id;
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            // Since the password was checked, it may have been changed or the session ended from
            // another device. The user is locked first, as by everything that ends sessions.
            let locked = transaction.lock_user(id)?;
            if transaction.lock_password_hash(id)?.as_ref() != Some(&old_hash) {
                return Err(Refusal::InvalidCredentials.into());
            }
            // A password does not confirm the session of a user with a second factor.
            let is_open = if locked.is_some_and(|user| user.has_second_factor) {
                transaction.last_activity(session.as_str())?.is_some()
            } else {
                transaction.confirm_session(session.as_str(), at)?
            };
            if !is_open {
                return Err(AccountRefusal::SessionEnded.into());
            }
            transaction.change_password_hash(id, &new_hash, at)?;
            transaction.change_session_key(session.as_str(), opened.as_str())?;
            transaction.end_other_sessions(id, opened.as_str())?;
            add_event(transaction, id, kind, &origin, at)
        })
        .await?;
    count_event(kind);
    house.events.close(id);
    Ok(key)
}
