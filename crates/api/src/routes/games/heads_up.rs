//! The endpoints and wire types of heads-up hold'em.

use actix_web::{post, web};
use glasshouse_casino::play::{RoundMove, RoundView, details_of, make_move, start};
use glasshouse_casino::{CasinoError, House, Refusal, Round as RoundRow};
use glasshouse_domain::RoundId;
use glasshouse_games::heads_up::{Action, Bet, Round, Showdown};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::routes::games::trainer::{RoundAnalysis, analysed_equity};
use crate::routes::games::wire::{GameWire, corrupt};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::cards::{CardBody, HeadsUpAction, PokerGame, cards};
use crate::wire::integer::Integer;
use crate::wire::money::AmountText;
use crate::wire::receipt::ReceiptBody;

/// The result of the showdown.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HeadsUpOutcome {
    Win,
    Push,
    Loss,
    Fold,
}

impl From<Showdown> for HeadsUpOutcome {
    fn from(showdown: Showdown) -> Self {
        match showdown {
            Showdown::Win => Self::Win,
            Showdown::Push => Self::Push,
            Showdown::Loss => Self::Loss,
            Showdown::Fold => Self::Fold,
        }
    }
}

/// The state of a hand.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HeadsUpState {
    Dealt,
    Complete,
}

/// A hand of heads-up hold'em.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HeadsUpHand {
    round_id: i64,
    result: HeadsUpState,
    action: Option<HeadsUpAction>,
    /// The opening bet.
    #[schema(example = "25.00")]
    bet_amount: String,
    /// The total stake, including the call or raise.
    #[schema(example = "50.00")]
    staked_amount: String,
    player_cards: Vec<CardBody>,
    /// The flop; all five cards once the hand is over.
    board: Vec<CardBody>,
    /// Null until the hand is over.
    house_cards: Option<Vec<CardBody>>,
    /// The player's best hand so far.
    #[schema(example = "Two Pair")]
    player_hand: &'static str,
    house_hand: Option<&'static str>,
    house_qualifies: Option<bool>,
    outcome: Option<HeadsUpOutcome>,
    is_win: bool,
    /// The payout in US dollars; 0.00 while the hand is in play.
    #[schema(example = "0.00")]
    win_amount: String,
    #[schema(example = "75.00")]
    new_balance: String,
    #[schema(example = "75.00")]
    available_to_withdraw: String,
    nonce: u64,
    /// The receipt of the change that this call made; null if it made none.
    receipt: Option<ReceiptBody>,
}

impl From<&RoundView<Round>> for HeadsUpHand {
    fn from(current: &RoundView<Round>) -> Self {
        let RoundView {
            round,
            view,
            receipt,
        } = current;
        let end = view.shown_down;
        Self {
            round_id: round.id.get(),
            result: if round.is_open() {
                HeadsUpState::Dealt
            } else {
                HeadsUpState::Complete
            },
            action: view.action.map(HeadsUpAction::from),
            bet_amount: view.bet.stake().to_string(),
            staked_amount: round.stake.to_string(),
            player_cards: cards(&view.player_cards),
            board: cards(&view.board),
            house_cards: end.map(|end| cards(&end.house)),
            player_hand: view.player_rank.category().name(),
            house_hand: end.map(|end| end.result.house_rank.category().name()),
            house_qualifies: end.map(|end| end.result.house_qualifies),
            outcome: end.map(|end| end.result.showdown.into()),
            is_win: round.is_win(),
            win_amount: round.payout.to_string(),
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
pub(crate) struct HeadsUpDealRequest {
    /// A multiple of five dollars from 5 to 1,000.
    #[schema(example = "25.00")]
    bet_amount: AmountText,
}

/// The player's action.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct HeadsUpPlayRequest {
    /// The bet to use if no hand is dealt: a hand is then dealt and played at once.
    #[schema(example = "25.00")]
    bet_amount: AmountText,
    action: HeadsUpAction,
    /// The hand's ID; by default the open hand, or else a new one.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    round_id: Option<Integer>,
}

/// Deals the player's two cards and the flop. Repeating a request with the same `Idempotency-Key`
/// and bet returns the same hand in its current state.
#[utoipa::path(
    tag = "poker",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = HeadsUpHand),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 409, description = "A hand is in play", body = ErrorBody),
        (status = 422, description = "The bet violates a rule", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/poker/heads-up/deal")]
pub(crate) async fn deal_hand(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(request): Json<HeadsUpDealRequest>,
) -> Result<web::Json<HeadsUpHand>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    let bet = Bet::new(request.bet_amount.parse()?).map_err(Refusal::from)?;
    let view = start::<Round>(&application.house, user.id, bet, key).await?;
    Ok(web::Json((&view).into()))
}

