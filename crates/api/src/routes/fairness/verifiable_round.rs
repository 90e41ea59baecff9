//! A settled round with the data to verify it.

use std::borrow::Cow;

use actix_web::{get, web};
use glasshouse_casino::play::{VerifiableRound, outcome_text, read_round};
use glasshouse_casino::{CasinoError, Refusal};
use glasshouse_domain::{Game, RoundId};
use glasshouse_games::game_round::GameRound as _;
use glasshouse_games::with_game;
use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::responses::PlayersOnly;
use crate::routes::fairness::ClientSeedBy;
use crate::routes::games::wire::{
    GameType, GameWire, PerGame, add_schemas, json, null_per_game, nullable, round_of,
};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::time::iso;

/// The verification data common to all games.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoundTerms {
    id: i64,
    game_type: GameType,
    bet_amount: String,
    win_amount: String,
    outcome: String,
    #[schema(format = "date-time")]
    created_at: String,
    /// The hash that was published before the round.
    server_seed_hash: String,
    /// Null until the seed pair has been rotated.
    server_seed: Option<String>,
    client_seed: String,
    /// Who chose the client seed. If it was the house, it knew both seeds before the round.
    client_seed_by: ClientSeedBy,
    nonce: u64,
    /// The version of the rules. 1: the payout is rounded down to the cent. 2: the seeds decide
    /// about a fraction of a cent.
    #[schema(minimum = 1, example = 2)]
    rules_version: u8,
}

/// A settled round with all data needed to verify it: one field per game, null for all games but
/// the round's own.
#[derive(Serialize)]
pub(crate) struct RoundDetails {
    #[serde(flatten)]
    terms: RoundTerms,
    #[serde(flatten)]
    games: PerGame,
}

impl PartialSchema for RoundDetails {
    fn schema() -> RefOr<Schema> {
        let mut schema = RoundTerms::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            let description = "A settled round with all data needed to verify it.";
            object.description = Some(description.to_owned());
            for game in Game::ALL {
                with_game!(*game, R => object.properties.insert(
                    R::INFO.wire_name.to_owned(),
                    nullable::<<R as GameWire>::Verification>(),
                ));
            }
        }
        schema
    }
}

impl ToSchema for RoundDetails {
    fn name() -> Cow<'static, str> {
        "RoundDetails".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        RoundTerms::schemas(schemas);
        for game in Game::ALL {
            with_game!(*game, R => add_schemas::<<R as GameWire>::Verification>(schemas));
        }
    }
}

impl TryFrom<VerifiableRound> for RoundDetails {
    type Error = CasinoError;

    fn try_from(found: VerifiableRound) -> Result<Self, CasinoError> {
        let round = found.round.round();
        let mut games = null_per_game(|_| true);
        let (name, verification) = with_game!(round.game, R => {
            (R::INFO.wire_name, json(&R::verification(&round_of::<R>(&found.round)?)?)?)
        });
        games.insert(name, Some(verification));
        let terms = RoundTerms {
            id: round.id.get(),
            game_type: GameType::of(round.game),
            bet_amount: round.stake.to_string(),
            win_amount: round.payout.to_string(),
            created_at: iso(round.settled_at()),
            outcome: outcome_text(round),
            server_seed_hash: found.server_seed_hash,
            server_seed: found.revealed_server_seed,
            client_seed: found.client_seed,
            client_seed_by: found.client_seed_by.into(),
            nonce: round.nonce,
            rules_version: round.rules.number(),
        };
        Ok(Self { terms, games })
    }
}

/// One of the player's settled rounds, with its seeds.
#[utoipa::path(
    tag = "fairness",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = RoundDetails),
        PlayersOnly,
        (status = 404, description = "Unknown round, or another player's", body = ErrorBody),
    )
)]
#[get("/api/rounds/{id}")]
pub(crate) async fn verifiable_round(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    path: web::Path<String>,
) -> Result<web::Json<RoundDetails>, ApiError> {
    let id: RoundId = path.parse().map_err(|_| Refusal::NotFound)?;
    let round = read_round(&application.house, user.id, id).await?;
    Ok(web::Json(round.try_into()?))
}
