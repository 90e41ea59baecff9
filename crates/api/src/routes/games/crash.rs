//! The endpoints and wire types of crash.

use actix_web::{get, post, web};
use glasshouse_casino::operating::maximum_stake;
use glasshouse_casino::play::{RoundMove, RoundView, details_of, make_move, start};
use glasshouse_casino::{CasinoError, House, Round as RoundRow};
use glasshouse_domain::{Game, RoundId};
use glasshouse_games::bet::BetError;
use glasshouse_games::crash::{
    Bet, CashOut, Curve, DEFAULT_AUTO_CASHOUT, DEFAULT_STAKE, MAXIMUM_MULTIPLIER, MINIMUM_STAKE,
    Round,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::routes::games::timed::{LiveResult, LiveState, required};
use crate::routes::games::wire::GameWire;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::integer::Integer;
use crate::wire::money::AmountText;
use crate::wire::multiplier::{MultiplierNumber, MultiplierText};

/// How often clients update the displayed multiplier, in milliseconds.
const TICK_MS: u32 = 30;

/// The growth of the multiplier: linear adds 0.7 per second, exponential is 1.1 to the power of the
/// elapsed seconds.
#[derive(Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CrashCurve {
    #[default]
    Linear,
    Exponential,
}

impl From<Curve> for CrashCurve {
    fn from(curve: Curve) -> Self {
        match curve {
            Curve::Linear => Self::Linear,
            Curve::Exponential => Self::Exponential,
        }
    }
}

impl From<CrashCurve> for Curve {
    fn from(curve: CrashCurve) -> Self {
        match curve {
            CrashCurve::Linear => Self::Linear,
            CrashCurve::Exponential => Self::Exponential,
        }
    }
}

/// The defaults and limits of crash.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CrashSettings {
    #[schema(example = "10.00")]
    bet_amount: String,
    #[schema(value_type = f64, example = 2)]
    auto_cashout_multiplier: MultiplierNumber,
    #[schema(example = "1.00")]
    min_bet: String,
    #[schema(example = "1000.00")]
    max_bet: String,
    /// The multiplier at which a round is cashed out automatically.
    #[schema(value_type = f64, example = 100)]
    max_multiplier: MultiplierNumber,
    curve: CrashCurve,
    tick_ms: u32,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CrashAction {
    Start,
    Cashout,
}

/// Starts a round or cashes out of it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CrashGameRequest {
    action: CrashAction,
    /// US dollars with at most two decimals; ignored for a cash-out.
    #[schema(example = "10.00")]
    bet_amount: AmountText,
    /// Start: the automatic cash-out multiplier, above 1 with at most two decimals.
    #[serde(default)]
    #[schema(example = "2.00")]
    auto_cashout_multiplier: Option<MultiplierText>,
    /// Start: the growth of the multiplier; linear by default.
    #[serde(default)]
    curve: Option<CrashCurve>,
    /// Cash-out: the multiplier that the player saw. Never more than the actual multiplier is paid.
    #[serde(default)]
    #[schema(example = "1.53")]
    cashout_multiplier: Option<MultiplierText>,
    /// Ignored: only the server knows the crash point.
    #[serde(default, rename = "crashPoint")]
    #[schema(value_type = serde_json::Value)]
    _crash_point: Option<serde::de::IgnoredAny>,
    /// Cash-out: the round's ID; the open round by default.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    round_id: Option<Integer>,
}

/// A round of crash.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CrashRound {
    result: LiveState,
    curve: CrashCurve,
    #[schema(value_type = Option<f64>)]
    auto_cashout_multiplier: Option<MultiplierNumber>,
    /// Null until the round is over.
    #[schema(value_type = Option<f64>)]
    crash_point: Option<MultiplierNumber>,
    #[serde(flatten)]
    round: LiveResult,
}

/// The terms of a crash round and its crash point, even if the player cashed out first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CrashRoundDetails {
    curve: CrashCurve,
    #[schema(value_type = Option<f64>)]
    auto_cashout_multiplier: Option<MultiplierNumber>,
    #[schema(value_type = Option<f64>)]
    crash_point: Option<MultiplierNumber>,
    /// The multiplier at which the player cashed out; null if the round crashed first.
    #[schema(value_type = Option<f64>)]
    cashout_multiplier: Option<MultiplierNumber>,
}

/// The fields of a crash round in the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CrashRecord {
    /// Crash: the crash point, even if the player cashed out first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    crash_point: Option<MultiplierNumber>,
    /// Crash: the automatic cash-out multiplier.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    auto_cashout_multiplier: Option<MultiplierNumber>,
    /// Crash and stonks: the multiplier that was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    cashout_multiplier: Option<MultiplierNumber>,
}

