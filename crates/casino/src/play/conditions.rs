//! What must hold for a new round to start, apart from the bet and the balance.

use glasshouse_domain::GameStatus;
use glasshouse_games::game_round::GameRound;
use glasshouse_persistence::accounts::Account;

use crate::accounts::terms_of_service::require_terms;
use crate::error::{CasinoError, Fault};
use crate::house::House;
use crate::play::statuses::require_open;

/// The state of the house that decides whether a round may start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conditions {
    status: GameStatus,
    is_log_available: bool,
    terms_version: i64,
}

impl Conditions {
    /// The conditions for a round of the game that starts now.
    pub(crate) async fn now<R: GameRound>(house: &House) -> Result<Self, CasinoError> {
        Ok(Self {
            status: house.game_status(R::INFO.game).await?,
            is_log_available: house.public_log.is_available(),
            terms_version: house.terms_version(),
        })
    }

    /// Refuses a new round unless the game is open, the player has accepted the Terms of Service and
    /// the public log can be written. To be called after it is known that the request is not a
    /// repeated one, whose round has already started.
    pub(crate) fn require(self, account: &Account) -> Result<(), CasinoError> {
        require_open(self.status)?;
        require_terms(account, self.terms_version)?;
        if self.is_log_available {
            Ok(())
        } else {
            Err(Fault::PublicLogUnavailable.into())
        }
    }
}
