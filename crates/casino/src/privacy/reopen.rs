//! Opens a closed account again, by the operator.

use glasshouse_domain::{AuditAction, Pseudonym, SecurityEventKind, UserId};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::RequestOrigin;

use crate::accounts::security_events::add_event;
use crate::administration::operator::{find_by_key, find_user, lock_named, operator_record};
use crate::error::{AccountRefusal, CasinoError};
use crate::house::House;
use crate::limits::rules::rewrite_rules;

/// Opens a closed account again. Its owner signs in with the same password; limits and an exclusion stay in
/// force. A given-up balance, a role and an e-mail address do not come back.
///
/// # Errors
/// [`Refusal::NotFound`](crate::Refusal::NotFound) if the user does not exist,
/// [`AccountRefusal::NotClosed`], [`AccountRefusal::Pseudonymised`], or a fault.
pub async fn reopen_account(house: &House, username: &str) -> Result<UserId, CasinoError> {
    let id = match Pseudonym::parse(username) {
        Some(pseudonym) => find_by_key(house, pseudonym.to_string()).await?,
        None => find_user(house, username).await?,
    };
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(id), move |transaction| {
            let user = lock_named(transaction, id)?;
            if user.closed_at.is_none() {
                return Err(AccountRefusal::NotClosed.into());
            }
            transaction.reopen_user(id)?;
            rewrite_rules(transaction, id, at)?;
            let kind = SecurityEventKind::AccountReopened;
            add_event(transaction, id, kind, &RequestOrigin::default(), at)?;
            let record = operator_record(AuditAction::AccountReopened, Some(id), at);
            Ok(transaction.add_audit_record(&record)?)
        })
        .await?;
    Ok(id)
}
