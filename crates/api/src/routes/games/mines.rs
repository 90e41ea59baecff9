//! The endpoints and wire types of mines.

use actix_web::{get, post, web};
use glasshouse_casino::operating::maximum_stake;
use glasshouse_casino::play::{RoundMove, RoundView, details_of, make_move, start};
use glasshouse_casino::{CasinoError, House, Refusal, Round as RoundRow};
use glasshouse_domain::{Game, RoundId, RoundResult};
use glasshouse_games::mines::{
    Bet, Cell, DEFAULT_MINES, DEFAULT_STAKE, MAXIMUM_PAYOUT, MINIMUM_STAKE, Move, Round,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
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
use crate::wire::receipt::ReceiptBody;

/// The defaults and limits of mines.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MinesSettings {
    #[schema(example = "10.00")]
    bet_amount: String,
    #[schema(example = "0.10")]
    min_bet: String,
    #[schema(example = "1000.00")]
    max_bet: String,
    /// The default number of mines.
    #[schema(example = 3)]
    mines: u8,
    /// A round is paid out before a reveal that could pay more than this.
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
    /// Reveals a cell. If the cell is already revealed, the round is returned unchanged.
    #[serde(rename_all = "camelCase")]
    Reveal {
        #[schema(value_type = i64)]
        round_id: Integer,
        /// From 0 to 24, row by row.
        #[schema(value_type = i64, minimum = 0, maximum = 24, example = 12)]
        cell: Integer,
    },
    /// Cashes out the revealed safe cells.
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

/// The fields of all actions. Serde's tagged enums buffer their content, which would lose the
/// literal digits of amounts, so the fields are read first and matched to an action afterwards.
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
            _ => Err("the fields do not match the action"),
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
    /// The number of mines.
    mines: u8,
    /// The revealed cells, in order of their revelation.
    revealed: Vec<u8>,
    /// The multiplier of a cash-out now; null before the first safe cell.
    #[schema(value_type = Option<f64>)]
    multiplier: Option<MultiplierNumber>,
    /// The multiplier after one more safe cell; null if no more may be revealed.
    #[schema(value_type = Option<f64>)]
    next_multiplier: Option<MultiplierNumber>,
    /// The payout of a cash-out now, rounded down to the cent, or the amount that was paid.
    #[schema(example = "11.28")]
    payout: String,
    /// The positions of all mines; null while the round is in play.
    mine_positions: Option<Vec<u8>>,
    /// The cell of the mine that was revealed.
    hit_cell: Option<u8>,
    #[schema(example = "0.00")]
    win_amount: String,
    #[schema(example = "90.00")]
    new_balance: String,
    #[schema(example = "90.00")]
    available_to_withdraw: String,
    nonce: u64,
    /// The receipt of the change that this call made; null if it made none.
    receipt: Option<ReceiptBody>,
}

/// The terms of a round of mines, the revealed cells, and the positions of the mines.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MinesRoundDetails {
    mines: u8,
    /// The revealed cells, in order of their revelation.
    revealed: Vec<u8>,
    mine_positions: Vec<u8>,
    /// The multiplier at which the player cashed out; null if a mine was revealed.
    #[schema(value_type = Option<f64>)]
    multiplier: Option<MultiplierNumber>,
    hit_cell: Option<u8>,
}

/// The fields of a round of mines in the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MinesRecord {
    /// Mines: the number of mines.
    mines: u8,
    /// Mines: the number of safe cells revealed.
    revealed_cells: usize,
    /// Crash, stonks and mines: the multiplier that was paid.
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

    fn configure(endpoints: &mut Endpoints<'_>) {
        endpoints.service(mines_settings).service(play_mines);
    }

    fn open(current: &RoundView<Self>, _: &House) -> MinesRound {
        let RoundView {
            round,
            view,
            receipt,
        } = current;
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
            receipt: ReceiptBody::of(receipt.as_ref()),
        }
    }

    fn verification(
        RoundView { round, view, .. }: &RoundView<Self>,
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

/// The defaults and limits of mines.
#[utoipa::path(
    tag = "mines",
    responses((status = 200, body = MinesSettings), (status = 401, body = ErrorBody))
)]
#[get("/api/mines-settings")]
pub(crate) async fn mines_settings(
    application: web::Data<Application>,
    _: SignedIn,
) -> Result<web::Json<MinesSettings>, ApiError> {
    let maximum = maximum_stake(&application.house, Game::Mines).await?;
    Ok(web::Json(MinesSettings {
        bet_amount: DEFAULT_STAKE.min(maximum).to_string(),
        min_bet: MINIMUM_STAKE.to_string(),
        max_bet: maximum.to_string(),
        mines: DEFAULT_MINES,
        max_payout: MAXIMUM_PAYOUT.to_string(),
    }))
}

/// Starts a round, reveals a cell, or cashes out. Repeating a start with the same `Idempotency-Key`
/// and bet returns the same round in its current state; repeating a request that ended a round
/// returns that result.
#[utoipa::path(
    tag = "mines",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = MinesRound),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, description = "The player has no such round", body = ErrorBody),
        (status = 409, description = "A round is already in play, the round is over, or the game is not open", body = ErrorBody),
        (status = 422, description = "The bet or the move violates a rule", body = ErrorBody),
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
    let round_move = RoundMove::<Round>::new(play)
        .in_round(Some(round))
        .with_key(key);
    let view = make_move(house, user.id, round_move).await?;
    Ok(web::Json(Round::open(&view, house)))
}
