//! A game of the house report: its turnover, and its measured and exact return.

use glasshouse_domain::{Game, Spread};
use glasshouse_games::game_round::ReturnOf;
use glasshouse_games::registry::info;
use glasshouse_persistence::books::HouseTotals;

use crate::books::return_test::{MeasuredReturn, Sides, measured_return};
use crate::books::turnover::Turnover;

/// One game of the report.
#[derive(Debug, Clone)]
pub struct HouseGame {
    /// The game; heads-up hold'em is separate from video poker.
    pub game: Game,
    /// The turnover of the game's rounds.
    pub turnover: Turnover,
    /// The exact RTP by the rules, in percent, as a decimal number.
    pub exact_rtp_percent: &'static str,
    /// The returns that count as unusual.
    pub sides: Sides,
    /// The measured return; `None` if there are too few rounds.
    pub measured: Option<MeasuredReturn>,
}

/// Adds up the totals of a game.
pub(crate) fn of_game(game: Game, totals: &[HouseTotals]) -> HouseGame {
    let mut turnover = Turnover::default();
    let mut spread = Spread::default();
    for totals in totals.iter().filter(|totals| totals.game == game) {
        turnover.add(totals);
        spread = spread.plus(totals.spread);
    }
    HouseGame {
        game,
        exact_rtp_percent: info(game).rtp_percent,
        sides: sides(game),
        measured: measured_return(&turnover, spread, sides(game)),
        turnover,
    }
}

const fn sides(game: Game) -> Sides {
    match info(game).return_of {
        ReturnOf::EveryStrategy => Sides::Both,
        ReturnOf::BestPlay => Sides::Above,
    }
}
