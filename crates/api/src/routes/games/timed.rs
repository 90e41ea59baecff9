//! Wire types that crash and stonks share.

use glasshouse_casino::Round;
use glasshouse_casino::public_log::Receipt;
use glasshouse_domain::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::wire::multiplier::MultiplierNumber;
use crate::wire::receipt::ReceiptBody;

/// The state of a round.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LiveState {
    Playing,
    Crashed,
    CashedOut,
}

impl LiveState {
    pub(crate) const fn of(round: &Round) -> Self {
        match (round.is_open(), round.multiplier) {
            (true, _) => Self::Playing,
            (false, None) => Self::Crashed,
            (false, Some(_)) => Self::CashedOut,
        }
    }
}

/// The fields of a round that both games have.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LiveResult {
    round_id: i64,
    #[schema(example = "10.00")]
    bet_amount: String,
    /// The multiplier that was paid; null while the round is in play and if it crashed.
    #[schema(value_type = Option<f64>)]
    cashout_multiplier: Option<MultiplierNumber>,
    /// The payout in US dollars; 0.00 while the round is in play and if it crashed.
    #[schema(example = "0.00")]
    win_amount: String,
    /// The balance after the round's last change.
    #[schema(example = "90.00")]
    new_balance: String,
    #[schema(example = "90.00")]
    available_to_withdraw: String,
    /// By the server's clock, in milliseconds since the epoch, like all times here.
    started_at_ms: i64,
    server_time_ms: i64,
    /// The nonce of the round.
    nonce: u64,
    /// The receipt of the change that this call made; null if it made none.
    receipt: Option<ReceiptBody>,
}

impl LiveResult {
    pub(crate) fn new(round: &Round, receipt: Option<&Receipt>, now: Timestamp) -> Self {
        Self {
            round_id: round.id.get(),
            bet_amount: round.stake.to_string(),
            cashout_multiplier: round.multiplier.map(MultiplierNumber),
            win_amount: round.payout.to_string(),
            new_balance: round.balance_after.to_string(),
            available_to_withdraw: round.available_after().to_string(),
            started_at_ms: milliseconds(round.started_at),
            server_time_ms: milliseconds(now),
            nonce: round.nonce,
            receipt: ReceiptBody::of(receipt),
        }
    }
}

/// Milliseconds since the epoch, rounded down.
pub(crate) const fn milliseconds(timestamp: Timestamp) -> i64 {
    timestamp.as_micros().div_euclid(1_000)
}

/// Unwraps a field that the requested action requires.
pub(crate) fn required<T>(field: Option<T>, name: &'static str) -> Result<T, ApiError> {
    field.ok_or(ApiError::FieldMissing(name))
}
