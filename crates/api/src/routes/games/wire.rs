//! What each game has on the wire besides its own calls, and the answers that are put together from
//! all games.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glasshouse_casino::play::{AnyRound, RoundView};
use glasshouse_casino::{CasinoError, Fault, House, Round};
use glasshouse_domain::{Game, Timestamp};
use glasshouse_games::game_round::{BrokenRound, GameRound};
use glasshouse_games::registry::{info, listed_as, listed_names};
use glasshouse_games::with_game;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::routes::games::trainer::RoundAnalysis;

/// A game on the wire.
pub(crate) trait GameWire: GameRound {
    /// A round as the list of rounds in play and the events tell it; nothing for a game whose rounds
    /// are over at once.
    type Open: Serialize + ToSchema;
    /// What is needed of a settled round, besides its seeds, to verify it.
    type Verification: Serialize + ToSchema;
    /// What the history tells of a round besides what every round has.
    type Record: Serialize + ToSchema;

    /// The game's own calls.
    fn configure(config: &mut ServiceConfig<'_>);

    /// A round in play, or one that has just ended.
    fn open(round: &RoundView<Self>, house: &House) -> Self::Open;

    /// A round that is over.
    ///
    /// # Errors
    /// If it is not what this program writes.
    fn verification(round: &RoundView<Self>) -> Result<Self::Verification, CasinoError>;

    /// A record of the history, from the row alone.
    ///
    /// # Errors
    /// If its details are not what this program writes.
    fn record(round: &Round) -> Result<Self::Record, CasinoError>;

    /// What each decision in a round that is over was worth, where the game has a trainer.
    fn analysis(_: &RoundView<Self>) -> Option<RoundAnalysis> {
        None
    }

    /// The price that is published next after that tick, and when, where the game has prices.
    fn next_price(_: &RoundView<Self>, _tick: usize) -> Option<(Timestamp, u32)> {
        None
    }
}

/// The round as one of its game.
pub(crate) fn round_of<R: GameRound>(round: &AnyRound) -> Result<RoundView<R>, CasinoError> {
    round
        .as_round_of()
        .ok_or_else(|| Fault::Corrupt(format!("round {} of another game", round.round().id)).into())
}

/// A stored round that is not what this program writes.
pub(crate) fn corrupt(error: &BrokenRound) -> CasinoError {
    Fault::Corrupt(error.to_string()).into()
}

/// Something of each game, under its name on the wire.
pub(crate) type PerGame = BTreeMap<&'static str, Option<Box<RawValue>>>;

/// As JSON text.
pub(crate) fn json(value: &impl Serialize) -> Result<Box<RawValue>, CasinoError> {
    serde_json::value::to_raw_value(value).map_err(|error| Fault::Corrupt(error.to_string()).into())
}

/// Nothing of each game whose rounds can be in play.
pub(crate) fn nothing_of_each(has: impl Fn(Game) -> bool) -> PerGame {
    let games = Game::ALL.iter().filter(|game| has(**game));
    games.map(|game| (info(*game).wire_name, None)).collect()
}

/// A field that is null or what the type says.
pub(crate) fn nullable<T: ToSchema>() -> RefOr<Schema> {
    let null = ObjectBuilder::new().schema_type(SchemaType::new(Type::Null));
    let value = Ref::from_schema_name(T::name());
    RefOr::T(OneOfBuilder::new().item(value).item(null).build().into())
}

/// A schema and all that it is made of.
pub(crate) fn add_schemas<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}

fn one_of(description: &str, names: Vec<&'static str>) -> RefOr<Schema> {
    let object = ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .description(Some(description))
        .enum_values(Some(names));
    RefOr::T(object.build().into())
}

/// The name that the history lists games under.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct GameType(&'static str);

impl GameType {
    /// The name of a game.
    pub(crate) const fn of(game: Game) -> Self {
        Self(info(game).listed_as)
    }

    /// A listed name.
    pub(crate) const fn listed(name: &'static str) -> Self {
        Self(name)
    }

    /// The games of that name.
    pub(crate) fn games(self) -> Vec<Game> {
        listed_as(self.0).collect()
    }
}

impl<'de> Deserialize<'de> for GameType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let names = listed_names();
        let found = names.iter().find(|name| **name == text);
        let unknown = || D::Error::custom(format!("must be one of {}", names.join(", ")));
        found.map(|name| Self(name)).ok_or_else(unknown)
    }
}

impl PartialSchema for GameType {
    fn schema() -> RefOr<Schema> {
        one_of("A game.", listed_names())
    }
}

impl ToSchema for GameType {
    fn name() -> Cow<'static, str> {
        "GameType".into()
    }
}

/// The name of a game in the administrators' report, where games of one listed name stand apart.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct HouseGameName(&'static str);

impl From<Game> for HouseGameName {
    fn from(game: Game) -> Self {
        Self(info(game).report_name)
    }
}

impl PartialSchema for HouseGameName {
    fn schema() -> RefOr<Schema> {
        let names = Game::ALL.iter().map(|game| info(*game).report_name);
        one_of("A game, with both kinds of poker apart.", names.collect())
    }
}

impl ToSchema for HouseGameName {
    fn name() -> Cow<'static, str> {
        "HouseGameName".into()
    }
}

/// The calls of all games.
pub(crate) fn configure_all(config: &mut ServiceConfig<'_>) {
    for game in Game::ALL {
        with_game!(*game, R => R::configure(config));
    }
}
