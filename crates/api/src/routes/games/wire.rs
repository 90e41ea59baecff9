//! The wire interface of a game besides its own endpoints, and responses composed from all games.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glasshouse_casino::play::{AnyRound, RoundView};
use glasshouse_casino::{CasinoError, Fault, House, Round};
use glasshouse_domain::{Game, Timestamp};
use glasshouse_games::game_round::{BrokenRound, GameRound};
use glasshouse_games::registry::{info, listed_names, listed_under};
use glasshouse_games::with_game;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::endpoints::Endpoints;
use crate::routes::games::trainer::RoundAnalysis;

/// The wire interface of a game.
pub(crate) trait GameWire: GameRound {
    /// A round in the list of rounds in play and in events; `()` for a game whose rounds end
    /// immediately.
    type Open: Serialize + ToSchema;
    /// The data of a settled round, besides its seeds, that is needed to verify it.
    type Verification: Serialize + ToSchema;
    /// The fields of a round in the history, besides those that all rounds have.
    type Record: Serialize + ToSchema;

    /// Registers the game's own endpoints.
    fn configure(endpoints: &mut Endpoints<'_>);

    /// Converts a round in play, or one that has just ended.
    fn open(round: &RoundView<Self>, house: &House) -> Self::Open;

    /// Converts the verification data of a settled round.
    ///
    /// # Errors
    /// If the stored round is malformed.
    fn verification(round: &RoundView<Self>) -> Result<Self::Verification, CasinoError>;

    /// Converts a history entry from the row alone.
    ///
    /// # Errors
    /// If the stored details are malformed.
    fn record(round: &Round) -> Result<Self::Record, CasinoError>;

    /// The expected value of each decision in a settled round, if the game has a trainer.
    fn analysis(_: &RoundView<Self>) -> Option<RoundAnalysis> {
        None
    }

    /// The first price after the given tick and when it is published, if the game has prices.
    fn next_price(_: &RoundView<Self>, _tick: usize) -> Option<(Timestamp, u32)> {
        None
    }
}

/// Converts to a round of a specific game.
pub(crate) fn round_of<R: GameRound>(round: &AnyRound) -> Result<RoundView<R>, CasinoError> {
    round
        .as_round_of()
        .ok_or_else(|| Fault::Corrupt(format!("round {} of another game", round.round().id)).into())
}

/// The error for a malformed stored round.
pub(crate) fn corrupt(error: &BrokenRound) -> CasinoError {
    Fault::Corrupt(error.to_string()).into()
}

/// A value or null per game, by the game's name on the wire.
pub(crate) type PerGame = BTreeMap<&'static str, Option<Box<RawValue>>>;

/// Serializes a value to JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Box<RawValue>, CasinoError> {
    serde_json::value::to_raw_value(value).map_err(|error| Fault::Corrupt(error.to_string()).into())
}

/// Null for each of the given games.
pub(crate) fn null_per_game(includes: impl Fn(Game) -> bool) -> PerGame {
    let games = Game::ALL.iter().filter(|game| includes(**game));
    games.map(|game| (info(*game).wire_name, None)).collect()
}

/// The schema of a field that is null or of the given type.
pub(crate) fn nullable<T: ToSchema>() -> RefOr<Schema> {
    let null = ObjectBuilder::new().schema_type(SchemaType::new(Type::Null));
    let value = Ref::from_schema_name(T::name());
    RefOr::T(OneOfBuilder::new().item(value).item(null).build().into())
}

/// Adds a schema and all schemas that it refers to.
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

/// The name that the history lists a game under; both kinds of poker share one.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct GameType(&'static str);

impl GameType {
    /// The name that a game is listed under.
    pub(crate) const fn of(game: Game) -> Self {
        Self(info(game).listed_name)
    }

    /// Wraps a name that is known to be listed.
    pub(crate) const fn listed(name: &'static str) -> Self {
        Self(name)
    }

    /// Parses a listed name.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        listed_names()
            .into_iter()
            .find(|name| *name == text)
            .map(Self)
    }

    /// The listed name.
    pub(crate) const fn name(self) -> &'static str {
        self.0
    }

    /// The games listed under this name.
    pub(crate) fn games(self) -> Vec<Game> {
        listed_under(self.0).collect()
    }
}

impl<'de> Deserialize<'de> for GameType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let unknown = || D::Error::custom(format!("must be one of {}", listed_names().join(", ")));
        Self::parse(&text).ok_or_else(unknown)
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

/// The names that the history lists games under.
pub(crate) fn listed_game_types() -> Vec<&'static str> {
    listed_names()
}

/// The name of a game in the administrators' report, where both kinds of poker are separate.
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
        one_of(
            "A game; the two kinds of poker are separate.",
            names.collect(),
        )
    }
}

impl ToSchema for HouseGameName {
    fn name() -> Cow<'static, str> {
        "HouseGameName".into()
    }
}

/// Registers the endpoints of all games.
pub(crate) fn configure_all(endpoints: &mut Endpoints<'_>) {
    for game in Game::ALL {
        with_game!(*game, R => R::configure(endpoints));
    }
}
