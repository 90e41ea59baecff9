//! Which games can be played, as the operator has set it.

use std::collections::BTreeMap;

use glasshouse_domain::{Game, GameStatus};
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::{CasinoError, Refusal};
use crate::house::House;

impl House {
    /// The status of a game. A game that the database does not know yet is announced.
    pub(crate) async fn game_status(&self, game: Game) -> Result<GameStatus, CasinoError> {
        if let Some(status) = self.statuses.status(game) {
            return Ok(status);
        }
        let statuses = game_statuses(self).await?;
        Ok(statuses
            .get(&game)
            .copied()
            .unwrap_or(GameStatus::Announced))
    }
}

/// The statuses of all games.
///
/// # Errors
/// On a fault.
pub async fn game_statuses(house: &House) -> Result<BTreeMap<Game, GameStatus>, CasinoError> {
    let began = match house.statuses.known() {
        Ok(known) => return Ok(known),
        Err(began) => began,
    };
    let read: BTreeMap<Game, GameStatus> = house
        .database
        .read::<_, DatabaseError, _>(queries::game_statuses)
        .await?;
    house.statuses.keep(began, read.clone());
    Ok(read)
}

/// Whether new rounds may begin.
pub(crate) const fn judge_status(status: GameStatus) -> Result<(), Refusal> {
    match status {
        GameStatus::Open => Ok(()),
        GameStatus::Paused => Err(Refusal::GamePaused),
        GameStatus::Announced => Err(Refusal::GameAnnounced),
    }
}
