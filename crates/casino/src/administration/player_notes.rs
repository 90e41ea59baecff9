//! Notes about a player. A note is a record of the audit log: it has its author and its time, stays for good, and cannot
//! be changed.

use glasshouse_domain::{AuditAction, AuditSubject, UserId};
use glasshouse_persistence::Scope;

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Adds a note about a player for other administrators, on the player's timeline.
///
/// # Errors
/// [`Refusal::NoteRequired`], [`Refusal::NoteTooLong`], [`Refusal::NotFound`], [`Refusal::IdempotencyConflict`], or a fault.
pub async fn add_player_note(
    house: &House,
    context: AdminContext,
    user: UserId,
    text: &str,
) -> Result<(), CasinoError> {
    let text = note(text)?.ok_or(Refusal::NoteRequired)?;
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
            let event = AuditEvent {
                action: AuditAction::PlayerNoted,
                target: Some(user),
                subject: Some(AuditSubject::Reason(text.clone())),
                old_value: None,
                new_value: None,
            };
            if context.find_replay(transaction, &event)?.is_some() {
                return Ok::<_, CasinoError>(());
            }
            context.record(transaction, event, at)
        })
        .await
}
