//! Opens, pauses or announces a game at run time.

use glasshouse_domain::{AuditAction, AuditSubject, Game, GameStatus};
use glasshouse_persistence::Scope;

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Sets the status of a game on all servers. Open rounds are finished in any case. If the game
/// already has the status, nothing changes and nothing is recorded.
///
/// # Errors
/// [`Refusal::StatusReasonRequired`], [`Refusal::IdempotencyConflict`], or a fault.
pub async fn set_game_status(
    house: &House,
    context: AdminContext,
    game: Game,
    (status, reason): (GameStatus, &str),
) -> Result<(), CasinoError> {
    let reason = note(reason)?.ok_or(Refusal::StatusReasonRequired)?;
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            // One administrator at a time, so that the record contains the correct old status.
            transaction.lock_audit_log()?;
            let old = transaction.game_status(game)?;
            let event = AuditEvent {
                action: AuditAction::GameStatus,
                target: None,
                subject: Some(AuditSubject::Game {
                    game,
                    reason: reason.clone(),
                }),
                old_value: Some(old.as_str().to_owned()),
                new_value: Some(status.as_str().to_owned()),
            };
            if context.find_replay(transaction, &event)?.is_some() || old == status {
                return Ok::<_, CasinoError>(());
            }
            transaction.set_game_status(game, status)?;
            context.record(transaction, event, at)
        })
        .await?;
    house.settings.invalidate();
    Ok(())
}
