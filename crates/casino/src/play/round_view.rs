//! A round as its player may see it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use glasshouse_games::game_round::{End, GameRound, SettledRow};
use glasshouse_games::with_game;
use glasshouse_persistence::public_log::Receipt;
use glasshouse_persistence::rounds::Round;

use crate::error::CasinoError;

/// A round of one game, without anything that must still be hidden from its player.
pub struct RoundView<R: GameRound> {
    /// The fields that all games share.
    pub round: Round,
    /// The fields of this game.
    pub view: R::View,
    /// The receipt of the round's last change, if the call made that change or repeats it.
    pub receipt: Option<Receipt>,
}

impl<R: GameRound> Clone for RoundView<R> {
    fn clone(&self) -> Self {
        Self {
            round: self.round.clone(),
            view: self.view.clone(),
            receipt: self.receipt.clone(),
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

/// A round whose game is only known at run time.
#[derive(Clone)]
pub struct AnyRound {
    round: Round,
    view: Arc<dyn Any + Send + Sync>,
    receipt: Option<Receipt>,
}

impl AnyRound {
    /// The fields that all games share.
    #[must_use]
    pub const fn round(&self) -> &Round {
        &self.round
    }

    /// The round as a round of game `R`; `None` if it is a round of another game.
    #[must_use]
    pub fn as_round_of<R: GameRound>(&self) -> Option<RoundView<R>> {
        Some(RoundView {
            round: self.round.clone(),
            view: self.view.downcast_ref::<R::View>()?.clone(),
            receipt: self.receipt.clone(),
        })
    }
}

impl<R: GameRound> From<RoundView<R>> for AnyRound {
    fn from(
        RoundView {
            round,
            view,
            receipt,
        }: RoundView<R>,
    ) -> Self {
        Self {
            round,
            view: Arc::new(view),
            receipt,
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

/// Parses the game's details that are stored with a round.
///
/// # Errors
/// If the stored details are corrupt.
pub fn details_of<R: GameRound>(round: &Round) -> Result<R::Details, CasinoError> {
    serde_json::from_str(&round.details)
        .map_err(|error| CasinoError::corrupt(format!("round {}: {error}", round.id)))
}

/// The details of a round as they are stored.
pub(crate) fn details_text<R: GameRound>(
    game: &R,
    end: Option<&End>,
) -> Result<String, CasinoError> {
    serde_json::to_string(&game.details(end))
        .map_err(|error| CasinoError::corrupt(error.to_string()))
}

/// The result of a settled round as stored; `None` while the round is open.
#[must_use]
pub fn settled_row(round: &Round) -> Option<SettledRow> {
    Some(SettledRow {
        stake: round.stake,
        payout: round.payout,
        result: round.result?,
        multiplier: round.multiplier,
    })
}

/// The history's outcome text of a round, such as `win (2.00x)`; empty while the round is open.
#[must_use]
pub fn outcome_text(round: &Round) -> String {
    let Some(row) = settled_row(round) else {
        return String::new();
    };
    with_game!(round.game, R => match details_of::<R>(round) {
        Ok(details) => R::outcome_text(&row, &details),
        // A list must not fail because of one corrupt row; `glasshouse check` reports it anyway.
        Err(_) => row.outcome_text(),
    })
}
