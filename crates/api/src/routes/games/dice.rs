//! The endpoints and wire types of dice.

use actix_web::{get, post, web};
use glasshouse_casino::operating::maximum_stake;
use glasshouse_casino::play::{RoundView, details_of, start};
use glasshouse_casino::{CasinoError, House, Refusal, Round as RoundRow};
use glasshouse_domain::Game;
use glasshouse_games::dice::{Bet, BetType, DEFAULT_STAKE, Round, Target};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::routes::games::wire::{GameWire, corrupt};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::integer::Integer;
use crate::wire::money::AmountText;
use crate::wire::receipt::ReceiptBody;

/// The winning side of the target: `over` wins with a roll greater than the target, `under` with
/// any other roll.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DiceBetType {
    Over,
    Under,
}

impl From<BetType> for DiceBetType {
    fn from(bet_type: BetType) -> Self {
        match bet_type {
            BetType::Over => Self::Over,
            BetType::Under => Self::Under,
        }
    }
}

impl From<DiceBetType> for BetType {
    fn from(bet_type: DiceBetType) -> Self {
        match bet_type {
            DiceBetType::Over => Self::Over,
            DiceBetType::Under => Self::Under,
        }
    }
}

/// The defaults and limit of dice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiceSettings {
    #[schema(example = 50)]
    target_number: u8,
    bet_type: DiceBetType,
    #[schema(example = "10.00")]
    bet_amount: String,
    #[schema(example = "1000.00")]
    max_bet: String,
}

/// A bet.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct DicePlayRequest {
    /// US dollars with at most two decimals.
    #[schema(example = "10.00")]
    bet_amount: AmountText,
    /// From 1 to 98.
    #[schema(value_type = i64, minimum = 1, maximum = 98, example = 50)]
    target_number: Integer,
    bet_type: DiceBetType,
}

/// The result of a bet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DicePlayResult {
    round_id: i64,
    /// The roll, from 1 to 100.
    dice_result: u8,
    is_win: bool,
    /// The payout in US dollars, stake included; 0.00 for a loss.
    #[schema(example = "19.80")]
    win_amount: String,
    /// The payout if the bet wins: `bet × 99 / winning numbers`, where the seeds decide whether a
    /// fraction of a cent is rounded up or down. For a lost bet, the amount rounded down.
    #[schema(example = "19.80")]
    payout: String,
    /// 99 / winning numbers, rounded down, for display.
    #[schema(example = "1.98")]
    multiplier: String,
    #[schema(example = "109.80")]
    new_balance: String,
    #[schema(example = "109.80")]
    available_to_withdraw: String,
    /// The nonce of the round.
    nonce: u64,
    /// The receipt of the change that this call made; null if it made none.
    receipt: Option<ReceiptBody>,
}

impl From<RoundView<Round>> for DicePlayResult {
    fn from(current: RoundView<Round>) -> Self {
        let RoundView {
            round,
            view,
            receipt,
        } = current;
        let Round { bet, roll } = view;
        let is_win = roll.is_win;
        let payout = if is_win {
            round.payout
        } else {
            bet.payout().rounded_down()
        };
        Self {
            round_id: round.id.get(),
            dice_result: roll.roll,
            is_win,
            win_amount: round.payout.to_string(),
            payout: payout.to_string(),
            multiplier: multiplier(&bet),
            new_balance: round.balance_after.to_string(),
            available_to_withdraw: round.available_after().to_string(),
            nonce: round.nonce,
            receipt: ReceiptBody::of(receipt.as_ref()),
        }
    }
}

/// The terms and the roll of a dice round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiceRoundDetails {
    target_number: u8,
    bet_type: DiceBetType,
    dice_result: u8,
    /// The multiplier of a win, with up to four decimals.
    multiplier: String,
}

/// The fields of a dice round in the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiceRecord {
    /// Dice: the roll, from 1 to 100.
    dice_result: u8,
    /// Dice: the number to roll over or under.
    target_number: u8,
    /// Dice: the side of the target that was bet on.
    bet_type: DiceBetType,
}

impl GameWire for Round {
    type Open = ();
    type Verification = DiceRoundDetails;
    type Record = DiceRecord;

    fn configure(endpoints: &mut Endpoints<'_>) {
        endpoints.service(dice_settings).service(play_dice);
    }

    fn open(_: &RoundView<Self>, _: &House) {}

    fn verification(
        RoundView { view, .. }: &RoundView<Self>,
    ) -> Result<DiceRoundDetails, CasinoError> {
        Ok(DiceRoundDetails {
            target_number: view.bet.target().get(),
            bet_type: view.bet.bet_type().into(),
            dice_result: view.roll.roll,
            multiplier: multiplier(&view.bet),
        })
    }

    fn record(round: &RoundRow) -> Result<DiceRecord, CasinoError> {
        let details = details_of::<Self>(round)?;
        let bet_type = details.bet_type().map_err(|error| corrupt(&error))?;
        Ok(DiceRecord {
            dice_result: details.dice_result,
            target_number: details.target_number,
            bet_type: bet_type.into(),
        })
    }
}

/// Formats the multiplier with two to four decimals.
fn multiplier(bet: &Bet) -> String {
    let ten_thousandths = bet.multiplier_ten_thousandths();
    let text = format!(
        "{}.{:04}",
        ten_thousandths / 10_000,
        ten_thousandths % 10_000
    );
    let mut trimmed = text.as_str();
    for _ in 0..2 {
        trimmed = trimmed.strip_suffix('0').unwrap_or(trimmed);
    }
    trimmed.to_owned()
}

/// The defaults and limit of dice.
#[utoipa::path(
    tag = "dice",
    responses((status = 200, body = DiceSettings), (status = 401, body = ErrorBody))
)]
#[get("/api/dice-settings")]
pub(crate) async fn dice_settings(
    application: web::Data<Application>,
    _: SignedIn,
) -> Result<web::Json<DiceSettings>, ApiError> {
    let maximum = maximum_stake(&application.house, Game::Dice).await?;
    Ok(web::Json(DiceSettings {
        target_number: Target::DEFAULT.get(),
        bet_type: DiceBetType::Over,
        bet_amount: DEFAULT_STAKE.min(maximum).to_string(),
        max_bet: maximum.to_string(),
    }))
}

/// Bets on a roll. Repeating a request with the same `Idempotency-Key` and bet returns the first
/// result.
#[utoipa::path(
    tag = "dice",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = DicePlayResult),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 409, description = "The key was used for a different bet", body = ErrorBody),
        (status = 422, description = "The bet violates a rule", body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[post("/api/dice/play")]
pub(crate) async fn play_dice(
    application: web::Data<Application>,
    Idempotency(key): Idempotency,
    SignedIn(user): SignedIn,
    Json(bet): Json<DicePlayRequest>,
) -> Result<web::Json<DicePlayResult>, ApiError> {
    application.limits.check(Limit::Bet(user.id))?;
    let stake = bet.bet_amount.parse()?;
    let target = Target::new(bet.target_number.0).map_err(Refusal::from)?;
    let bet = Bet::new(stake, target, bet.bet_type.into()).map_err(Refusal::from)?;
    let result = start::<Round>(&application.house, user.id, bet, key).await?;
    Ok(web::Json(result.into()))
}
