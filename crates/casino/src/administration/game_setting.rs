//! What administrators set of a game at run time: one flow for its status and its limits.

use glasshouse_domain::{AuditAction, AuditSubject, Game, GameLimits, GameStatus};
use glasshouse_persistence::{DatabaseError, Scope, Transaction};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Something that is set of a game.
pub(crate) trait GameSetting: Copy + PartialEq + Send + 'static {
    /// How the audit log calls a change.
    const ACTION: AuditAction;

    /// The stored form in the audit log.
    fn text(&self) -> String;

    fn read(transaction: &mut Transaction<'_, '_>, game: Game) -> Result<Self, DatabaseError>;

    fn write(self, transaction: &mut Transaction<'_, '_>, game: Game) -> Result<(), DatabaseError>;
}

impl GameSetting for GameStatus {
    const ACTION: AuditAction = AuditAction::GameStatus;

    fn text(&self) -> String {
        self.as_str().to_owned()
    }

    fn read(transaction: &mut Transaction<'_, '_>, game: Game) -> Result<Self, DatabaseError> {
        transaction.game_status(game)
    }

    fn write(self, transaction: &mut Transaction<'_, '_>, game: Game) -> Result<(), DatabaseError> {
        transaction.set_game_status(game, self)
    }
}

impl GameSetting for GameLimits {
    const ACTION: AuditAction = AuditAction::GameLimits;

    fn text(&self) -> String {
        self.to_string()
    }

    fn read(transaction: &mut Transaction<'_, '_>, game: Game) -> Result<Self, DatabaseError> {
        transaction.game_limits(game)
    }

    fn write(self, transaction: &mut Transaction<'_, '_>, game: Game) -> Result<(), DatabaseError> {
        transaction.set_game_limits(game, self)
    }
}

/// Sets something of a game on all servers, with an audit record. If it is set so already, nothing changes and nothing is
/// recorded.
///
/// # Errors
/// [`Refusal::StatusReasonRequired`], [`Refusal::NoteTooLong`], [`Refusal::IdempotencyConflict`], or a fault.
pub(crate) async fn set_of_game<S: GameSetting>(
    house: &House,
    context: AdminContext,
    game: Game,
    (setting, reason): (S, &str),
) -> Result<(), CasinoError> {
    let reason = note(reason)?.ok_or(Refusal::StatusReasonRequired)?;
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            // One administrator at a time, so that the record contains the correct old setting.
            transaction.lock_audit_log()?;
            let old = S::read(transaction, game)?;
            let event = AuditEvent {
                action: S::ACTION,
                target: None,
                subject: Some(AuditSubject::Game {
                    game,
                    reason: reason.clone(),
                }),
                old_value: Some(old.text()),
                new_value: Some(setting.text()),
            };
            if context.find_replay(transaction, &event)?.is_some() || old == setting {
                return Ok::<_, CasinoError>(());
            }
            setting.write(transaction, game)?;
            context.record(transaction, event, at)
        })
        .await?;
    house.settings.invalidate();
    Ok(())
}
