//! Mines on the wire.

use actix_web::{get, post, web};
use glasshouse_casino::play::{RoundMove, RoundView, details_of, make_move, start};
use glasshouse_casino::{CasinoError, House, Refusal, Round as RoundRow};
use glasshouse_domain::{RoundId, RoundResult};
use glasshouse_games::mines::{
    Bet, Cell, DEFAULT_MINES, DEFAULT_STAKE, MAXIMUM_PAYOUT, MAXIMUM_STAKE, MINIMUM_STAKE, Move,
    Round,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::routes::games::timed::LiveState;
use crate::routes::games::wire::GameWire;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::integer::Integer;
use crate::wire::money::AmountText;
use crate::wire::multiplier::MultiplierNumber;

/// What a player is first offered, and the limits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MinesSettings {
    #[schema(example = "10.00")]
    bet_amount: String,
    #[schema(example = "0.10")]
    min_bet: String,
    #[schema(example = "1000.00")]
    max_bet: String,
    /// How many mines.
    #[schema(example = 3)]
    mines: u8,
    /// A round is paid out before a reveal that could pay more.
    #[schema(example = "100000.00")]
    max_payout: String,
}

/// Starts a round, reveals a cell of it, or cashes out.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", try_from = "MinesFields")]
pub(crate) enum MinesGameRequest {
    /// Starts a round.
    #[serde(rename_all = "camelCase")]
    Start {
        #[schema(example = "10.00")]
        bet_amount: AmountText,
        /// From 1 to 24.
        #[schema(value_type = i64, minimum = 1, maximum = 24, example = 3)]
        mines: Integer,
    },
    /// Reveals a cell. One that is revealed already answers the round as it is.
    #[serde(rename_all = "camelCase")]
    Reveal {
        #[schema(value_type = i64)]
        round_id: Integer,
        /// From 0 to 24, row by row.
        #[schema(value_type = i64, minimum = 0, maximum = 24, example = 12)]
        cell: Integer,
    },
    /// Takes what the safe cells pay.
    #[serde(rename_all = "camelCase")]
    CashOut {
        #[schema(value_type = i64)]
        round_id: Integer,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum MinesAction {
    Start,
    Reveal,
    CashOut,
}

/// The fields of all actions: an amount cannot be read out of a tagged enum, because it is read as it
/// was written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MinesFields {
    action: MinesAction,
    bet_amount: Option<AmountText>,
    mines: Option<Integer>,
    round_id: Option<Integer>,
    cell: Option<Integer>,
}

impl TryFrom<MinesFields> for MinesGameRequest {
    type Error = &'static str;

    fn try_from(fields: MinesFields) -> Result<Self, &'static str> {
        let MinesFields {
            action,
            bet_amount,
            mines,
            round_id,
            cell,
        } = fields;
        match (action, bet_amount, mines, round_id, cell) {
            (MinesAction::Start, Some(bet_amount), Some(mines), None, None) => {
                Ok(Self::Start { bet_amount, mines })
            }
            (MinesAction::Reveal, None, None, Some(round_id), Some(cell)) => {
                Ok(Self::Reveal { round_id, cell })
            }
            (MinesAction::CashOut, None, None, Some(round_id), None) => {
                Ok(Self::CashOut { round_id })
            }
            _ => Err("these are not the fields of the action"),
        }
    }
}

/// A round of mines.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MinesRound {
    round_id: i64,
    result: LiveState,
    #[schema(example = "10.00")]
    bet_amount: String,
    /// How many mines there are.
    mines: u8,
    /// The cells that were revealed, in that order.
    revealed: Vec<u8>,
    /// What a cash-out pays the bet times; null before the first safe cell.
    #[schema(value_type = Option<f64>)]
    multiplier: Option<MultiplierNumber>,
    /// The same after one more safe cell; null where none may be revealed.
    #[schema(value_type = Option<f64>)]
    next_multiplier: Option<MultiplierNumber>,
    /// What a cash-out pays now, but for a fraction of a cent, or what was paid.
    #[schema(example = "11.28")]
    payout: String,
    /// All mines; null while the round is in play.
    mine_positions: Option<Vec<u8>>,
    /// The mine that was revealed.
    hit_cell: Option<u8>,
    #[schema(example = "0.00")]
    win_amount: String,
    #[schema(example = "90.00")]
    new_balance: String,
    #[schema(example = "90.00")]
    available_to_withdraw: String,
    nonce: u64,
}

/// The terms of a round of mines, what was revealed, and where the mines were.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MinesRoundDetails {
    mines: u8,
    /// The cells that were revealed, in that order.
    revealed: Vec<u8>,
    mine_positions: Vec<u8>,
    /// What the player cashed out at; null if a mine was revealed.
    #[schema(value_type = Option<f64>)]
    multiplier: Option<MultiplierNumber>,
    hit_cell: Option<u8>,
}

