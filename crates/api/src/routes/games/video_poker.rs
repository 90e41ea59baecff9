//! The endpoints and wire types of video poker.

use actix_web::{post, web};
use glasshouse_casino::play::{RoundMove, RoundView, make_move, settled_row, start};
use glasshouse_casino::{CasinoError, House, Refusal, Round as RoundRow};
use glasshouse_domain::{Money, RoundId};
use glasshouse_games::bet::BetError;
use glasshouse_games::video_poker::{Bet, Holds, MAXIMUM_STAKE, Move, PaidRank, Round, paid_rank};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::routes::games::trainer::{RoundAnalysis, analysed_hold};
use crate::routes::games::wire::GameWire;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::cards::{CardBody, PokerGame, cards};
use crate::wire::integer::Integer;
use crate::wire::money::AmountText;
use crate::wire::receipt::ReceiptBody;

/// The rank that a hand is paid for.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum PokerHandRank {
    RoyalFlush,
    StraightFlush,
    FourOfAKind,
    FullHouse,
    Flush,
    Straight,
    ThreeOfAKind,
    TwoPair,
    JacksOrBetter,
    HighCard,
}

impl From<PaidRank> for PokerHandRank {
    fn from(rank: PaidRank) -> Self {
        match rank {
            PaidRank::RoyalFlush => Self::RoyalFlush,
            PaidRank::StraightFlush => Self::StraightFlush,
            PaidRank::FourOfAKind => Self::FourOfAKind,
            PaidRank::FullHouse => Self::FullHouse,
            PaidRank::Flush => Self::Flush,
            PaidRank::Straight => Self::Straight,
            PaidRank::ThreeOfAKind => Self::ThreeOfAKind,
            PaidRank::TwoPair => Self::TwoPair,
            PaidRank::JacksOrBetter => Self::JacksOrBetter,
            PaidRank::HighCard => Self::HighCard,
        }
    }
}

/// The stage of a hand: cards can be held and drawn, or the hand is over.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum PokerStage {
    Draw,
    Result,
}

/// A hand of video poker.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PokerHand {
    round_id: i64,
    stage: PokerStage,
    /// The five cards on the table.
    hand: Vec<CardBody>,
    held_indexes: Vec<usize>,
    hand_rank: PokerHandRank,
    message: String,
    #[schema(example = "5.00")]
    bet_amount: String,
    is_max_bet: bool,
    /// The payout in US dollars; 0.00 while the hand is in play.
    #[schema(example = "0.00")]
    win_amount: String,
    is_win: bool,
    /// The multiplier that was paid; 0 while the hand is in play.
    multiplier: u32,
    #[schema(example = "95.00")]
    new_balance: String,
    #[schema(example = "95.00")]
    available_to_withdraw: String,
    nonce: u64,
    /// The receipt of the change that this call made; null if it made none.
    receipt: Option<ReceiptBody>,
}

/// The multiplier that was paid.
fn multiplier(round: &RoundRow) -> u32 {
    let times = round.payout.cents().checked_div(round.stake.cents());
    times
        .and_then(|times| u32::try_from(times).ok())
        .unwrap_or(0)
}

impl From<&RoundView<Round>> for PokerHand {
    fn from(current: &RoundView<Round>) -> Self {
        let RoundView {
            round,
            view,
            receipt,
        } = current;
        let rank = view.rank;
        let message = match (round.is_open(), round.is_win()) {
            (true, _) if rank == PaidRank::HighCard => "Select the cards to hold, then draw".into(),
            (true, _) => format!("{}. Select the cards to hold, then draw", rank.name()),
            (false, true) => format!("You won ${} with a {}", round.payout, rank.name()),
            (false, false) => "No win this time. Try again!".into(),
        };
        Self {
            round_id: round.id.get(),
            stage: if round.is_open() {
                PokerStage::Draw
            } else {
                PokerStage::Result
            },
            hand: cards(&view.hand),
            held_indexes: view.holds.positions(),
            hand_rank: rank.into(),
            message,
            bet_amount: round.stake.to_string(),
            is_max_bet: view.bet.is_maximum(),
            win_amount: round.payout.to_string(),
            is_win: round.is_win(),
            multiplier: multiplier(round),
            new_balance: round.balance_after.to_string(),
            available_to_withdraw: round.available_after().to_string(),
            nonce: round.nonce,
            receipt: ReceiptBody::of(receipt.as_ref()),
        }
    }
}

/// A bet on a hand.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PokerDealRequest {
    /// Whole dollars from 1 to 10.
    #[schema(example = "5.00")]
    bet_amount: AmountText,
    /// Whether the bet is the maximum; it must then be 10.00.
    #[serde(default)]
    is_max_bet: bool,
}

/// The cards of the open hand to hold.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PokerHoldRequest {
    /// Distinct positions from 0 to 4.
    #[schema(value_type = Vec<i64>)]
    held_indexes: Vec<Integer>,
    /// The hand's ID; the open hand by default.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    round_id: Option<Integer>,
}

