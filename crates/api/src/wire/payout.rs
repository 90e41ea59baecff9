//! The payment of a withdrawal on the wire.

use glasshouse_casino::Payout;
use glasshouse_casino::money::payouts::transaction_url;
use glasshouse_domain::{Currency, PayoutMethod, PayoutState as State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::cell::Cell;
use crate::wire::time::iso;

/// How far the payment of an approved withdrawal has come.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PayoutState {
    /// It is about to be sent.
    Claimed,
    /// It was sent.
    Sent,
    /// It has arrived.
    Confirmed,
    /// It did not take place; the amount is still held.
    Failed,
    /// It failed, and the amount was returned to the balance.
    Returned,
}

impl From<State> for PayoutState {
    fn from(state: State) -> Self {
        match state {
            State::Claimed => Self::Claimed,
            State::Sent => Self::Sent,
            State::Confirmed => Self::Confirmed,
            State::Failed => Self::Failed,
            State::Returned => Self::Returned,
        }
    }
}

impl From<PayoutState> for State {
    fn from(state: PayoutState) -> Self {
        match state {
            PayoutState::Claimed => Self::Claimed,
            PayoutState::Sent => Self::Sent,
            PayoutState::Confirmed => Self::Confirmed,
            PayoutState::Failed => Self::Failed,
            PayoutState::Returned => Self::Returned,
        }
    }
}

/// The payment of an approved withdrawal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Payout)]
pub(crate) struct PayoutView {
    state: PayoutState,
    /// The amount in the coin; null until it is fixed.
    #[schema(example = "0.000275")]
    coin_amount: Option<String>,
    /// The price of a coin in US dollars.
    #[schema(example = "90000")]
    rate: Option<String>,
    /// The fee of the network in the coin, which the house pays; null until it is known.
    #[schema(example = "0.000012")]
    network_fee: Option<String>,
    /// The transaction's ID in the network.
    transaction_id: Option<String>,
    /// Where the transaction can be looked at.
    #[schema(format = "uri")]
    transaction_url: Option<String>,
    #[schema(format = "date-time")]
    sent_at: Option<String>,
    #[schema(format = "date-time")]
    confirmed_at: Option<String>,
    #[schema(format = "date-time")]
    returned_at: Option<String>,
}

impl PayoutView {
    pub(crate) fn new(payout: &Payout, currency: Currency) -> Self {
        let id = payout.transaction_id.as_deref();
        Self {
            state: payout.state.into(),
            coin_amount: payout.coin_amount.clone(),
            rate: payout.rate.clone(),
            network_fee: payout.network_fee.clone(),
            transaction_id: payout.transaction_id.clone(),
            transaction_url: id.and_then(|id| transaction_url(currency, id)),
            sent_at: payout.sent_at.map(iso),
            confirmed_at: payout.confirmed_at.map(iso),
            returned_at: payout.returned_at.map(iso),
        }
    }

    /// The state, and the cells of a CSV export: coin amount, network fee and transaction ID.
    pub(crate) fn into_cells(self) -> (PayoutState, [Option<Cell>; 3]) {
        let cells = [self.coin_amount, self.network_fee, self.transaction_id];
        (self.state, cells.map(|cell| cell.map(Cell::from)))
    }
}

/// Who pays a withdrawal.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PayoutMethod)]
pub(crate) enum PayoutMethodName {
    /// The provider.
    Provider,
    /// An administrator, who records the transaction.
    Manual,
}

impl From<PayoutMethod> for PayoutMethodName {
    fn from(method: PayoutMethod) -> Self {
        match method {
            PayoutMethod::Provider => Self::Provider,
            PayoutMethod::Manual => Self::Manual,
        }
    }
}
