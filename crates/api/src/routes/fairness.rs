//! Provable fairness on the wire: what is committed, what is revealed, what a round was made of.

use actix_web::{get, post, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::fairness::{Rotation, fairness_state, rotate_seeds};
use glasshouse_casino::play::timed::{CrashRoundView, StonksRoundView};
use glasshouse_casino::play::{DiceDetails, VerifiableGame, VerifiableRound, read_round};
use glasshouse_domain::{Money, RoundId};
use glasshouse_games::fairness::ClientSeed;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::routes::games::crash::CrashCurve;
use crate::routes::games::dice::{DiceBetType, multiplier};
use crate::routes::games::heads_up::HeadsUpRoundDetails;
use crate::routes::games::stonks::points;
use crate::routes::games::video_poker::PokerRoundDetails;
use crate::routes::history::GameType;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::multiplier::MultiplierNumber;
use crate::wire::time::iso;

/// What the next round is committed to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FairnessState {
    /// SHA-256 of the server seed's text.
    server_seed_hash: String,
    client_seed: String,
    /// The nonce that the next round takes.
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

/// A new client seed, or none to get a random one.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RotateRequest {
    /// 1–64 letters, digits, `_` and `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{1,64}$")]
    client_seed: Option<String>,
}

/// A seed pair that is used no more.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevealedSeedPair {
    server_seed: String,
    /// As it was shown before.
    server_seed_hash: String,
    client_seed: String,
    /// How many rounds were played with the pair.
    nonce: u64,
}

/// What a rotation reveals and what it commits to.
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

/// A settled round with everything that is needed to verify it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RoundDetails {
    id: i64,
    game_type: GameType,
    bet_amount: String,
    win_amount: String,
    outcome: String,
    #[schema(format = "date-time")]
    created_at: String,
    /// The hash that was shown before the round.
    server_seed_hash: String,
    /// Null until the seed pair has been rotated away.
    server_seed: Option<String>,
    client_seed: String,
    nonce: u64,
    /// By which version of the rules it was paid. 1: rounded down to the cent. 2: the seeds decide
    /// about a fraction of a cent.
    #[schema(minimum = 1, example = 2)]
    rules_version: u8,
    /// The terms and the roll, for a dice round.
    dice: Option<DiceRoundDetails>,
    /// The terms and the crash point, for a crash round.
    crash: Option<CrashRoundDetails>,
    /// The terms and the path, for a stonks round.
    stonks: Option<StonksRoundDetails>,
    /// The cards, for a hand of video poker.
    poker: Option<PokerRoundDetails>,
    /// The cards, for a hand of heads-up hold'em.
    heads_up: Option<HeadsUpRoundDetails>,
}

/// The terms and the roll of a dice round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiceRoundDetails {
    target_number: u8,
    bet_type: DiceBetType,
    dice_result: u8,
    multiplier: String,
}

/// The terms of a crash round and where it crashed, or would have.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CrashRoundDetails {
    curve: CrashCurve,
    #[schema(value_type = Option<f64>)]
    auto_cashout_multiplier: Option<MultiplierNumber>,
    #[schema(value_type = Option<f64>)]
    crash_point: Option<MultiplierNumber>,
    #[schema(value_type = Option<f64>)]
    cashout_multiplier: Option<MultiplierNumber>,
}

/// The terms of a stonks round and its whole path.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StonksRoundDetails {
    auto_cashout_profit: Option<String>,
    /// Every point, also those after a sale.
    #[schema(value_type = Vec<f64>)]
    points: Vec<MultiplierNumber>,
    sold_at_tick: Option<usize>,
    #[schema(value_type = Option<f64>)]
    cashout_multiplier: Option<MultiplierNumber>,
}

impl TryFrom<VerifiableRound> for RoundDetails {
    type Error = ApiError;

    fn try_from(found: VerifiableRound) -> Result<Self, ApiError> {
        let round = found.round;
        let mut details = Self {
            id: round.id.get(),
            game_type: round.game.into(),
            bet_amount: round.stake.to_string(),
            win_amount: round.payout.to_string(),
            created_at: iso(round.ended_at.unwrap_or(round.started_at)),
            outcome: round.outcome,
            server_seed_hash: found.server_seed_hash,
            server_seed: found.revealed_server_seed,
            client_seed: found.client_seed,
            nonce: round.nonce,
            rules_version: round.rules.number(),
            dice: None,
            crash: None,
            stonks: None,
            poker: None,
            heads_up: None,
        };
        match found.game {
            VerifiableGame::Dice(dice) => details.dice = Some(dice_details(&dice, round.stake)?),
            VerifiableGame::Crash(view) => details.crash = Some((&view).into()),
            VerifiableGame::Stonks(view) => details.stonks = Some((&view).into()),
            VerifiableGame::Poker(view) => details.poker = Some((&view).into()),
            VerifiableGame::HeadsUp(view) => details.heads_up = Some((&view).into()),
        }
        Ok(details)
    }
}

impl From<&CrashRoundView> for CrashRoundDetails {
    fn from(view: &CrashRoundView) -> Self {
        Self {
            curve: view.bet.curve().into(),
            auto_cashout_multiplier: view.bet.auto_cashout().map(MultiplierNumber),
            crash_point: view.crash_point.map(MultiplierNumber),
            cashout_multiplier: view.round.multiplier.map(MultiplierNumber),
        }
    }
}

impl From<&StonksRoundView> for StonksRoundDetails {
    fn from(view: &StonksRoundView) -> Self {
        Self {
            auto_cashout_profit: view.bet.auto_sell().map(|amount| amount.to_string()),
            points: points(view.path().unwrap_or_default()),
            sold_at_tick: view.sold_at_tick,
            cashout_multiplier: view.round.multiplier.map(MultiplierNumber),
        }
    }
}

fn dice_details(details: &DiceDetails, stake: Money) -> Result<DiceRoundDetails, ApiError> {
    let bet = details.bet(stake)?;
    Ok(DiceRoundDetails {
        target_number: details.target_number,
        bet_type: bet.bet_type().into(),
        dice_result: details.dice_result,
        multiplier: multiplier(&bet),
    })
}

/// What the player's next round is committed to.
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

/// Reveals the server seed in use and commits to a new one.
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
    Json(wish): Json<RotateRequest>,
) -> Result<web::Json<FairnessRotation>, ApiError> {
    application.limits.check(Limit::Rotation(user.id))?;
    let client_seed = wish
        .client_seed
        .map(|text| ClientSeed::parse(&text))
        .transpose()
        .map_err(Refusal::from)?;
    let rotation = rotate_seeds(&application.house, user.id, client_seed).await?;
    Ok(web::Json(rotation.into()))
}

/// A settled round of the player's own, with its seeds.
#[utoipa::path(
    tag = "fairness",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = RoundDetails),
        PlayersOnly,
        (status = 404, description = "No such round, or somebody else's", body = ErrorBody),
    )
)]
#[get("/api/rounds/{id}")]
pub(crate) async fn verifiable_round(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    path: web::Path<String>,
) -> Result<web::Json<RoundDetails>, ApiError> {
    let id: RoundId = path.parse().map_err(|_| Refusal::NotFound)?;
    let found = read_round(&application.house, user.id, id).await?;
    Ok(web::Json(found.try_into()?))
}
