//! The endpoints and wire types of stonks.

use actix_web::{get, post, web};
use glasshouse_casino::operating::maximum_stake;
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::play::{AnyRound, RoundMove, RoundView, make_move, read_round, start};
use glasshouse_casino::{CasinoError, House, Refusal, Round as RoundRow};
use glasshouse_domain::{Game, RoundId, Timestamp, UserId};
use glasshouse_games::stonks::{Bet, DEFAULT_STAKE, LAST_TICK, MINIMUM_STAKE, Round, Sell, TICK};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::routes::games::timed::{LiveResult, LiveState};
use crate::routes::games::wire::GameWire;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::integer::Integer;
use crate::wire::money::AmountText;
use crate::wire::multiplier::{MultiplierNumber, MultiplierText};

/// The defaults and limits of stonks.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StonksSettings {
    #[schema(example = "10.00")]
    bet_amount: String,
    /// The default value of the position at which it is sold automatically; null for none.
    auto_cashout_profit: Option<String>,
    #[schema(example = "0.01")]
    min_bet: String,
    #[schema(example = "1000.00")]
    max_bet: String,
    tick_ms: u64,
    max_ticks: usize,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StonksAction {
    Start,
    Cashout,
    /// A hint that the client saw the end of the round. It changes nothing by itself.
    Crashed,
}

/// Starts a round, sells its position, or queries whether it is over.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct StonksGameRequest {
    action: StonksAction,
    /// US dollars with at most two decimals; ignored for a sale.
    #[schema(example = "10.00")]
    bet_amount: AmountText,
    /// Start: the value of the position, above the bet, at which it is sold automatically.
    #[serde(default)]
    #[schema(example = "15.00")]
    auto_cashout_profit: Option<AmountText>,
    /// Cash-out: the multiplier that the player saw. The last published price is paid.
    #[serde(default)]
    #[schema(example = "1.234")]
    cashout_multiplier: Option<MultiplierText>,
    /// The round's ID; the open round by default.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    round_id: Option<Integer>,
}

/// A round of stonks.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StonksRound {
    result: LiveState,
    #[schema(example = "15.00")]
    auto_cashout_profit: Option<String>,
    /// The prices published so far, starting with 1; a final 0 is the crash.
    #[schema(value_type = Vec<f64>, example = json!([1, 1.034]))]
    points: Vec<MultiplierNumber>,
    #[serde(flatten)]
    round: LiveResult,
}

/// The terms of a stonks round and its complete price path.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StonksRoundDetails {
    auto_cashout_profit: Option<String>,
    /// The prices, starting with 1; the last one is 0 if the market crashed.
    #[schema(value_type = Vec<f64>)]
    points: Vec<MultiplierNumber>,
    /// The tick at which the position was sold; null if the market crashed.
    sold_at_tick: Option<usize>,
    /// The multiplier at which it was sold; null if the market crashed.
    #[schema(value_type = Option<f64>)]
    cashout_multiplier: Option<MultiplierNumber>,
}

/// The fields of a stonks round in the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StonksRecord {
    /// Crash and stonks: the multiplier that was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    cashout_multiplier: Option<MultiplierNumber>,
}

impl GameWire for Round {
    type Open = StonksRound;
    type Verification = StonksRoundDetails;
    type Record = StonksRecord;

    fn configure(endpoints: &mut Endpoints<'_>) {
        endpoints.service(stonks_settings).service(play_stonks);
    }

    fn open(current: &RoundView<Self>, house: &House) -> StonksRound {
        let RoundView {
            round,
            view,
            receipt,
        } = current;
        let until = round.ended_at.unwrap_or_else(|| house.published_until());
        let elapsed = until.saturating_since(round.started_at);
        StonksRound {
            result: LiveState::of(round),
            auto_cashout_profit: view.bet.auto_sell().map(|amount| amount.to_string()),
            points: points(view.published(elapsed)),
            round: LiveResult::new(round, receipt.as_ref(), house.now()),
        }
    }

    fn verification(
        RoundView { round, view, .. }: &RoundView<Self>,
    ) -> Result<StonksRoundDetails, CasinoError> {
        Ok(StonksRoundDetails {
            auto_cashout_profit: view.bet.auto_sell().map(|amount| amount.to_string()),
            points: points(view.path().unwrap_or_default()),
            sold_at_tick: view.sold_at_tick,
            cashout_multiplier: round.multiplier.map(MultiplierNumber),
        })
    }

