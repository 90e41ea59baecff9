//! The operator's setting of which games can be played.

use std::collections::BTreeMap;

use glasshouse_domain::{Game, GameStatus};
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::{CasinoError, Refusal};
use crate::house::House;

impl House {
    /// The status of a game. A game without a row in the database counts as announced.
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
    let token = match house.statuses.cached() {
        Ok(cached) => return Ok(cached),
        Err(token) => token,
    };
    let read: BTreeMap<Game, GameStatus> = house
        .database
        .read::<_, DatabaseError, _>(queries::game_statuses)
        .await?;
    house.statuses.store(token, read.clone());
    Ok(read)
}

/// Refuses a new round unless the game is open.
pub(crate) const fn require_open(status: GameStatus) -> Result<(), Refusal> {
    match status {
        GameStatus::Open => Ok(()),
        GameStatus::Paused => Err(Refusal::GamePaused),
        GameStatus::Announced => Err(Refusal::GameAnnounced),
    }
}
