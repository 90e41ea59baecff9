//! What the operator does to accounts from the command line.

use glasshouse_domain::{AuditAction, Timestamp, UserId, Username};
use glasshouse_persistence::accounts::{Credentials, User};
use glasshouse_persistence::audit::NewAuditRecord;
use glasshouse_persistence::{Transaction, queries};

use crate::error::{AccountRefusal, CasinoError, Refusal};
use crate::house::House;

/// Finds a user by name, regardless of case.
///
/// # Errors
/// [`Refusal::NotFound`], a refusal of the name, or a fault.
pub(crate) async fn find_user(house: &House, username: &str) -> Result<UserId, CasinoError> {
    find_by_key(
        house,
        Username::parse(username).map_err(Refusal::from)?.key(),
    )
    .await
}

/// Finds a user by the name in lower case, which may be a pseudonym.
///
/// # Errors
/// [`Refusal::NotFound`], or a fault.
pub(crate) async fn find_by_key(house: &House, key: String) -> Result<UserId, CasinoError> {
    let found: Option<Credentials> = house
        .database
        .read::<_, CasinoError, _>(move |connection| queries::credentials(connection, &key))
        .await?;
    Ok(found.ok_or(Refusal::NotFound)?.user.id)
}

/// Locks a user who was found by name until the commit. Meanwhile the name may have gone.
///
/// # Errors
/// [`Refusal::NotFound`], [`AccountRefusal::Pseudonymised`], or a fault.
pub(crate) fn lock_named(
    transaction: &mut Transaction<'_, '_>,
    id: UserId,
) -> Result<User, CasinoError> {
    let user = transaction.lock_user(id)?.ok_or(Refusal::NotFound)?;
    if transaction.is_pseudonymised(id)? {
        return Err(AccountRefusal::Pseudonymised.into());
    }
    Ok(user)
}

/// The audit record of what the operator did, to a user or to the house, without values.
pub(crate) const fn operator_record(
    action: AuditAction,
    target: Option<UserId>,
    at: Timestamp,
) -> NewAuditRecord {
    NewAuditRecord {
        actor: None,
        action,
        target,
        subject: None,
        old_value: None,
        new_value: None,
        address: None,
        idempotency_key: None,
        at,
    }
}
