//! What must hold for a new round to start, apart from the bet and the balance.

use std::sync::Arc;

use glasshouse_domain::HouseSwitch;
use glasshouse_games::game_round::{GameKind, GameRound};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::operating::HouseSettings;
use glasshouse_persistence::rounds::Exposure;

use crate::accounts::terms_of_service::require_terms;
use crate::error::{CasinoError, Fault, OperatingRefusal};
use crate::house::House;
use crate::operating::{
    house_settings, limits_of, require_open, require_running, require_within, status_of,
};

/// The state of the house that decides whether a round may start.
#[derive(Debug, Clone)]
pub(crate) struct Conditions {
    settings: Arc<HouseSettings>,
    is_log_available: bool,
    terms_version: i64,
}

impl Conditions {
    /// The conditions for a round that starts now.
    pub(crate) async fn now(house: &House) -> Result<Self, CasinoError> {
        Ok(Self {
            settings: house_settings(house).await?,
            is_log_available: house.public_log.is_available(),
            terms_version: house.terms_version(),
        })
    }

    /// Refuses a new round during maintenance, or unless the game is open, the bet is within the owners' limits, the
    /// player has accepted the Terms of Service and the public log can be written. To be called after it is known that
    /// the request is not a repeated one, whose round has already started.
    pub(crate) fn require<R: GameRound>(
        &self,
        bet: &R::Bet,
        account: &Account,
    ) -> Result<(), CasinoError> {
        let game = R::INFO.game;
        require_running(&self.settings.switches, HouseSwitch::Maintenance)?;
        require_open(status_of(&self.settings, game))?;
        let limits = limits_of(&self.settings, game);
        require_within(&limits, R::stake(bet), || R::maximum_profit(bet))?;
        require_terms(account, self.terms_version)?;
        if self.is_log_available {
            Ok(())
        } else {
            Err(Fault::PublicLogUnavailable.into())
        }
    }

    /// What a round adds to the exposure of its game while it is in play. Refuses a round with which the rounds in play
    /// could win more than the owners allow, whatever its outcome is.
    pub(crate) fn exposure<R: GameRound>(
        &self,
        transaction: &mut Transaction<'_, '_>,
        bet: &R::Bet,
    ) -> Result<Option<Exposure>, CasinoError> {
        if R::INFO.kind == GameKind::Instant {
            return Ok(None);
        }
        let game = R::INFO.game;
        let maximum_profit = R::maximum_profit(bet);
        let limit = limits_of(&self.settings, game).maximum_exposure;
        if let Some(limit) = limit {
            let in_play = transaction.exposure(game)?;
            let together = in_play.checked_add(maximum_profit);
            if together.is_none_or(|together| together > limit) {
                return Err(OperatingRefusal::ExposureReached.into());
            }
        }
        Ok(Some(Exposure {
            maximum_profit,
            limit,
        }))
    }
}
