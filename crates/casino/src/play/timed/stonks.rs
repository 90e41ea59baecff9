//! A round of stonks as it is stored, and as a player may see it.

use std::sync::Arc;

use glasshouse_domain::{Money, Timestamp};
use glasshouse_games::fairness::Stream;
use glasshouse_games::stonks::{Bet, Round as Plan, published_after};
use glasshouse_persistence::rounds::Round;
use serde::{Deserialize, Serialize};

use crate::error::CasinoError;

/// What a stonks round keeps besides stake, payout and multiplier. Its path follows from its seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StonksDetails {
    auto_sell_cents: Option<i64>,
    /// The point at which it was sold; none while it is in play and if it crashed.
    sold_at_tick: Option<usize>,
}

/// A round of stonks as its player may see it. It knows the whole path and shows what is published.
#[derive(Clone)]
pub struct StonksRoundView {
    /// The round.
    pub round: Round,
    /// Its bet.
    pub bet: Bet,
    /// The point at which it was sold.
    pub sold_at_tick: Option<usize>,
    plan: Arc<Plan>,
}

impl std::fmt::Debug for StonksRoundView {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("StonksRoundView")
            .field("round", &self.round)
            .finish_non_exhaustive()
    }
}

impl StonksDetails {
    pub(crate) fn of(round: &Round) -> Result<Self, CasinoError> {
        serde_json::from_str(&round.details)
            .map_err(|error| CasinoError::corrupt(format!("round {}: {error}", round.id)))
    }

    fn bet(&self, stake: Money) -> Result<Bet, CasinoError> {
        Bet::new(stake, self.auto_sell_cents.map(Money::from_cents))
            .map_err(|error| CasinoError::corrupt(error.to_string()))
    }
}

/// The details of a round of this bet, in play or over.
pub(crate) fn details(bet: &Bet, sold_at_tick: Option<usize>) -> Result<String, CasinoError> {
    let details = StonksDetails {
        auto_sell_cents: bet.auto_sell().map(Money::cents),
        sold_at_tick,
    };
    serde_json::to_string(&details).map_err(|error| CasinoError::corrupt(error.to_string()))
}

/// The stored round with the future that its stream decides.
pub(crate) fn plan(round: &Round, stream: &mut Stream) -> Result<Plan, CasinoError> {
    let bet = StonksDetails::of(round)?.bet(round.stake)?;
    Ok(Plan::new(bet, stream))
}

impl StonksRoundView {
    pub(crate) fn new(round: Round, plan: Arc<Plan>) -> Result<Self, CasinoError> {
        let sold_at_tick = StonksDetails::of(&round)?.sold_at_tick;
        Ok(Self {
            round,
            bet: *plan.bet(),
            sold_at_tick,
            plan,
        })
    }

    /// The points that are published by `published_until`, in thousandths; of a round that is over,
    /// those up to its end.
    #[must_use]
    pub fn points(&self, published_until: Timestamp) -> &[u32] {
        let until = self.round.ended_at.unwrap_or(published_until);
        self.plan
            .published(until.saturating_since(self.round.started_at))
    }

    /// The whole path, once the round is over.
    #[must_use]
    pub fn path(&self) -> Option<&[u32]> {
        (!self.round.is_open()).then(|| self.plan.points())
    }

    /// The point that is published next after `tick`, and the moment that must be published for it;
    /// none where the round ends first.
    #[must_use]
    pub fn next_point(&self, tick: usize) -> Option<(Timestamp, u32)> {
        let at = self
            .round
            .started_at
            .saturating_add(published_after(tick + 1));
        let is_before_end = self.round.is_open() && self.round.due_at.is_some_and(|due| at < due);
        let point = self.plan.points().get(tick + 1).filter(|_| is_before_end)?;
        Some((at, *point))
    }
}
