//! What a user has as the second factor, and its removal.

use glasshouse_domain::{SecurityEventKind, UserId};
use glasshouse_persistence::accounts::{RequestOrigin, SecondFactorStatus, User};
use glasshouse_persistence::{Scope, queries};

use crate::accounts::security_events::{add_event, count_event};
use crate::error::{AccountRefusal, CasinoError, Refusal};
use crate::house::House;

/// Reads what a user has as the second factor.
///
/// # Errors
/// On a fault.
pub async fn read_second_factor(
    house: &House,
    user: UserId,
) -> Result<SecondFactorStatus, CasinoError> {
    house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            queries::second_factor_status(connection, user)
        })
        .await
}

/// Removes a user's authenticator and, without a passkey, the recovery codes.
///
/// # Errors
/// [`AccountRefusal::NoSecondFactor`]; [`AccountRefusal::SecondFactorMandatory`] for administrators without
/// a passkey; or a fault.
pub async fn remove_authenticator(
    house: &House,
    user: UserId,
    origin: RequestOrigin,
) -> Result<(), CasinoError> {
    let kind = SecurityEventKind::AuthenticatorRemoved;
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let found = transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
            if transaction.authenticator(user)?.is_none() {
                return Err(AccountRefusal::NoSecondFactor.into());
            }
            if transaction.passkeys_of(user)?.is_empty() {
                require_other_factor(&found)?;
                transaction.remove_second_factor(user, at)?;
            } else {
                transaction.remove_authenticator(user)?;
                transaction.note_removed_factor(user, at)?;
            }
            add_event(transaction, user, kind, &origin, at)
        })
        .await?;
    count_event(kind);
    Ok(())
}

/// Refuses to leave an administrator without any second factor.
pub(crate) fn require_other_factor(user: &User) -> Result<(), AccountRefusal> {
    if user.is_administrator() {
        Err(AccountRefusal::SecondFactorMandatory)
    } else {
        Ok(())
    }
}