/// What the history tells of a round of mines.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MinesRecord {
    /// Mines: how many there were.
    mines: u8,
    /// Mines: how many safe cells were revealed.
    revealed_cells: usize,
    /// Crash, stonks and mines: what the bet was paid times.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    cashout_multiplier: Option<MultiplierNumber>,
}

fn numbers(cells: &[Cell]) -> Vec<u8> {
    cells.iter().map(|cell| cell.get()).collect()
}

impl GameWire for Round {
    type Open = MinesRound;
    type Verification = MinesRoundDetails;
    type Record = MinesRecord;

    fn configure(config: &mut ServiceConfig<'_>) {
        config.service(mines_settings).service(play_mines);
    }

    fn open(RoundView { round, view }: &RoundView<Self>, _: &House) -> MinesRound {
        let multiplier = |safe: u8| MultiplierNumber(view.bet.multiplier(safe));
        let payout = if round.is_open() && view.safe > 0 {
            view.bet.payout(view.safe).rounded_down()
        } else {
            round.payout
        };
        MinesRound {
            round_id: round.id.get(),
            result: LiveState::of(round),
            bet_amount: round.stake.to_string(),
            mines: view.bet.mines(),
            revealed: numbers(&view.revealed),
            multiplier: (view.safe > 0).then(|| multiplier(view.safe)),
            next_multiplier: view.offers_another.then(|| multiplier(view.safe + 1)),
            payout: payout.to_string(),
            mine_positions: view.mines.as_deref().map(numbers),
            hit_cell: view.hit.map(Cell::get),
            win_amount: round.payout.to_string(),
            new_balance: round.balance_after.to_string(),
            available_to_withdraw: round.available_after().to_string(),
            nonce: round.nonce,
        }
    }

    fn verification(
        RoundView { round, view }: &RoundView<Self>,
    ) -> Result<MinesRoundDetails, CasinoError> {
        Ok(MinesRoundDetails {
            mines: view.bet.mines(),
            revealed: numbers(&view.revealed),
            mine_positions: numbers(view.mines.as_deref().unwrap_or_default()),
            multiplier: round.multiplier.map(MultiplierNumber),
            hit_cell: view.hit.map(Cell::get),
        })
    }

    fn record(round: &RoundRow) -> Result<MinesRecord, CasinoError> {
        let details = details_of::<Self>(round)?;
        let is_hit = round.result == Some(RoundResult::Loss);
        Ok(MinesRecord {
            mines: details.mines,
            revealed_cells: details.revealed.len() - usize::from(is_hit),
            cashout_multiplier: round.multiplier.map(MultiplierNumber),
        })
    }
}

/// What a player is first offered.
#[utoipa::path(
    tag = "mines",
    responses((status = 200, body = MinesSettings), (status = 401, body = ErrorBody))
)]
#[get("/api/mines-settings")]
pub(crate) async fn mines_settings(_: SignedIn) -> Result<web::Json<MinesSettings>, ApiError> {
    Ok(web::Json(MinesSettings {
        bet_amount: DEFAULT_STAKE.to_string(),
        min_bet: MINIMUM_STAKE.to_string(),
        max_bet: MAXIMUM_STAKE.to_string(),
        mines: DEFAULT_MINES,
        max_payout: MAXIMUM_PAYOUT.to_string(),
    }))
}

/// Starts a round, reveals a cell, or cashes out. The same `Idempotency-Key` with the same bet answers
/// the same round again, as it is then; a call that ended a round answers that end again.
#[utoipa::path(
    tag = "mines",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = MinesRound),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, description = "No such round of the player's", body = ErrorBody),
        (status = 409, description = "A round is in play, or it is over; or the game is not open", body = ErrorBody),
        (status = 422, description = "A rule refuses the bet or the move", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/mines/game")]
pub(crate) async fn play_mines(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(body): Json<MinesGameRequest>,
) -> Result<web::Json<MinesRound>, ApiError> {
    let house = &application.house;
    let (play, round) = match body {
        MinesGameRequest::Start { bet_amount, mines } => {
            application.limits.check(Limit::Bet(user.id))?;
            let bet = Bet::new(bet_amount.parse()?, mines.0).map_err(Refusal::from)?;
            let view = start::<Round>(house, user.id, bet, key).await?;
            return Ok(web::Json(Round::open(&view, house)));
        }
        MinesGameRequest::Reveal { round_id, cell } => {
            let revealed = Cell::new(cell.0).map_err(Refusal::from)?;
            (Move::Reveal(revealed), RoundId::from(round_id))
        }
        MinesGameRequest::CashOut { round_id } => (Move::CashOut, RoundId::from(round_id)),
    };
    application.limits.check(Limit::CashOut(user.id))?;
    let wanted = RoundMove::<Round>::new(play)
        .in_round(Some(round))
        .with_key(key);
    let view = make_move(house, user.id, wanted).await?;
    Ok(web::Json(Round::open(&view, house)))
}
