//! Removes a passkey from an account.

use glasshouse_domain::{PasskeyId, SecurityEventKind, UserId};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::RequestOrigin;

use crate::accounts::second_factor::remove::require_other_factor;
use crate::accounts::security_events::{add_event, count_event};
use crate::accounts::session_key::SessionKeyHash;
use crate::error::{AccountRefusal, CasinoError, Refusal};
use crate::house::House;

/// Removes a passkey and ends all other sessions, because whoever has the device may have opened them.
/// Without another second factor, the recovery codes are removed as well.
///
/// # Errors
/// [`Refusal::NotFound`]; [`AccountRefusal::SecondFactorMandatory`] if it is an administrator's last second
/// factor; [`AccountRefusal::SessionEnded`]; or a fault.
pub async fn remove_passkey(
    house: &House,
    session: &SessionKeyHash,
    user: UserId,
    id: PasskeyId,
    origin: RequestOrigin,
) -> Result<(), CasinoError> {
    let session = session.clone();
    let kind = SecurityEventKind::PasskeyRemoved;
    let at = house.now();
    let ended = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let found = transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
            let own = transaction.passkeys_of(user)?;
            if !own.iter().any(|passkey| passkey.id == id) {
                return Err(Refusal::NotFound.into());
            }
            if transaction.last_activity(session.as_str())?.is_none() {
                return Err(AccountRefusal::SessionEnded.into());
            }
            if own.len() > 1 || transaction.authenticator(user)?.is_some() {
                transaction.remove_passkey(id)?;
                transaction.note_removed_factor(user, at)?;
            } else {
                require_other_factor(&found)?;
                transaction.remove_second_factor(user, at)?;
            }
            let ended = transaction.end_other_sessions(user, session.as_str())?;
            add_event(transaction, user, kind, &origin, at)?;
            Ok(ended)
        })
        .await?;
    count_event(kind);
    house.events.close_ended(ended);
    Ok(())
}
