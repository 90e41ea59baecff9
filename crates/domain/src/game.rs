//! The games of the house, by the names that the database knows them by.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// A game. Its rules, its names on the wire and what it returns are in `glasshouse-games`.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the modules of these names in glasshouse-games say what they are"
)]
pub enum Game {
    Dice,
    Crash,
    Stonks,
    VideoPoker,
    HeadsUp,
    Mines,
}

impl Game {
    /// Every game, in the order in which they are listed.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The name in the database, in metrics and in logs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The game of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// Whether a game can be played, as the operator has set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum GameStatus {
    /// It can be played.
    Open,
    /// It is shown, but no new rounds begin; rounds in play are finished.
    Paused,
    /// It is announced as coming soon, and no new rounds begin.
    Announced,
}

impl GameStatus {
    /// Every status.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The name in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The status of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_statuses_are_found_by_their_names() {
        let names: Vec<&str> = Game::ALL.iter().map(|game| game.as_str()).collect();
        assert_eq!(
            names.get(..5),
            Some(&["dice", "crash", "stonks", "video_poker", "heads_up"][..])
        );
        for game in Game::ALL {
            assert_eq!(Game::parse(game.as_str()), Some(*game));
        }
        assert_eq!(Game::parse("roulette"), None);
        for status in GameStatus::ALL {
            assert_eq!(GameStatus::parse(status.as_str()), Some(*status));
        }
    }
}
