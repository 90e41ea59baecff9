//! A user's open sessions as administrators see them, and ending all of them.

use glasshouse_domain::{AuditAction, AuditSubject, SecurityEventKind, UserId};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::RequestOrigin;

use crate::accounts::security_events::{add_event, count_event};
use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Ends all sessions of a user on all servers, such as those that somebody else has opened with a stolen password. The
/// user can sign in again, and is told of it.
///
/// # Errors
/// [`Refusal::StatusReasonRequired`], [`Refusal::NoteTooLong`], [`Refusal::NotFound`], [`Refusal::IdempotencyConflict`], or
/// a fault.
pub async fn end_sessions_of_user(
    house: &House,
    context: AdminContext,
    user: UserId,
    reason: &str,
) -> Result<(), CasinoError> {
    let reason = note(reason)?.ok_or(Refusal::StatusReasonRequired)?;
    let at = house.now();
    let is_new = house
        .database
        .write(Scope::nobody(), move |transaction| {
            transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
            let event = AuditEvent {
                action: AuditAction::SessionsEnded,
                target: Some(user),
                subject: Some(AuditSubject::Reason(reason.clone())),
                old_value: None,
                new_value: None,
            };
            if context.find_replay(transaction, &event)?.is_some() {
                return Ok::<_, CasinoError>(false);
            }
            transaction.end_sessions_of(user)?;
            let kind = SecurityEventKind::SessionsEndedByHouse;
            add_event(transaction, user, kind, &RequestOrigin::default(), at)?;
            context.record(transaction, event, at)?;
            Ok(true)
        })
        .await?;
    if is_new {
        count_event(SecurityEventKind::SessionsEndedByHouse);
        house.events.close(user);
    }
    Ok(())
}
