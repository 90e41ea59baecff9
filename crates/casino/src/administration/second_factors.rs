//! What the operator does for users who have lost their second factor.

use glasshouse_domain::{AuditAction, SecurityEventKind};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::RequestOrigin;

use crate::accounts::security_events::{add_event, count_event};
use crate::administration::operator::{find_user, lock_named, operator_record};
use crate::error::{AccountRefusal, CasinoError};
use crate::house::House;

/// Removes a user's second factor and ends all sessions. An administrator must then set another one up
/// to do anything else.
///
/// # Errors
/// [`crate::Refusal::NotFound`] if the user does not exist, [`AccountRefusal::NoSecondFactor`], or a fault.
pub async fn reset_second_factor(house: &House, username: &str) -> Result<(), CasinoError> {
    let id = find_user(house, username).await?;
    let kind = SecurityEventKind::SecondFactorReset;
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let found = lock_named(transaction, id)?;
            if !found.has_second_factor {
                return Err(AccountRefusal::NoSecondFactor.into());
            }
            transaction.remove_second_factor(id, at)?;
            transaction.end_sessions_of(id)?;
            add_event(transaction, id, kind, &RequestOrigin::default(), at)?;
            let record = operator_record(AuditAction::SecondFactorReset, Some(id), at);
            Ok(transaction.add_audit_record(&record)?)
        })
        .await?;
    count_event(kind);
    Ok(())
}
