//! A round of crash as it is stored, and as a player may see it.

use glasshouse_domain::{Money, Multiplier};
use glasshouse_games::crash::{Bet, Curve, Round as Plan};
use glasshouse_games::fairness::Stream;
use glasshouse_persistence::rounds::Round;
use serde::{Deserialize, Serialize};

use crate::error::CasinoError;

/// What a crash round keeps besides stake, payout and multiplier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CrashDetails {
    curve: String,
    auto_cashout_thousandths: Option<u32>,
    /// None while it is in play.
    crash_point_thousandths: Option<u32>,
}

/// A round of crash as its player may see it.
#[derive(Debug, Clone)]
pub struct CrashRoundView {
    /// The round.
    pub round: Round,
    /// Its bet.
    pub bet: Bet,
    /// Where it crashed or would have; none while it is in play.
    pub crash_point: Option<Multiplier>,
}

impl CrashDetails {
    pub(crate) fn of(round: &Round) -> Result<Self, CasinoError> {
        serde_json::from_str(&round.details)
            .map_err(|error| CasinoError::corrupt(format!("round {}: {error}", round.id)))
    }

    fn bet(&self, stake: Money) -> Result<Bet, CasinoError> {
        let curve = Curve::parse(&self.curve)
            .ok_or_else(|| CasinoError::corrupt(format!("curve {}", self.curve)))?;
        let auto_cashout = self
            .auto_cashout_thousandths
            .map(Multiplier::from_thousandths);
        Bet::new(stake, auto_cashout, curve)
            .map_err(|error| CasinoError::corrupt(error.to_string()))
    }
}

/// The details of a round of this bet, in play or over.
pub(crate) fn details(bet: &Bet, crash_point: Option<Multiplier>) -> Result<String, CasinoError> {
    let details = CrashDetails {
        curve: bet.curve().as_str().to_owned(),
        auto_cashout_thousandths: bet.auto_cashout().map(Multiplier::thousandths),
        crash_point_thousandths: crash_point.map(Multiplier::thousandths),
    };
    serde_json::to_string(&details).map_err(|error| CasinoError::corrupt(error.to_string()))
}

/// The stored round with the future that its stream decides.
pub(crate) fn plan(round: &Round, stream: &mut Stream) -> Result<Plan, CasinoError> {
    let bet = CrashDetails::of(round)?.bet(round.stake)?;
    Ok(Plan::new(bet, stream))
}

impl CrashRoundView {
    /// What may be seen of a stored round.
    ///
    /// # Errors
    /// If its details are not what this program writes.
    pub fn of(round: Round) -> Result<Self, CasinoError> {
        let details = CrashDetails::of(&round)?;
        let bet = details.bet(round.stake)?;
        let crash_point = details
            .crash_point_thousandths
            .filter(|_| !round.is_open())
            .map(Multiplier::from_thousandths);
        Ok(Self {
            round,
            bet,
            crash_point,
        })
    }
}