/// Replaces the cards that are not held.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PokerDrawRequest {
    /// Ignored: the bet is always the one that the hand was dealt with.
    #[schema(example = "5.00")]
    bet_amount: AmountText,
    /// Ignored.
    #[serde(default, rename = "isMaxBet")]
    _is_max_bet: bool,
    /// Distinct positions from 0 to 4; by default the cards that are already held.
    #[serde(default)]
    #[schema(value_type = Option<Vec<i64>>)]
    held_indexes: Option<Vec<Integer>>,
    /// The hand's ID; the open hand by default.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    round_id: Option<Integer>,
}

fn holds_of(positions: &[Integer]) -> Result<Holds, Refusal> {
    let positions: Vec<i64> = positions.iter().map(|position| position.0).collect();
    Ok(Holds::of(&positions)?)
}

/// Deals five cards. Repeating a request with the same `Idempotency-Key` and bet returns the same
/// hand in its current state.
#[utoipa::path(
    tag = "poker",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = PokerHand),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 409, description = "A hand is in play", body = ErrorBody),
        (status = 422, description = "The bet violates a rule", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/poker/deal")]
pub(crate) async fn deal(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(request): Json<PokerDealRequest>,
) -> Result<web::Json<PokerHand>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    let bet = bet(request.bet_amount.parse()?, request.is_max_bet)?;
    let view = start::<Round>(&application.house, user.id, bet, key).await?;
    Ok(web::Json((&view).into()))
}

fn bet(stake: Money, is_maximum: bool) -> Result<Bet, ApiError> {
    if is_maximum && stake != MAXIMUM_STAKE {
        let error = BetError::NotTheMaximum(MAXIMUM_STAKE);
        return Err(Refusal::from(error).into());
    }
    Ok(Bet::new(stake).map_err(Refusal::from)?)
}

/// Stores which cards are held, so that they are restored after a reload.
#[utoipa::path(
    tag = "poker",
    responses(
        (status = 200, body = PokerHand),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "No hand is in play, or it is over", body = ErrorBody),
        (status = 422, description = "Invalid card positions", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/poker/hold")]
pub(crate) async fn hold(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Json(request): Json<PokerHoldRequest>,
) -> Result<web::Json<PokerHand>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    let holds = holds_of(&request.held_indexes)?;
    let requested = request.round_id.map(RoundId::from);
    let held = RoundMove::<Round>::new(Move::Hold(holds)).in_round(requested);
    let view = make_move(&application.house, user.id, held).await?;
    Ok(web::Json((&view).into()))
}

/// Replaces the cards that are not held and settles the hand. Repeating a request with the same
/// `Idempotency-Key` returns the first result.
#[utoipa::path(
    tag = "poker",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = PokerHand),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "No hand is in play, or it is over", body = ErrorBody),
        (status = 422, description = "Invalid card positions", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/poker/draw")]
pub(crate) async fn draw(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(request): Json<PokerDrawRequest>,
) -> Result<web::Json<PokerHand>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    request.bet_amount.parse()?;
    let holds = request
        .held_indexes
        .map(|positions| holds_of(&positions))
        .transpose()?;
    let requested = request.round_id.map(RoundId::from);
    let draw = RoundMove::<Round>::new(Move::Draw(holds))
        .in_round(requested)
        .with_key(key);
    let view = make_move(&application.house, user.id, draw).await?;
    Ok(web::Json((&view).into()))
}

/// The verification data of a settled hand of video poker.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PokerRoundDetails {
    /// The five cards that were dealt.
    dealt: Vec<CardBody>,
    held_indexes: Vec<usize>,
    /// The five cards after the draw.
    hand: Vec<CardBody>,
    hand_rank: PokerHandRank,
    is_max_bet: bool,
    multiplier: u32,
}

/// The fields of a hand of video poker in the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VideoPokerRecord {
    /// Poker: the variant.
    poker_game: PokerGame,
    /// Video poker: the rank that was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Full House", nullable = false)]
    hand_rank: Option<&'static str>,
}

impl GameWire for Round {
    type Open = PokerHand;
    type Verification = PokerRoundDetails;
    type Record = VideoPokerRecord;

    fn configure(endpoints: &mut Endpoints<'_>) {
        endpoints.service(deal).service(hold).service(draw);
    }

    fn open(round: &RoundView<Self>, _: &House) -> PokerHand {
        round.into()
    }

    fn verification(
        RoundView { round, view, .. }: &RoundView<Self>,
    ) -> Result<PokerRoundDetails, CasinoError> {
        Ok(PokerRoundDetails {
            dealt: cards(&view.dealt),
            held_indexes: view.holds.positions(),
            hand: cards(&view.hand),
            hand_rank: view.rank.into(),
            is_max_bet: view.bet.is_maximum(),
            multiplier: multiplier(round),
        })
    }

    fn record(round: &RoundRow) -> Result<VideoPokerRecord, CasinoError> {
        let rank = settled_row(round).and_then(|row| paid_rank(&row));
        Ok(VideoPokerRecord {
            poker_game: PokerGame::VideoPoker,
            hand_rank: rank.map(PaidRank::name),
        })
    }

    fn analysis(RoundView { view, .. }: &RoundView<Self>) -> Option<RoundAnalysis> {
        let values = view.hold_values();
        let best = values.first().map(|value| value.holds.positions());
        Some(RoundAnalysis::VideoPoker {
            holds: values.iter().map(analysed_hold).collect(),
            chosen: view.holds.positions(),
            best: best.unwrap_or_default(),
        })
    }
}
