//! Provable fairness: the commitments to the server seeds, the client seed, seed rotation and former
//! seed pairs.

pub(crate) mod verifiable_round;

use actix_web::{HttpResponse, get, post, put, web};
use glasshouse_casino::fairness::{
    Rotation, RotationRequest, fairness_state, former_seed_pairs, rotate_seeds, set_client_seed,
};
use glasshouse_casino::{FormerSeedPair, Refusal};
use glasshouse_games::fairness::ClientSeed;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::json_body::Json;
use crate::http::pagination::{PageParameters, page};
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::receipt::ReceiptBody;
use crate::wire::time::iso;

/// Who chose a client seed.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClientSeedBy {
    Player,
    House,
}

impl From<glasshouse_domain::ClientSeedBy> for ClientSeedBy {
    fn from(by: glasshouse_domain::ClientSeedBy) -> Self {
        match by {
            glasshouse_domain::ClientSeedBy::Player => Self::Player,
            glasshouse_domain::ClientSeedBy::House => Self::House,
        }
    }
}

/// The seeds of the next round, and the commitment to those after them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FairnessState {
    /// SHA-256 of the active server seed's text, in hexadecimal.
    server_seed_hash: String,
    client_seed: String,
    client_seed_by: ClientSeedBy,
    /// The nonce of the next round.
    nonce: u64,
    /// SHA-256 of the server seed that the next rotation activates.
    next_server_seed_hash: String,
    /// The receipt of the change that this call made; null if it made none.
    receipt: Option<ReceiptBody>,
}

impl From<glasshouse_casino::fairness::FairnessState> for FairnessState {
    fn from(state: glasshouse_casino::fairness::FairnessState) -> Self {
        Self {
            server_seed_hash: state.server_seed_hash,
            client_seed: state.client_seed,
            client_seed_by: state.client_seed_by.into(),
            nonce: state.next_nonce,
            next_server_seed_hash: state.next_server_seed_hash,
            receipt: ReceiptBody::of(state.receipt.as_ref()),
        }
    }
}

/// The client seed for the active pair.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ClientSeedRequest {
    /// 1–64 letters, digits, `_` and `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{1,64}$")]
    client_seed: String,
}

/// The client seed for the pair that becomes active, whose server seed is already committed to.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RotateRequest {
    /// 1–64 letters, digits, `_` and `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{1,64}$")]
    client_seed: String,
    /// The `nextServerSeedHash` that the client seed was chosen for.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    next_server_seed_hash: String,
}

/// A retired seed pair.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevealedSeedPair {
    server_seed: String,
    /// The hash that was published before the client seed was chosen.
    server_seed_hash: String,
    client_seed: String,
    client_seed_by: ClientSeedBy,
    /// The number of rounds played with the pair.
    nonce: u64,
}

/// The result of a rotation: the revealed pair and the state after it.
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
                client_seed_by: revealed.client_seed_by.into(),
                nonce: revealed.rounds,
            },
            current: current.into(),
        }
    }
}

/// A former seed pair.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FormerPair {
    server_seed: String,
    /// The hash that was published before the client seed was chosen.
    server_seed_hash: String,
    client_seed: String,
    client_seed_by: ClientSeedBy,
    /// The number of rounds played with the pair, with the nonces from 0.
    rounds: u64,
    /// When the house committed to the server seed.
    #[schema(format = "date-time")]
    committed_at: String,
    /// When the pair became active.
    #[schema(format = "date-time")]
    activated_at: String,
    /// When the server seed was revealed.
    #[schema(format = "date-time")]
    revealed_at: String,
}

impl From<FormerSeedPair> for FormerPair {
    fn from(pair: FormerSeedPair) -> Self {
        Self {
            server_seed: pair.server_seed,
            server_seed_hash: pair.server_seed_hash,
            client_seed: pair.client_seed,
            client_seed_by: pair.client_seed_by.into(),
            rounds: pair.rounds,
            committed_at: iso(pair.committed_at),
            activated_at: iso(pair.activated_at),
            revealed_at: iso(pair.revealed_at),
        }
    }
}

/// The seeds of the player's next round, and the commitment to those after them.
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

/// Sets the player's own client seed, as long as no round was played with the active pair.
#[utoipa::path(
    tag = "fairness",
    responses(
        (status = 200, body = FairnessState),
        Malformed,
        PlayersOnly,
        (status = 409, description = "A round was already played with the pair", body = ErrorBody),
        RateLimited,
    )
)]
#[put("/api/fairness/client-seed")]
pub(crate) async fn client_seed(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Json(request): Json<ClientSeedRequest>,
) -> Result<web::Json<FairnessState>, ApiError> {
    application.limits.check(Limit::ClientSeed(user.id))?;
    let client_seed = ClientSeed::parse(&request.client_seed).map_err(Refusal::from)?;
    let state = set_client_seed(&application.house, user.id, client_seed).await?;
    Ok(web::Json(state.into()))
}

/// Reveals the active server seed and activates the next one, which was committed to before, with
/// the given client seed. Nothing changes unless `nextServerSeedHash` is the current one.
#[utoipa::path(
    tag = "fairness",
    responses(
        (status = 200, body = FairnessRotation),
        Malformed,
        PlayersOnly,
        (status = 409, description = "A round is in play, or the next server seed is another one", body = ErrorBody),
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
    let request = RotationRequest::parse(&request.client_seed, request.next_server_seed_hash)?;
    let rotation = rotate_seeds(&application.house, user.id, request).await?;
    Ok(web::Json(rotation.into()))
}

/// The player's former seed pairs, newest first. If there may be more, the `Next-Cursor` header
/// contains the cursor of the next page.
#[utoipa::path(
    tag = "fairness",
    params(PageParameters),
    responses(
        (status = 200, body = Vec<FormerPair>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/fairness/pairs")]
pub(crate) async fn former_pairs(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<PageParameters>,
) -> Result<HttpResponse, ApiError> {
    let (limit, after) = parameters.into_inner().parse()?;
    let found = former_seed_pairs(&application.house, user.id, after, limit).await?;
    let pairs: Vec<FormerPair> = found.entries.into_iter().map(FormerPair::from).collect();
    Ok(page(&pairs, found.next))
}
