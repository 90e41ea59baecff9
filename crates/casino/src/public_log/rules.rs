//! The published facts about the games: what the log's entries of the rules refer to.

use glasshouse_domain::{Game, RulesVersion};
use glasshouse_games::game_round::{GameKind, ReturnOf};
use glasshouse_games::registry::info;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The facts about all games, as they are published.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rules {
    version: u8,
    games: Vec<GameFacts>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GameFacts {
    game: &'static str,
    kind: &'static str,
    rtp_percent: &'static str,
    return_of: &'static str,
}

/// The facts about all games as JSON, always the same bytes for the same rules.
///
/// # Errors
/// Never in practice: the facts are texts and numbers.
pub fn rules_text() -> Result<String, serde_json::Error> {
    let games = Game::ALL
        .iter()
        .map(|game| info(*game))
        .map(|info| GameFacts {
            game: info.game.as_str(),
            kind: match info.kind {
                GameKind::Instant => "instant",
                GameKind::Timed => "timed",
                GameKind::Turns => "turns",
            },
            rtp_percent: info.rtp_percent,
            return_of: match info.return_of {
                ReturnOf::EveryStrategy => "every strategy",
                ReturnOf::BestPlay => "best play",
            },
        });
    serde_json::to_string(&Rules {
        version: RulesVersion::CURRENT.number(),
        games: games.collect(),
    })
}

/// The SHA-256 of the published facts.
pub(crate) fn rules_hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}
