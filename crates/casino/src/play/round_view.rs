//! A round as its player may see it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use glasshouse_games::game_round::{GameRound, SettledRow};
use glasshouse_games::with_game;
use glasshouse_persistence::rounds::Round;

use crate::error::CasinoError;

/// A round of one game, without anything that its player must not know yet.
pub struct RoundView<R: GameRound> {
    /// What every round has.
    pub round: Round,
    /// What this game shows of it.
    pub view: R::View,
}

impl<R: GameRound> Clone for RoundView<R> {
    fn clone(&self) -> Self {
        Self {
            round: self.round.clone(),
            view: self.view.clone(),
        }
    }
}

impl<R: GameRound> fmt::Debug for RoundView<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RoundView")
            .field("round", &self.round)
            .finish_non_exhaustive()
    }
}

/// A round of a game that is known at run time only.
#[derive(Clone)]
pub struct AnyRound {
    round: Round,
    view: Arc<dyn Any + Send + Sync>,
}

impl AnyRound {
    /// What every round has.
    #[must_use]
    pub const fn round(&self) -> &Round {
        &self.round
    }

    /// The round as one of that game, if it is one.
    #[must_use]
    pub fn as_round_of<R: GameRound>(&self) -> Option<RoundView<R>> {
        Some(RoundView {
            round: self.round.clone(),
            view: self.view.downcast_ref::<R::View>()?.clone(),
        })
    }
}

impl<R: GameRound> From<RoundView<R>> for AnyRound {
    fn from(RoundView { round, view }: RoundView<R>) -> Self {
        Self {
            round,
            view: Arc::new(view),
        }
    }
}

impl fmt::Debug for AnyRound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("AnyRound")
            .field("round", &self.round)
            .finish_non_exhaustive()
    }
}

/// What a round's row keeps of its game.
///
/// # Errors
/// If it is not what this program writes.
pub fn details_of<R: GameRound>(round: &Round) -> Result<R::Details, CasinoError> {
    serde_json::from_str(&round.details)
        .map_err(|error| CasinoError::corrupt(format!("round {}: {error}", round.id)))
}

/// A settled round as its row tells it; none while it is in play.
#[must_use]
pub fn settled_row(round: &Round) -> Option<SettledRow> {
    Some(SettledRow {
        stake: round.stake,
        payout: round.payout,
        result: round.result?,
        multiplier: round.multiplier,
    })
}

/// The history's text of a round, such as `win (2.00x)`; empty while it is in play.
#[must_use]
pub fn outcome_text(round: &Round) -> String {
    let Some(row) = settled_row(round) else {
        return String::new();
    };
    with_game!(round.game, R => match details_of::<R>(round) {
        Ok(details) => R::outcome_text(&row, &details),
        // A list must not fail because of one row that `glasshouse check` reports anyway.
        Err(_) => row.outcome_text(),
    })
}