/// Folds, calls or raises, and shows all cards. The bet is always the one that the hand was dealt
/// with. Repeating a request with the same `Idempotency-Key` returns the first result.
#[utoipa::path(
    tag = "poker",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = HeadsUpHand),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "The hand is over", body = ErrorBody),
        (status = 422, description = "The bet violates a rule", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/poker/play")]
pub(crate) async fn play_hand(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(request): Json<HeadsUpPlayRequest>,
) -> Result<web::Json<HeadsUpHand>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    let bet = Bet::new(request.bet_amount.parse()?).map_err(Refusal::from)?;
    let action = RoundMove::<Round> {
        play: request.action.into(),
        round: request.round_id.map(RoundId::from),
        key,
        opening_bet: Some(bet),
    };
    let view = make_move(&application.house, user.id, action).await?;
    Ok(web::Json((&view).into()))
}

/// The verification data of a settled hand.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HeadsUpRoundDetails {
    player_cards: Vec<CardBody>,
    house_cards: Vec<CardBody>,
    board: Vec<CardBody>,
    action: Option<HeadsUpAction>,
    outcome: Option<HeadsUpOutcome>,
    house_qualifies: Option<bool>,
    /// The opening bet.
    opening_bet_amount: String,
    /// The total stake, including the call or raise.
    staked_amount: String,
}

/// The fields of a heads-up hand in the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HeadsUpRecord {
    /// Poker: the variant.
    poker_game: PokerGame,
    /// Heads-up: the bet before the call or raise.
    #[schema(example = "25.00")]
    opening_bet_amount: String,
    /// Heads-up: the player's action.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "call", nullable = false)]
    action: Option<&'static str>,
}

impl GameWire for Round {
    type Open = HeadsUpHand;
    type Verification = HeadsUpRoundDetails;
    type Record = HeadsUpRecord;

    fn configure(endpoints: &mut Endpoints<'_>) {
        endpoints.service(deal_hand).service(play_hand);
    }

    fn open(round: &RoundView<Self>, _: &House) -> HeadsUpHand {
        round.into()
    }

    fn verification(
        RoundView { round, view, .. }: &RoundView<Self>,
    ) -> Result<HeadsUpRoundDetails, CasinoError> {
        let end = view.shown_down;
        Ok(HeadsUpRoundDetails {
            player_cards: cards(&view.player_cards),
            house_cards: end.map(|end| cards(&end.house)).unwrap_or_default(),
            board: cards(&view.board),
            action: view.action.map(HeadsUpAction::from),
            outcome: end.map(|end| end.result.showdown.into()),
            house_qualifies: end.map(|end| end.result.house_qualifies),
            opening_bet_amount: view.bet.stake().to_string(),
            staked_amount: round.stake.to_string(),
        })
    }

    fn record(round: &RoundRow) -> Result<HeadsUpRecord, CasinoError> {
        let details = details_of::<Self>(round)?;
        let action = details.action().map_err(|error| corrupt(&error))?;
        Ok(HeadsUpRecord {
            poker_game: PokerGame::HeadsUp,
            opening_bet_amount: details.opening_bet().to_string(),
            action: action.map(Action::as_str),
        })
    }

    fn analysis(RoundView { view, .. }: &RoundView<Self>) -> Option<RoundAnalysis> {
        Some(analysed_equity(&view.equity(), view.action?))
    }
}
