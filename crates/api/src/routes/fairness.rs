//! Provable fairness: seed commitments, seed rotation, and the data to verify a round.

use std::borrow::Cow;

use actix_web::{get, post, web};
use glasshouse_casino::fairness::{Rotation, fairness_state, rotate_seeds};
use glasshouse_casino::play::{VerifiableRound, outcome_text, read_round};
use glasshouse_casino::{CasinoError, Refusal};
use glasshouse_domain::{Game, RoundId};
use glasshouse_games::fairness::ClientSeed;
use glasshouse_games::game_round::GameRound as _;
use glasshouse_games::with_game;
use serde::{Deserialize, Serialize};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::routes::games::wire::{
    GameType, GameWire, PerGame, add_schemas, json, null_per_game, nullable, round_of,
};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::time::iso;

/// The seeds committed for the next round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FairnessState {
    /// SHA-256 of the server seed's text, in hexadecimal.
    server_seed_hash: String,
    client_seed: String,
    /// The nonce of the next round.
    nonce: u64,
}

impl From<glasshouse_casino::fairness::FairnessState> for FairnessState {
    fn from(state: glasshouse_casino::fairness::FairnessState) -> Self {
        Self {
            server_seed_hash: state.server_seed_hash,
            client_seed: state.client_seed,
            nonce: state.next_nonce,
        }
    }
}

/// The new client seed; if omitted, a random one is generated.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RotateRequest {
    /// 1–64 letters, digits, `_` and `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{1,64}$")]
    client_seed: Option<String>,
}

/// A retired seed pair.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevealedSeedPair {
    server_seed: String,
    /// The hash that was published before the rounds.
    server_seed_hash: String,
    client_seed: String,
    /// The number of rounds played with the pair.
    nonce: u64,
}

/// The result of a rotation: the revealed pair and the new commitment.
#[derive(Serialize, ToSchema)]
pub(crate) struct FairnessRotation {
    revealed: RevealedSeedPair,
    current: FairnessState,
}

impl From<Rotation> for FairnessRotation {
    fn from(Rotation { revealed, current }: Rotation) -> Self {
        Self {
            revealed: RevealedSeedPair {
                server_seed: revealed.server_seed,
                server_seed_hash: revealed.server_seed_hash,
                client_seed: revealed.client_seed,
                nonce: revealed.rounds,
            },
            current: current.into(),
        }
    }
}

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
            created_at: iso(round.ended_at.unwrap_or(round.started_at)),
            outcome: outcome_text(round),
            server_seed_hash: found.server_seed_hash,
            server_seed: found.revealed_server_seed,
            client_seed: found.client_seed,
            nonce: round.nonce,
            rules_version: round.rules.number(),
        };
        Ok(Self { terms, games })
    }
}

/// The seeds committed for the player's next round.
#[utoipa::path(
    tag = "fairness",
    responses((status = 200, body = FairnessState), PlayersOnly)
)]
#[get("/api/fairness")]
pub(crate) async fn fairness(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
) -> Result<web::Json<FairnessState>, ApiError> {
    let state = fairness_state(&application.house, user.id).await?;
    Ok(web::Json(state.into()))
}

/// Reveals the current server seed and commits to a new one.
#[utoipa::path(
    tag = "fairness",
    responses(
        (status = 200, body = FairnessRotation),
        Malformed,
        PlayersOnly,
        (status = 409, description = "A round is in play", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/fairness/rotate")]
pub(crate) async fn rotate(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Json(request): Json<RotateRequest>,
) -> Result<web::Json<FairnessRotation>, ApiError> {
    application.limits.check(Limit::Rotation(user.id))?;
    let client_seed = request
        .client_seed
        .map(|text| ClientSeed::parse(&text))
        .transpose()
        .map_err(Refusal::from)?;
    let rotation = rotate_seeds(&application.house, user.id, client_seed).await?;
    Ok(web::Json(rotation.into()))
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
