//! What every round has, whatever the game.

use strum::{EnumString, IntoStaticStr};

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
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Settled => "settled",
        }
    }
}

/// Who won a settled round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum RoundResult {
    /// The player.
    Win,
    /// The house.
    Loss,
    /// Neither: the stakes went back.
    Push,
}

impl RoundResult {
    /// The name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The result of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_found_by_their_names() {
        for result in [RoundResult::Win, RoundResult::Loss, RoundResult::Push] {
            assert_eq!(RoundResult::parse(result.as_str()), Some(result));
        }
        assert_eq!(RoundResult::parse("win (2.00x)"), None);
    }
}
