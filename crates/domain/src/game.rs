//! The games of the house, by the names that the wire and the database know them by.

/// A game type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// Over or under a target.
    Dice,
    /// Cash out before the multiplier crashes.
    Crash,
    /// Sell before the simulated market crashes.
    Stonks,
    /// Video poker and heads-up hold'em.
    Poker,
}

impl Game {
    /// Every game, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Dice, Self::Crash, Self::Stonks, Self::Poker];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dice => "dice",
            Self::Crash => "crash",
            Self::Stonks => "stonks",
            Self::Poker => "poker",
        }
    }

    /// The game of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.as_str() == text)
    }
}
