//! The public log, which anyone may read, and a player's receipts and proofs.

use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, ContentType};
use actix_web::{HttpResponse, get, web};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use glasshouse_casino::public_log::{
    Hash, RoundProof, TilePath, WitnessStatus, read_bundle, read_checkpoint, read_consistency,
    read_overview, read_receipts, read_round_proof, read_round_receipt, read_tile, rules_text,
};
use glasshouse_casino::{CasinoError, Fault, Refusal};
use glasshouse_domain::RoundId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::pagination::{MAXIMUM_PAGE, page, parse_cursor, parse_limit};
use crate::http::responses::{Malformed, NotFound, PlayersOnly};
use crate::routes::admin::reports::HouseGame;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::receipt::ReceiptBody;
use crate::wire::time::iso;

/// Full tiles never change.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// The end of the log changes every second.
const NEVER: &str = "no-store";
const BINARY: &str = "application/octet-stream";

/// Answers with something that any web page may read.
fn public(
    content_type: impl Into<String>,
    cache: &'static str,
    body: impl Into<web::Bytes>,
) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, cache))
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .content_type(content_type.into())
        .body(body.into())
}

fn text(body: String) -> HttpResponse {
    public(ContentType::plaintext().to_string(), NEVER, body)
}

/// The last signed checkpoint of the public log (C2SP tlog-checkpoint).
#[get("/log/checkpoint")]
pub(crate) async fn checkpoint(
    application: web::Data<Application>,
) -> Result<HttpResponse, ApiError> {
    let checkpoint = read_checkpoint(&application.house).await?;
    Ok(text(checkpoint.ok_or(Refusal::NotFound)?))
}

/// A tile of hashes or a bundle of entries (C2SP tlog-tiles).
#[get("/log/{path:tile/.*}")]
pub(crate) async fn tile(
    application: web::Data<Application>,
    path: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let path: TilePath = path.parse().map_err(|_| Refusal::NotFound)?;
    let data = match path {
        TilePath::Hashes(tile) => read_tile(&application.house, tile).await?,
        TilePath::Entries(bundle) => read_bundle(&application.house, bundle).await?,
    };
    Ok(public(BINARY, FOREVER, data.ok_or(Refusal::NotFound)?))
}

/// The keys that verify receipts and checkpoints, one per line.
#[get("/transparency/key")]
pub(crate) async fn verifier_keys(application: web::Data<Application>) -> HttpResponse {
    text(application.house.log_keys().to_string())
}

/// The published facts about the games, whose SHA-256 is in the log.
#[get("/transparency/rules")]
pub(crate) async fn rules() -> Result<HttpResponse, ApiError> {
    let rules = rules_text().map_err(|error| {
        CasinoError::from(Fault::PublicLog(format!(
            "the rules cannot be written: {error}"
        )))
    })?;
    Ok(public(ContentType::json().to_string(), NEVER, rules))
}

fn base64(hashes: &[Hash]) -> Vec<String> {
    hashes
        .iter()
        .map(|hash| BASE64_STANDARD.encode(hash.0))
        .collect()
}

/// The receipt of the last change of one of the player's rounds.
#[utoipa::path(
    tag = "fairness",
    params(("id" = i64, Path)),
    responses((status = 200, body = ReceiptBody), PlayersOnly, NotFound)
)]
#[get("/api/rounds/{id}/receipt")]
pub(crate) async fn round_receipt(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    path: web::Path<String>,
) -> Result<web::Json<ReceiptBody>, ApiError> {
    let id: RoundId = path.parse().map_err(|_| Refusal::NotFound)?;
    let receipt = read_round_receipt(&application.house, user.id, id).await?;
    let body = ReceiptBody::of(Some(&receipt)).ok_or(Refusal::NotFound)?;
    Ok(web::Json(body))
}

/// That a settled round is in the public log.
#[derive(Serialize, ToSchema)]
pub(crate) struct RoundInclusion {
    /// The index of the round's entry in the log.
    index: u64,
    /// The entry.
    entry: String,
    /// The hashes that lead from the entry to the root of the checkpoint (RFC 6962), in base64.
    path: Vec<String>,
    /// The signed checkpoint.
    checkpoint: String,
}

impl From<RoundProof> for RoundInclusion {
    fn from(proof: RoundProof) -> Self {
        Self {
            index: proof.index,
            entry: proof.entry,
            path: base64(&proof.path),
            checkpoint: proof.checkpoint,
        }
    }
}

/// The proof that one of the player's settled rounds is in the public log.
#[utoipa::path(
    tag = "fairness",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = RoundInclusion),
        PlayersOnly,
        (status = 404, description = "Unknown round, or not in the log yet", body = ErrorBody),
    )
)]
#[get("/api/rounds/{id}/proof")]
pub(crate) async fn round_proof(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    path: web::Path<String>,
) -> Result<web::Json<RoundInclusion>, ApiError> {
    let id: RoundId = path.parse().map_err(|_| Refusal::NotFound)?;
    let proof = read_round_proof(&application.house, user.id, id).await?;
    Ok(web::Json(proof.into()))
}

