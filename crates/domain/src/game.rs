//! The games of the house, by the names that the wire and the database know them by.

/// A game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// Over or under a target.
    Dice,
    /// Cash out before the multiplier crashes.
    Crash,
    /// Sell before the simulated market crashes.
    Stonks,
    /// Jacks or Better video poker.
    Poker,
    /// Heads-up hold'em against the house: listed as poker, too.
    HeadsUp,
}

/// The stored name of heads-up hold'em beside that of poker.
const HEADS_UP: &str = "heads_up";

impl Game {
    /// Every game, in the order in which they are listed.
    pub const ALL: [Self; 5] = [
        Self::Dice,
        Self::Crash,
        Self::Stonks,
        Self::Poker,
        Self::HeadsUp,
    ];

    /// The name under which it is listed, on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dice => "dice",
            Self::Crash => "crash",
            Self::Stonks => "stonks",
            Self::Poker | Self::HeadsUp => "poker",
        }
    }

    /// What tells games of one name apart in the database; empty for most.
    #[must_use]
    pub const fn variant(self) -> &'static str {
        match self {
            Self::HeadsUp => HEADS_UP,
            Self::Dice | Self::Crash | Self::Stonks | Self::Poker => "",
        }
    }

    /// The game whose name it is listed under.
    #[must_use]
    pub const fn listed_as(self) -> Self {
        match self {
            Self::HeadsUp => Self::Poker,
            Self::Dice | Self::Crash | Self::Stonks | Self::Poker => self,
        }
    }

    /// The game listed under that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::restore(text, "")
    }

    /// The game of a stored name and variant.
    #[must_use]
    pub fn restore(name: &str, variant: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|game| game.as_str() == name && game.variant() == variant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_found_again() {
        for game in Game::ALL {
            assert_eq!(Game::restore(game.as_str(), game.variant()), Some(game));
            assert_eq!(Game::parse(game.as_str()), Some(game.listed_as()));
        }
        assert_eq!(Game::restore("dice", HEADS_UP), None);
        assert_eq!(Game::parse("roulette"), None);
    }
}
