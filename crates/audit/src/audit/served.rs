//! What the house publishes besides its log, compared with what the log says about it.

use glasshouse_domain::{Game, RulesVersion};
use glasshouse_games::registry::info;
use glasshouse_transparency::keys::VerifierKeys;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::audit::contradiction::Contradiction;
use crate::audit::failure::Failure;
use crate::audit::tally::Tally;
use crate::audit::trust::served_keys;
use crate::fault::Fault;
use crate::log::HouseConnection;

const RULES_PATH: &str = "transparency/rules";

/// The part of the published rules that is compared with the games.
#[derive(Deserialize)]
struct Rules {
    version: u32,
    games: Vec<GameFacts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GameFacts {
    game: String,
    rtp_percent: String,
}

/// Compares keys and rules that are served with those that the whole log names. `trusted` are the
/// keys that the audit began with.
pub(crate) async fn check_served(
    house: &HouseConnection,
    trusted: &VerifierKeys,
    tally: &Tally,
) -> Result<(), Failure> {
    let served = served_keys(house).await?;
    for key in trusted.iter().chain(served.lines()) {
        if !tally.keys.iter().any(|named| named == key) {
            return Err(Contradiction::UnnamedKey(key.to_owned()).into());
        }
    }
    let Some(named) = &tally.rules else {
        return Ok(());
    };
    let Some(text) = house.text(RULES_PATH).await? else {
        return Err(Fault::Usage("The house does not publish its rules.".to_owned()).into());
    };
    let hash = hex::encode(Sha256::digest(text.as_bytes()));
    if hash != named.sha256 {
        return Err(Contradiction::OtherRules {
            index: named.index,
            logged: named.sha256.clone(),
            served: hash,
        }
        .into());
    }
    check_facts(&text).map_err(Failure::from)
}

/// Compares the published returns with those of the games. Rules that this program does not know are
/// not judged.
fn check_facts(text: &str) -> Result<(), Contradiction> {
    let Ok(rules) = serde_json::from_str::<Rules>(text) else {
        return Ok(());
    };
    if rules.version != u32::from(RulesVersion::CURRENT.number()) {
        return Ok(());
    }
    for facts in rules.games {
        let Some(game) = Game::parse(&facts.game) else {
            continue;
        };
        let exact = info(game).rtp_percent;
        if facts.rtp_percent != exact {
            return Err(Contradiction::OtherReturn {
                game: facts.game,
                published: facts.rtp_percent,
                exact,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_returns_than_those_of_the_games_are_found() {
        let rules = |version: u8, percent: &str| {
            format!(
                r#"{{"version":{version},"games":[{{"game":"dice","kind":"instant","rtpPercent":"{percent}"}}]}}"#
            )
        };
        let current = RulesVersion::CURRENT.number();
        let exact = info(Game::Dice).rtp_percent;
        assert!(check_facts(&rules(current, exact)).is_ok());
        assert!(check_facts(&rules(current, "99.5")).is_err());
        assert!(check_facts(&rules(current + 1, "99.5")).is_ok());
    }
}
