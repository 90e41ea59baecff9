//! What must hold for a new round to start, apart from the bet and the balance.

use std::sync::Arc;

use glasshouse_domain::{Game, HouseSwitch};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::operating::HouseSettings;

use crate::accounts::terms_of_service::require_terms;
use crate::error::{CasinoError, Fault};
use crate::house::House;
use crate::operating::{house_settings, require_open, require_running, status_of};

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

    /// Refuses a new round during maintenance, or unless the game is open, the player has accepted the Terms of Service and
    /// the public log can be written. To be called after it is known that the request is not a
    /// repeated one, whose round has already started.
    pub(crate) fn require(&self, game: Game, account: &Account) -> Result<(), CasinoError> {
        require_running(&self.settings.switches, HouseSwitch::Maintenance)?;
        require_open(status_of(&self.settings, game))?;
        require_terms(account, self.terms_version)?;
        if self.is_log_available {
            Ok(())
        } else {
            Err(Fault::PublicLogUnavailable.into())
        }
    }
}
