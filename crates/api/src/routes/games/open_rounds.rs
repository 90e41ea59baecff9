//! The player's rounds in play.

use std::borrow::Cow;

use actix_web::{get, web};
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_domain::Game;
use glasshouse_games::game_round::{GameKind, GameRound as _};
use glasshouse_games::registry::info;
use glasshouse_games::with_game;
use serde::Serialize;
use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::routes::games::timed::milliseconds;
use crate::routes::games::wire::{
    GameWire, PerGame, add_schemas, json, null_per_game, nullable, round_of,
};
use crate::session::SignedInPassively;
use crate::state::Application;

/// The player's rounds in play: one field per game, null if no round is in play.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenRounds {
    server_time_ms: i64,
    #[serde(flatten)]
    games: PerGame,
}

/// Whether rounds of a game can be in play, that is, do not end immediately.
fn can_be_open(game: Game) -> bool {
    info(game).kind != GameKind::Instant
}

impl PartialSchema for OpenRounds {
    fn schema() -> RefOr<Schema> {
        let mut object = ObjectBuilder::new()
            .description(Some("The player's rounds in play."))
            .property("serverTimeMs", i64::schema())
            .required("serverTimeMs");
        for game in Game::ALL.iter().filter(|game| can_be_open(**game)) {
            with_game!(*game, R => {
                object = object.property(R::INFO.wire_name, nullable::<<R as GameWire>::Open>());
            });
        }
        RefOr::T(object.build().into())
    }
}

impl ToSchema for OpenRounds {
    fn name() -> Cow<'static, str> {
        "OpenRounds".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        for game in Game::ALL.iter().filter(|game| can_be_open(**game)) {
            with_game!(*game, R => add_schemas::<<R as GameWire>::Open>(schemas));
        }
    }
}

/// The player's rounds in play, for resuming them after a reload. Does not count as user activity,
/// because browsers request it by themselves.
#[utoipa::path(
    tag = "live",
    responses((status = 200, body = OpenRounds), (status = 401, body = ErrorBody))
)]
#[get("/api/open-rounds")]
pub(crate) async fn rounds_in_play(
    application: web::Data<Application>,
    SignedInPassively(user): SignedInPassively,
) -> Result<web::Json<OpenRounds>, ApiError> {
    let house = &application.house;
    // Before the rounds are read: what is known of a later time is newer than this response.
    let read_at = house.now();
    let rounds = open_rounds(house, user.id).await?;
    let mut open = OpenRounds {
        server_time_ms: milliseconds(read_at),
        games: null_per_game(can_be_open),
    };
    for round in &rounds {
        let (name, value) = with_game!(round.round().game, R => {
            (R::INFO.wire_name, json(&R::open(&round_of::<R>(round)?, house))?)
        });
        open.games.insert(name, Some(value));
    }
    Ok(web::Json(open))
}
