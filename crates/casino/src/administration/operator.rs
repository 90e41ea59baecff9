//! What the operator does to accounts from the command line.

use glasshouse_domain::{AuditAction, Timestamp, UserId, Username};
use glasshouse_persistence::accounts::Credentials;
use glasshouse_persistence::audit::NewAuditRecord;
use glasshouse_persistence::queries;

use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Finds a user by name, regardless of case.
///
/// # Errors
/// [`Refusal::NotFound`], a refusal of the name, or a fault.
pub(crate) async fn find_user(house: &House, username: &str) -> Result<UserId, CasinoError> {
    let key = Username::parse(username).map_err(Refusal::from)?.key();
    let found: Option<Credentials> = house
        .database
        .read::<_, CasinoError, _>(move |connection| queries::credentials(connection, &key))
        .await?;
    Ok(found.ok_or(Refusal::NotFound)?.user.id)
}

/// The audit record of what the operator did to a user, without values.
pub(crate) const fn operator_record(
    action: AuditAction,
    target: UserId,
    at: Timestamp,
) -> NewAuditRecord {
    NewAuditRecord {
        actor: None,
        action,
        target: Some(target),
        subject: None,
        old_value: None,
        new_value: None,
        address: None,
        idempotency_key: None,
        at,
    }
}
