//! What must hold for a new round to start, apart from the bet and the account.

use glasshouse_domain::GameStatus;
use glasshouse_games::game_round::GameRound;

use crate::error::{CasinoError, Fault};
use crate::house::House;
use crate::play::statuses::require_open;

/// The state of the house that decides whether a round may start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conditions {
    status: GameStatus,
    is_log_available: bool,
}

impl Conditions {
    /// The conditions for a round of the game that starts now.
    pub(crate) async fn now<R: GameRound>(house: &House) -> Result<Self, CasinoError> {
        Ok(Self {
            status: house.game_status(R::INFO.game).await?,
            is_log_available: house.public_log.is_available(),
        })
    }

    /// Refuses a new round unless the game is open and the public log can be written. To be called
    /// after it is known that the request is not a repeated one, whose round has already started.
    pub(crate) fn require(self) -> Result<(), CasinoError> {
        require_open(self.status)?;
        if self.is_log_available {
            Ok(())
        } else {
            Err(Fault::PublicLogUnavailable.into())
        }
    }
}
