//! Opens, pauses or announces a game at run time.

use glasshouse_domain::{Game, GameStatus};

use crate::administration::actor::AdminContext;
use crate::administration::game_setting::set_of_game;
use crate::error::CasinoError;
use crate::house::House;

/// Sets the status of a game on all servers. Open rounds are finished in any case. If the game
/// already has the status, nothing changes and nothing is recorded.
///
/// # Errors
/// [`crate::Refusal::StatusReasonRequired`], [`crate::Refusal::IdempotencyConflict`], or a fault.
pub async fn set_game_status(
    house: &House,
    context: AdminContext,
    game: Game,
    status_and_reason: (GameStatus, &str),
) -> Result<(), CasinoError> {
    set_of_game(house, context, game, status_and_reason).await
}
