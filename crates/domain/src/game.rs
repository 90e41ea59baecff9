//! The games and their statuses.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// A game. Its rules, wire names and RTP are in `glasshouse-games`.
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
    reason = "the modules of the same names in glasshouse-games document the games"
)]
pub enum Game {
    Dice,
    Crash,
    Stonks,
    VideoPoker,
    HeadsUp,
    Mines,
}

stored_names!(Game);

/// A game's availability, set by the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum GameStatus {
    /// The game can be played.
    Open,
    /// The game is shown, but no new rounds start. Rounds in play can be finished.
    Paused,
    /// The game is shown as coming soon, and no new rounds start.
    Announced,
}

stored_names!(GameStatus);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_statuses_are_parsed_from_their_names() {
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
