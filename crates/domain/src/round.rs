//! What every round has, whatever the game.

use std::fmt;

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
}

impl Outcome {
    /// Whether it counts as a win.
    #[must_use]
    pub const fn is_win(self) -> bool {
        matches!(self, Self::Win)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Win => "win",
            Self::Loss => "loss",
        })
    }
}
