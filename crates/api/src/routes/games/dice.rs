//! Dice on the wire.

use actix_web::{get, post, web};
use glasshouse_casino::play::{RoundView, details_of, start};
use glasshouse_casino::{CasinoError, House, Refusal, Round as RoundRow};
use glasshouse_games::dice::{Bet, BetType, DEFAULT_STAKE, MAXIMUM_STAKE, Round, Target};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::routes::games::wire::{GameWire, corrupt};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::integer::Integer;
use crate::wire::money::AmountText;

/// Which side of the target wins: `over` rolls greater than it, `under` rolls not greater.
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

/// What a player is first offered, and the limit.
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
    /// Dollars with at most two decimals.
    #[schema(example = "10.00")]
    bet_amount: AmountText,
    /// From 1 to 98.
    #[schema(value_type = i64, minimum = 1, maximum = 98, example = 50)]
    target_number: Integer,
    bet_type: DiceBetType,
}

/// How a bet ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DicePlayResult {
    round_id: i64,
    /// The roll, from 1 to 100.
    dice_result: u8,
    is_win: bool,
    /// What was credited, the stake included; 0.00 on a loss.
    #[schema(example = "19.80")]
    win_amount: String,
    /// What this bet pays when it wins: `bet × 99 / winning numbers`, of which a fraction of a cent is
    /// a cent or nothing, as the seeds decide. Of a lost bet, the least that it would have paid.
    #[schema(example = "19.80")]
    payout: String,
    /// 99 / winning numbers, rounded down, to be shown.
    #[schema(example = "1.98")]
    multiplier: String,
    #[schema(example = "109.80")]
    new_balance: String,
    #[schema(example = "109.80")]
    available_to_withdraw: String,
    /// The nonce that the round took.
    nonce: u64,
}

impl From<RoundView<Round>> for DicePlayResult {
    fn from(RoundView { round, view }: RoundView<Round>) -> Self {
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
    /// What a win pays, up to four decimals.
    multiplier: String,
}

/// What the history tells of a dice round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiceRecord {
    /// Dice: the roll, from 1 to 100.
    dice_result: u8,
    /// Dice: the number to roll over or under.
    target_number: u8,
    /// Dice: which side of the target won.
    bet_type: DiceBetType,
}

impl GameWire for Round {
    type Open = ();
    type Verification = DiceRoundDetails;
    type Record = DiceRecord;

    fn configure(config: &mut ServiceConfig<'_>) {
        config.service(dice_settings).service(play_dice);
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

/// Up to four decimals, at least two.
fn multiplier(bet: &Bet) -> String {
    let ten_thousandths = bet.multiplier_ten_thousandths();
    let text = format!(
        "{}.{:04}",
        ten_thousandths / 10_000,
        ten_thousandths % 10_000
    );
    let mut shown = text.as_str();
    for _ in 0..2 {
        shown = shown.strip_suffix('0').unwrap_or(shown);
    }
    shown.to_owned()
}

/// What a player is first offered.
#[utoipa::path(
    tag = "dice",
    responses((status = 200, body = DiceSettings), (status = 401, body = ErrorBody))
)]
#[get("/api/dice-settings")]
pub(crate) async fn dice_settings(_: SignedIn) -> Result<web::Json<DiceSettings>, ApiError> {
    Ok(web::Json(DiceSettings {
        target_number: Target::DEFAULT.get(),
        bet_type: DiceBetType::Over,
        bet_amount: DEFAULT_STAKE.to_string(),
        max_bet: MAXIMUM_STAKE.to_string(),
    }))
}

/// Bets on a roll. The same `Idempotency-Key` with the same bet answers the first result again.
#[utoipa::path(
    tag = "dice",
    params(
        Idempotency
    ),
    responses(
        (status = 200, body = DicePlayResult),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 409, description = "The key was used for another bet", body = ErrorBody),
        (status = 422, description = "A rule refuses the bet", body = ErrorBody),
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
    let placed = start::<Round>(&application.house, user.id, bet, key).await?;
    Ok(web::Json(placed.into()))
}
