//! An entry of a player's history.

use std::borrow::Cow;

use glasshouse_casino::play::outcome_text;
use glasshouse_casino::{CasinoError, Fault, Round};
use glasshouse_domain::Game;
use glasshouse_games::with_game;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::routes::games::wire::{GameType, GameWire};
use crate::wire::time::iso;

/// An entry of the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameHistoryEntry {
    id: i64,
    game_type: GameType,
    #[schema(example = "10.00")]
    bet_amount: String,
    #[schema(example = "19.80")]
    win_amount: String,
    /// Starts with `win` for wins.
    #[schema(example = "win")]
    outcome: String,
    #[schema(format = "date-time")]
    created_at: String,
    /// Payout less stake; negative for a loss.
    #[schema(example = "9.80")]
    profit: String,
    #[serde(flatten)]
    results: HistoryResults,
}

/// Additional fields that depend on the game; fields of other games are omitted.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct HistoryResults(Map<String, Value>);

impl PartialSchema for HistoryResults {
    fn schema() -> RefOr<Schema> {
        let mut all = ObjectBuilder::new().description(Some(
            "Additional fields that depend on the game; fields of other games are omitted.",
        ));
        for game in Game::ALL {
            let record = with_game!(*game, R => <R as GameWire>::Record::schema());
            if let RefOr::T(Schema::Object(record)) = record {
                for (name, property) in record.properties {
                    all = all.property(name, property);
                }
            }
        }
        RefOr::T(all.build().into())
    }
}

impl ToSchema for HistoryResults {
    fn name() -> Cow<'static, str> {
        "HistoryResults".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        for game in Game::ALL {
            with_game!(*game, R => <R as GameWire>::Record::schemas(schemas));
        }
    }
}

impl TryFrom<&Round> for HistoryResults {
    type Error = CasinoError;

    fn try_from(round: &Round) -> Result<Self, CasinoError> {
        let record = with_game!(round.game, R => serde_json::to_value(R::record(round)?));
        match record {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Ok(Self(Map::new())),
            Err(error) => Err(Fault::Corrupt(error.to_string()).into()),
        }
    }
}

impl TryFrom<Round> for GameHistoryEntry {
    type Error = CasinoError;

    fn try_from(round: Round) -> Result<Self, CasinoError> {
        Ok(Self {
            id: round.id.get(),
            game_type: GameType::of(round.game),
            bet_amount: round.stake.to_string(),
            win_amount: round.payout.to_string(),
            created_at: iso(round.settled_at()),
            profit: round.profit().to_string(),
            results: HistoryResults::try_from(&round)?,
            outcome: outcome_text(&round),
        })
    }
}
