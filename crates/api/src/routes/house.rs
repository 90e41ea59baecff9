//! What of the house is stopped at the moment.

use actix_web::{get, web};
use glasshouse_casino::operating::house_settings;
use glasshouse_domain::{HouseSwitch, HouseSwitches};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::state::Application;

/// Why something is stopped.
#[derive(Serialize, ToSchema)]
pub(crate) struct Stop {
    /// What the operator tells players.
    reason: String,
}

/// What is stopped for all players. During maintenance, everything is.
#[derive(Serialize, ToSchema)]
pub(crate) struct HouseState {
    /// Present during maintenance: no new rounds, deposits, withdrawals and registrations. Rounds in play
    /// can be finished.
    maintenance: Option<Stop>,
    /// Present while no deposits can be requested.
    deposits: Option<Stop>,
    /// Present while no withdrawals can be requested.
    withdrawals: Option<Stop>,
    /// Present while nobody can register.
    registration: Option<Stop>,
}

impl HouseState {
    fn of(switches: &HouseSwitches) -> Self {
        let stop = |switch| {
            switches.stop(switch).map(|(_, reason)| Stop {
                reason: reason.to_owned(),
            })
        };
        Self {
            maintenance: stop(HouseSwitch::Maintenance),
            deposits: stop(HouseSwitch::Deposits),
            withdrawals: stop(HouseSwitch::Withdrawals),
            registration: stop(HouseSwitch::Registration),
        }
    }
}

/// What of the house is stopped at the moment, and why.
#[utoipa::path(tag = "house", responses((status = 200, body = HouseState)))]
#[get("/api/house")]
pub(crate) async fn house(
    application: web::Data<Application>,
) -> Result<web::Json<HouseState>, ApiError> {
    let settings = house_settings(&application.house).await?;
    Ok(web::Json(HouseState::of(&settings.switches)))
}
