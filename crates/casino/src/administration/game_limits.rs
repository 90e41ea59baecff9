//! Sets what the owners allow in a game besides its rules, at run time.

use glasshouse_domain::{AuditAction, AuditSubject, Game, GameLimits, Money};
use glasshouse_games::game_round::GameKind;
use glasshouse_games::registry::info;
use glasshouse_persistence::Scope;

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::error::{CasinoError, OperatingRefusal, Refusal};
use crate::house::House;

/// Sets the limits of a game on all servers, for rounds that start from then on. If they are so already, nothing changes
/// and nothing is recorded.
///
/// # Errors
/// [`OperatingRefusal`] if a limit makes no sense for the game, [`Refusal::StatusReasonRequired`],
/// [`Refusal::IdempotencyConflict`], or a fault.
pub async fn set_game_limits(
    house: &House,
    context: AdminContext,
    game: Game,
    (limits, reason): (GameLimits, &str),
) -> Result<(), CasinoError> {
    judge(game, &limits)?;
    let reason = note(reason)?.ok_or(Refusal::StatusReasonRequired)?;
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            // One administrator at a time, so that the record contains the correct old limits.
            transaction.lock_audit_log()?;
            let old = transaction.game_limits(game)?;
            let event = AuditEvent {
                action: AuditAction::GameLimits,
                target: None,
                subject: Some(AuditSubject::Game {
                    game,
                    reason: reason.clone(),
                }),
                old_value: Some(old.to_string()),
                new_value: Some(limits.to_string()),
            };
            if context.find_replay(transaction, &event)?.is_some() || old == limits {
                return Ok::<_, CasinoError>(());
            }
            transaction.set_game_limits(game, limits)?;
            context.record(transaction, event, at)
        })
        .await?;
    house.settings.invalidate();
    Ok(())
}

/// Refuses limits that no bet could keep, or that would never apply.
fn judge(game: Game, limits: &GameLimits) -> Result<(), OperatingRefusal> {
    let info = info(game);
    if let Some(stake) = limits.maximum_stake
        && !info.stakes.contains(&stake)
    {
        let (minimum, maximum) = (*info.stakes.start(), *info.stakes.end());
        return Err(OperatingRefusal::MaximumStakeOutOfRange(minimum, maximum));
    }
    let is_positive = |limit: Option<Money>| limit.is_none_or(Money::is_positive);
    if !is_positive(limits.maximum_profit) || !is_positive(limits.maximum_exposure) {
        return Err(OperatingRefusal::LimitNotPositive);
    }
    if limits.maximum_exposure.is_some() && info.kind == GameKind::Instant {
        return Err(OperatingRefusal::NoRoundsInPlay);
    }
    Ok(())
}
