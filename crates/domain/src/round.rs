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
    /// What happened in one word, such as `win` or `push`, and by what.
    Told {
        /// The word.
        word: &'static str,
        /// What stands behind it in brackets.
        remark: &'static str,
    },
}

const WIN: &str = "win";

impl Outcome {
    /// Whether it counts as a win.
    #[must_use]
    pub fn is_win(self) -> bool {
        match self {
            Self::Win => true,
            Self::Loss => false,
            Self::CashedOut(multiplier) => multiplier >= Multiplier::ONE,
            Self::Told { word, .. } => word == WIN,
        }
    }

    /// What the player left with the stake times of, if the player left.
    #[must_use]
    pub const fn multiplier(self) -> Option<Multiplier> {
        match self {
            Self::CashedOut(multiplier) => Some(multiplier),
            Self::Win | Self::Loss | Self::Told { .. } => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win => formatter.write_str(WIN),
            Self::Loss => formatter.write_str("loss"),
            Self::CashedOut(multiplier) => {
                let word = if self.is_win() { WIN } else { "loss" };
                write!(formatter, "{word} ({multiplier}x)")
            }
            Self::Told { word, remark } => write!(formatter, "{word} ({remark})"),
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
        let told = |word, remark| Outcome::Told { word, remark };
        check(told("win", "Full House"), "win (Full House)", true);
        check(told("push", "heads-up"), "push (heads-up)", false);
    }
}
