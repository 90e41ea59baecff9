//! The numbers that the house states of its games, from `facts.json`: the one place that the
//! interface, the administrators' report and the tests quote them from.

use glasshouse_domain::Game;
use serde::Deserialize;

const TEXT: &str = include_str!("../facts.json");

/// The stated numbers.
#[derive(Debug, Clone, Deserialize)]
pub struct Facts {
    dice: Rtp,
    crash: Rtp,
    stonks: Rtp,
    video_poker: VideoPokerRtp,
    heads_up: HeadsUpRtp,
}

#[derive(Debug, Clone, Deserialize)]
struct Rtp {
    rtp_percent: String,
}

#[derive(Debug, Clone, Deserialize)]
struct VideoPokerRtp {
    rtp_percent_maximum_bet: String,
}

#[derive(Debug, Clone, Deserialize)]
struct HeadsUpRtp {
    rtp_percent_of_staked: String,
}

impl Facts {
    /// Reads the page of facts.
    ///
    /// # Errors
    /// If it is not what it was when the tests ran.
    pub fn read() -> Result<Self, serde_json::Error> {
        serde_json::from_str(TEXT)
    }

    /// What a game returns of all that is staked, in percent, in decimals: of video poker at the
    /// maximum bet, and of both kinds of poker with best play.
    #[must_use]
    pub fn rtp_percent(&self, game: Game) -> &str {
        match game {
            Game::Dice => &self.dice.rtp_percent,
            Game::Crash => &self.crash.rtp_percent,
            Game::Stonks => &self.stonks.rtp_percent,
            Game::Poker => &self.video_poker.rtp_percent_maximum_bet,
            Game::HeadsUp => &self.heads_up.rtp_percent_of_staked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_states_what_it_returns() {
        let facts = Facts::read().unwrap();
        let check = |game, percent| assert_eq!(facts.rtp_percent(game), percent);
        check(Game::Dice, "99.00");
        check(Game::Crash, "99.00");
        check(Game::Stonks, "99.00");
        check(Game::Poker, "97.29843375");
        check(Game::HeadsUp, "98.94");
    }
}
