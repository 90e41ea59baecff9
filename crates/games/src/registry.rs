//! The registry of all games. A new game is one line here.

use glasshouse_domain::Game;

use crate::game_round::GameInfo;

/// Evaluates an expression with the round type of a game that is only known at run time:
/// `with_game!(game, Round => Round::INFO.listed_name)`.
#[macro_export]
macro_rules! with_game {
    ($game:expr, $Round:ident => $body:expr) => {
        $crate::with_game! { @ $game, $Round => $body;
            Dice: dice,
            Crash: crash,
            Stonks: stonks,
            VideoPoker: video_poker,
            HeadsUp: heads_up,
            Mines: mines,
        }
    };
    (@ $game:expr, $Round:ident => $body:expr; $($Game:ident: $module:ident,)*) => {
        match $game {
            $($crate::Game::$Game => {
                type $Round = $crate::$module::Round;
                $body
            })*
        }
    };
}

/// The static description of a game.
#[must_use]
pub const fn info(game: Game) -> GameInfo {
    use crate::game_round::GameRound as _;
    with_game!(game, Round => Round::INFO)
}

/// Parses the name on the wire.
#[must_use]
pub fn of_wire_name(name: &str) -> Option<Game> {
    let mut all = Game::ALL.iter().copied();
    all.find(|game| info(*game).wire_name == name)
}

/// The games that the history lists under a name, in registry order.
pub fn listed_under(name: &str) -> impl Iterator<Item = Game> {
    let all = Game::ALL.iter().copied();
    all.filter(move |game| info(*game).listed_name == name)
}

/// The distinct names that the history lists games under, in registry order.
#[must_use]
pub fn listed_names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for game in Game::ALL {
        let name = info(*game).listed_name;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_game_is_registered_with_its_own_round_type() {
        for game in Game::ALL {
            assert_eq!(info(*game).game, *game);
        }
        let names = listed_names();
        assert_eq!(
            names.get(..4),
            Some(&["dice", "crash", "stonks", "poker"][..])
        );
        assert!(listed_under("poker").eq([Game::VideoPoker, Game::HeadsUp]));
    }

    #[test]
    fn the_published_facts_match_the_rules() {
        let facts: Value = serde_json::from_str(include_str!("../facts.json")).unwrap();
        for (game, fact) in [
            (Game::Dice, &facts["dice"]["rtp_percent"]),
            (Game::Crash, &facts["crash"]["rtp_percent"]),
            (Game::Stonks, &facts["stonks"]["rtp_percent"]),
            (
                Game::VideoPoker,
                &facts["video_poker"]["rtp_percent_maximum_bet"],
            ),
            (Game::HeadsUp, &facts["heads_up"]["rtp_percent_of_staked"]),
        ] {
            assert_eq!(info(game).rtp_percent, fact, "{game:?}");
        }
    }
}
