//! Video poker on the wire.

use actix_web::{post, web};
use glasshouse_casino::play::{RoundMove, RoundView, make_move, settled_row, start};
use glasshouse_casino::{CasinoError, House, Refusal, Round as RoundRow};
use glasshouse_domain::{Money, RoundId};
use glasshouse_games::bet::BetError;
use glasshouse_games::video_poker::{Bet, Holds, MAXIMUM_STAKE, Move, PaidRank, Round, paid_rank};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

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

/// What a hand is paid as.
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

/// Where a hand stands: cards may be held and drawn, or it is over.
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
    /// What was credited; 0.00 while it is in play.
    #[schema(example = "0.00")]
    win_amount: String,
    is_win: bool,
    /// What the bet was paid times; 0 while it is in play.
    multiplier: u32,
    #[schema(example = "95.00")]
    new_balance: String,
    #[schema(example = "95.00")]
    available_to_withdraw: String,
    nonce: u64,
}

/// What the bet was paid times.
fn multiplier(round: &RoundRow) -> u32 {
    let times = round.payout.cents().checked_div(round.stake.cents());
    times
        .and_then(|times| u32::try_from(times).ok())
        .unwrap_or(0)
}

impl From<&RoundView<Round>> for PokerHand {
    fn from(RoundView { round, view }: &RoundView<Round>) -> Self {
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

/// Which cards of the open hand are held.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PokerHoldRequest {
    /// Different positions from 0 to 4.
    #[schema(value_type = Vec<i64>)]
    held_indexes: Vec<Integer>,
    /// The hand that is requested; the open one without.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    round_id: Option<Integer>,
}

/// Replaces what is not held.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PokerDrawRequest {
    /// Not looked at: the bet that counts is the one that was dealt with.
    #[schema(example = "5.00")]
    bet_amount: AmountText,
    /// Not looked at.
    #[serde(default, rename = "isMaxBet")]
    _is_max_bet: bool,
    /// Different positions from 0 to 4; those held before without.
    #[serde(default)]
    #[schema(value_type = Option<Vec<i64>>)]
    held_indexes: Option<Vec<Integer>>,
    /// The hand that is requested; the open one without.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    round_id: Option<Integer>,
}

fn holds_of(positions: &[Integer]) -> Result<Holds, Refusal> {
    let positions: Vec<i64> = positions.iter().map(|position| position.0).collect();
    Ok(Holds::of(&positions)?)
}

/// Deals five cards. The same `Idempotency-Key` with the same bet answers the same hand again, as it
/// is then.
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
        (status = 422, description = "A rule refuses the bet", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/poker/deal")]
pub(crate) async fn deal(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(call): Json<PokerDealRequest>,
) -> Result<web::Json<PokerHand>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    let bet = bet(call.bet_amount.parse()?, call.is_max_bet)?;
    let view = start::<Round>(&application.house, user.id, bet, key).await?;
    Ok(web::Json((&view).into()))
}

fn bet(stake: Money, is_maximum: bool) -> Result<Bet, ApiError> {
    if is_maximum && stake != MAXIMUM_STAKE {
        let refused = BetError::NotTheMaximum(MAXIMUM_STAKE);
        return Err(Refusal::from(refused).into());
    }
    Ok(Bet::new(stake).map_err(Refusal::from)?)
}

/// Keeps which cards are held, so that a reload finds them again.
#[utoipa::path(
    tag = "poker",
    responses(
        (status = 200, body = PokerHand),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "No hand is in play, or it is over", body = ErrorBody),
        (status = 422, description = "Positions that are none", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/poker/hold")]
pub(crate) async fn hold(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Json(call): Json<PokerHoldRequest>,
) -> Result<web::Json<PokerHand>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    let holds = holds_of(&call.held_indexes)?;
    let requested = call.round_id.map(RoundId::from);
    let held = RoundMove::<Round>::new(Move::Hold(holds)).in_round(requested);
    let view = make_move(&application.house, user.id, held).await?;
    Ok(web::Json((&view).into()))
}

/// Replaces what is not held and settles the hand. The same `Idempotency-Key` answers the first
/// result again.
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
        (status = 422, description = "Positions that are none", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/poker/draw")]
pub(crate) async fn draw(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(call): Json<PokerDrawRequest>,
) -> Result<web::Json<PokerHand>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    call.bet_amount.parse()?;
    let holds = call
        .held_indexes
        .map(|positions| holds_of(&positions))
        .transpose()?;
    let requested = call.round_id.map(RoundId::from);
    let draw = RoundMove::<Round>::new(Move::Draw(holds))
        .in_round(requested)
        .with_key(key);
    let view = make_move(&application.house, user.id, draw).await?;
    Ok(web::Json((&view).into()))
}

/// A settled hand of video poker, for verifying it.
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

/// What the history tells of a hand of video poker.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VideoPokerRecord {
    /// Poker: which of the two games.
    poker_game: PokerGame,
    /// Video poker: what the hand was paid as.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Full House", nullable = false)]
    hand_rank: Option<&'static str>,
}

impl GameWire for Round {
    type Open = PokerHand;
    type Verification = PokerRoundDetails;
    type Record = VideoPokerRecord;

    fn configure(config: &mut ServiceConfig<'_>) {
        config.service(deal).service(hold).service(draw);
    }

    fn open(round: &RoundView<Self>, _: &House) -> PokerHand {
        round.into()
    }

    fn verification(
        RoundView { round, view }: &RoundView<Self>,
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