impl GameWire for Round {
    type Open = CrashRound;
    type Verification = CrashRoundDetails;
    type Record = CrashRecord;

    fn configure(endpoints: &mut Endpoints<'_>) {
        endpoints.service(crash_settings).service(play_crash);
    }

    fn open(current: &RoundView<Self>, house: &House) -> CrashRound {
        let RoundView {
            round,
            view,
            receipt,
        } = current;
        CrashRound {
            result: LiveState::of(round),
            curve: view.bet.curve().into(),
            auto_cashout_multiplier: view.bet.auto_cashout().map(MultiplierNumber),
            crash_point: view.crash_point.map(MultiplierNumber),
            round: LiveResult::new(round, receipt.as_ref(), house.now()),
        }
    }

    fn verification(
        RoundView { round, view, .. }: &RoundView<Self>,
    ) -> Result<CrashRoundDetails, CasinoError> {
        Ok(CrashRoundDetails {
            curve: view.bet.curve().into(),
            auto_cashout_multiplier: view.bet.auto_cashout().map(MultiplierNumber),
            crash_point: view.crash_point.map(MultiplierNumber),
            cashout_multiplier: round.multiplier.map(MultiplierNumber),
        })
    }

    fn record(round: &RoundRow) -> Result<CrashRecord, CasinoError> {
        let details = details_of::<Self>(round)?;
        Ok(CrashRecord {
            crash_point: details.crash_point().map(MultiplierNumber),
            auto_cashout_multiplier: details.auto_cashout().map(MultiplierNumber),
            cashout_multiplier: round.multiplier.map(MultiplierNumber),
        })
    }
}

/// The defaults and limits of crash.
#[utoipa::path(
    tag = "crash",
    responses((status = 200, body = CrashSettings), (status = 401, body = ErrorBody))
)]
#[get("/api/crash-settings")]
pub(crate) async fn crash_settings(
    application: web::Data<Application>,
    _: SignedIn,
) -> Result<web::Json<CrashSettings>, ApiError> {
    let maximum = maximum_stake(&application.house, Game::Crash).await?;
    Ok(web::Json(CrashSettings {
        bet_amount: DEFAULT_STAKE.min(maximum).to_string(),
        auto_cashout_multiplier: MultiplierNumber(DEFAULT_AUTO_CASHOUT),
        min_bet: MINIMUM_STAKE.to_string(),
        max_bet: maximum.to_string(),
        max_multiplier: MultiplierNumber(MAXIMUM_MULTIPLIER),
        curve: Curve::default().into(),
        tick_ms: TICK_MS,
    }))
}

/// Starts a round or cashes out of it. Repeating a request with the same `Idempotency-Key` and bet
/// returns the same round in its current state.
#[utoipa::path(
    tag = "crash",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = CrashRound),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, description = "The player has no such round", body = ErrorBody),
        (status = 409, description = "A round is already in play, the round is over, or no round is in play", body = ErrorBody),
        (status = 422, description = "The bet violates a rule", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/crash/game")]
pub(crate) async fn play_crash(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(request): Json<CrashGameRequest>,
) -> Result<web::Json<CrashRound>, ApiError> {
    match request.action {
        CrashAction::Start => application.limits.check(Limit::Bet(user.id))?,
        CrashAction::Cashout => application.limits.check(Limit::CashOut(user.id))?,
    }
    let house = &application.house;
    let stake = request.bet_amount.parse()?;
    let view = match request.action {
        CrashAction::Start => {
            let bet = bet(stake, &request)?;
            start::<Round>(house, user.id, bet, key).await?
        }
        CrashAction::Cashout => {
            let claim = required(request.cashout_multiplier, "cashoutMultiplier")?.parse()?;
            if claim < glasshouse_domain::Multiplier::ONE {
                return Err(bet_error(BetError::InvalidClaim));
            }
            let cash_out = RoundMove::<Round>::new(CashOut { claim })
                .in_round(request.round_id.map(RoundId::from))
                .with_key(key);
            make_move(house, user.id, cash_out).await?
        }
    };
    Ok(web::Json(Round::open(&view, house)))
}

fn bet(stake: glasshouse_domain::Money, request: &CrashGameRequest) -> Result<Bet, ApiError> {
    let auto_cashout = request
        .auto_cashout_multiplier
        .as_ref()
        .map(|text| text.parse_exact().ok_or(BetError::InvalidAutoCashout))
        .transpose()
        .map_err(bet_error)?;
    Bet::new(
        stake,
        auto_cashout,
        request.curve.unwrap_or_default().into(),
    )
    .map_err(bet_error)
}

fn bet_error(refusal: BetError) -> ApiError {
    glasshouse_casino::Refusal::from(refusal).into()
}