    fn record(round: &RoundRow) -> Result<StonksRecord, CasinoError> {
        Ok(StonksRecord {
            cashout_multiplier: round.multiplier.map(MultiplierNumber),
        })
    }

    fn next_price(
        RoundView { round, view, .. }: &RoundView<Self>,
        tick: usize,
    ) -> Option<(Timestamp, u32)> {
        let (after, point) = view.next_point(tick)?;
        Some((round.started_at.saturating_add(after), point))
    }
}

fn points(thousandths: &[u32]) -> Vec<MultiplierNumber> {
    let number = |point: &u32| MultiplierNumber::of_thousandths(*point);
    thousandths.iter().map(number).collect()
}

/// The defaults and limits of stonks.
#[utoipa::path(
    tag = "stonks",
    responses((status = 200, body = StonksSettings), (status = 401, body = ErrorBody))
)]
#[get("/api/stonks-settings")]
pub(crate) async fn stonks_settings(
    application: web::Data<Application>,
    _: SignedIn,
) -> Result<web::Json<StonksSettings>, ApiError> {
    let maximum = maximum_stake(&application.house, Game::Stonks).await?;
    Ok(web::Json(StonksSettings {
        bet_amount: DEFAULT_STAKE.min(maximum).to_string(),
        auto_cashout_profit: None,
        min_bet: MINIMUM_STAKE.to_string(),
        max_bet: maximum.to_string(),
        tick_ms: u64::try_from(TICK.as_millis()).unwrap_or(u64::MAX),
        max_ticks: LAST_TICK,
    }))
}

/// Starts a round, sells its position, or queries whether it is over. Repeating a request with the
/// same `Idempotency-Key` and bet returns the same round in its current state.
#[utoipa::path(
    tag = "stonks",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = StonksRound),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, description = "The player has no such round", body = ErrorBody),
        (status = 409, description = "A round is already in play, the round is over, or no round is in play", body = ErrorBody),
        (status = 422, description = "The bet or the sale violates a rule", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/stonks/game")]
pub(crate) async fn play_stonks(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(request): Json<StonksGameRequest>,
) -> Result<web::Json<StonksRound>, ApiError> {
    match request.action {
        StonksAction::Start => application.limits.check(Limit::Bet(user.id))?,
        StonksAction::Cashout | StonksAction::Crashed => {
            application.limits.check(Limit::CashOut(user.id))?;
        }
    }
    let house = &application.house;
    let stake = request.bet_amount.parse()?;
    let requested = request.round_id.map(RoundId::from);
    let auto_sell = request.auto_cashout_profit.map(|amount| amount.parse());
    let auto_sell = auto_sell.transpose()?;
    let view = match request.action {
        StonksAction::Start => {
            let bet = Bet::new(stake, auto_sell).map_err(Refusal::from)?;
            start::<Round>(house, user.id, bet, key).await?
        }
        StonksAction::Cashout => {
            // The multiplier must be well formed, but the last published price is what is paid.
            request
                .cashout_multiplier
                .map(|seen| seen.parse())
                .transpose()?;
            let sale = RoundMove::<Round>::new(Sell)
                .in_round(requested)
                .with_key(key);
            make_move(house, user.id, sale).await?
        }
        StonksAction::Crashed => current_round(&application, user.id, requested).await?,
    };
    Ok(web::Json(Round::open(&view, house)))
}

/// The current state of the round: settled if it is due, whatever the client claims.
async fn current_round(
    application: &Application,
    player: UserId,
    requested: Option<RoundId>,
) -> Result<RoundView<Round>, ApiError> {
    let house = &application.house;
    let open = open_rounds(house, player).await?;
    let mut open = open.iter().filter_map(AnyRound::as_round_of::<Round>);
    match (
        open.find(|view| requested.is_none_or(|id| id == view.round.id)),
        requested,
    ) {
        (Some(view), _) => Ok(view),
        (None, Some(id)) => {
            let settled = read_round(house, player, id).await?.round;
            Ok(settled.as_round_of().ok_or(Refusal::NotFound)?)
        }
        (None, None) => Err(Refusal::NoOpenRound.into()),
    }
}