/// Two sizes of the public log.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Sizes {
    /// The number of entries of the earlier checkpoint.
    from: u64,
    /// The number of entries of the later checkpoint.
    to: u64,
}

/// That the log of one size continues the log of another.
#[derive(Serialize, ToSchema)]
pub(crate) struct Consistency {
    /// The consistency proof (RFC 6962), in base64.
    path: Vec<String>,
}

/// The proof that a later checkpoint of the public log continues an earlier one. Anyone may ask.
#[utoipa::path(
    tag = "fairness",
    params(Sizes),
    responses(
        (status = 200, body = Consistency),
        Malformed,
        (status = 404, description = "The log does not have these sizes", body = ErrorBody),
    )
)]
#[get("/api/log/consistency")]
pub(crate) async fn consistency(
    application: web::Data<Application>,
    sizes: web::Query<Sizes>,
) -> Result<web::Json<Consistency>, ApiError> {
    let path = read_consistency(&application.house, sizes.from, sizes.to).await?;
    Ok(web::Json(Consistency {
        path: base64(&path),
    }))
}

/// The public log, and what the games have returned.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Transparency {
    /// The name of the log; null before it has begun.
    #[schema(example = "play.example/glasshouse")]
    origin: Option<String>,
    /// The keys that verify receipts and checkpoints, the newest last.
    verifier_keys: Vec<String>,
    /// The number of entries in the log.
    size: u64,
    /// The last signed checkpoint, with the cosignatures that it has so far; empty before the log has
    /// begun.
    checkpoint: String,
    /// The witnesses to which the house sends its checkpoints.
    witnesses: Vec<LogWitness>,
    /// The latest entries, newest first.
    latest: Vec<LogLine>,
    /// All games over all time, including those without rounds.
    games: Vec<HouseGame>,
}

/// A witness of the public log. What it has cosigned is stated by the house; the cosignatures are in
/// the checkpoint.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogWitness {
    /// The name of the witness.
    #[schema(example = "witness.example/1")]
    name: String,
    /// The key that verifies its cosignatures.
    verifier_key: String,
    /// The size of the largest log that it has cosigned; null before the first time.
    cosigned_size: Option<u64>,
    /// When it cosigned that log last; null before the first time.
    #[schema(format = "date-time")]
    cosigned_at: Option<String>,
}

impl From<WitnessStatus> for LogWitness {
    fn from(status: WitnessStatus) -> Self {
        let WitnessStatus {
            name,
            key,
            cosigned,
        } = status;
        Self {
            name,
            verifier_key: key,
            cosigned_size: cosigned.map(|(size, _)| size),
            cosigned_at: cosigned.map(|(_, at)| iso(at)),
        }
    }
}

/// An entry of the public log.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogLine {
    /// The index in the log.
    index: u64,
    /// The entry, a line of JSON.
    entry: String,
}

/// The public log and the games at a glance, at most a few seconds old. Anyone may ask.
#[utoipa::path(tag = "fairness", responses((status = 200, body = Transparency)))]
#[get("/api/transparency")]
pub(crate) async fn transparency(
    application: web::Data<Application>,
) -> Result<web::Json<Transparency>, ApiError> {
    let overview = read_overview(&application.house).await?;
    let keys = application.house.log_keys();
    let latest = overview.latest.iter().map(|latest| LogLine {
        index: latest.index,
        entry: latest.line.clone(),
    });
    Ok(web::Json(Transparency {
        origin: overview.origin.clone(),
        verifier_keys: keys.iter().map(str::to_owned).collect(),
        size: overview.size,
        checkpoint: overview.checkpoint.clone(),
        witnesses: overview
            .witnesses
            .iter()
            .cloned()
            .map(LogWitness::from)
            .collect(),
        latest: latest.collect(),
        games: overview
            .games
            .iter()
            .cloned()
            .map(HouseGame::from)
            .collect(),
    }))
}

/// Selects a page of receipts.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReceiptParameters {
    /// The page size, from 1 to 100; the default is 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// The `Next-Cursor` header of the previous page.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

/// The player's receipts of seed pairs, deposits and withdrawals, newest first. Those of rounds are
/// in the answers to the calls that change them. If there may be more, the `Next-Cursor` header
/// contains the cursor of the next page.
#[utoipa::path(
    tag = "fairness",
    params(ReceiptParameters),
    responses(
        (status = 200, body = Vec<ReceiptBody>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/receipts")]
pub(crate) async fn receipts(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<ReceiptParameters>,
) -> Result<HttpResponse, ApiError> {
    let ReceiptParameters { limit, cursor } = parameters.into_inner();
    let limit = parse_limit(limit, MAXIMUM_PAGE, MAXIMUM_PAGE)?;
    let before = parse_cursor(cursor, |text| text.parse().ok())?;
    let found = read_receipts(&application.house, user.id, before, limit).await?;
    let bodies: Vec<ReceiptBody> = found
        .entries
        .iter()
        .filter_map(|stored| ReceiptBody::of(Some(&stored.receipt)))
        .collect();
    Ok(page(&bodies, found.next.map(|id| id.to_string())))
}
