//! What every round has, whatever the game.

use std::fmt;

use crate::Multiplier;

/// Whether a round is still in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundState {
    /// In play.
    Open,
    /// Over, and paid.
    Settled,
}

impl RoundState {
    /// The name in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Settled => "settled",
        }
    }
}

/// How a round ended, as the history tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The player won.
    Win,
    /// The player lost.
    Loss,
    /// The player left with the stake times this: a win unless it is less than the stake.
    CashedOut(Multiplier),
}

impl Outcome {
    /// Whether it counts as a win.
    #[must_use]
    pub fn is_win(self) -> bool {
        match self {
            Self::Win => true,
            Self::Loss => false,
            Self::CashedOut(multiplier) => multiplier >= Multiplier::ONE,
        }
    }

    /// What the player left with the stake times of, if the player left.
    #[must_use]
    pub const fn multiplier(self) -> Option<Multiplier> {
        match self {
            Self::CashedOut(multiplier) => Some(multiplier),
            Self::Win | Self::Loss => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_win() { "win" } else { "loss" })?;
        match self.multiplier() {
            Some(multiplier) => write!(formatter, " ({multiplier}x)"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_tells_wins_losses_and_multipliers() {
        let cashed_out =
            |thousandths| Outcome::CashedOut(Multiplier::from_thousandths(thousandths));
        let check = |outcome: Outcome, text: &str, is_win: bool| {
            assert_eq!(
                (outcome.to_string().as_str(), outcome.is_win()),
                (text, is_win)
            );
        };
        check(Outcome::Win, "win", true);
        check(Outcome::Loss, "loss", false);
        check(cashed_out(2_000), "win (2.00x)", true);
        check(cashed_out(1_000), "win (1.00x)", true);
        check(cashed_out(999), "loss (0.99x)", false);
        check(cashed_out(100_000), "win (100.00x)", true);
    }
}
