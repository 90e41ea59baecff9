//! Sets what the owners allow in a game besides its rules, at run time.

use glasshouse_domain::{Game, GameLimits, Money};
use glasshouse_games::game_round::GameKind;
use glasshouse_games::registry::info;

use crate::administration::actor::AdminContext;
use crate::administration::game_setting::set_of_game;
use crate::error::{CasinoError, OperatingRefusal};
use crate::house::House;

/// Sets the limits of a game on all servers, for rounds that start from then on. If they are so already, nothing changes
/// and nothing is recorded.
///
/// # Errors
/// [`OperatingRefusal`] if a limit makes no sense for the game, [`crate::Refusal::StatusReasonRequired`],
/// [`crate::Refusal::IdempotencyConflict`], or a fault.
pub async fn set_game_limits(
    house: &House,
    context: AdminContext,
    game: Game,
    (limits, reason): (GameLimits, &str),
) -> Result<(), CasinoError> {
    judge(game, &limits)?;
    set_of_game(house, context, game, (limits, reason)).await
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
