//! The balance at the payment provider.

use actix_web::{get, web};
use glasshouse_casino::money::{
    CoinBalance, KnownBalance, ProviderBalance as Balance, read_provider_balance,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::responses::AdministratorsOnly;
use crate::session::{Permitted, ReadFigures};
use crate::state::Application;
use crate::wire::time::iso;

/// What the house holds at the payment provider. If the provider fails, the last known balance is returned,
/// with the problem.
#[derive(Serialize, ToSchema)]
pub(crate) struct BalanceAtProvider {
    /// Null if it is not known.
    balance: Option<ProviderBalance>,
    /// Why the provider could not be asked again; null if it was asked within the last minute.
    problem: Option<String>,
}

/// The balance at the payment provider.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProviderBalance {
    /// When the provider was asked.
    #[schema(format = "date-time")]
    taken_at: String,
    /// About what the coins with a known price are worth in US dollars.
    #[schema(example = "15000.00")]
    total: String,
    /// Whether the prices of all coins are known.
    is_complete: bool,
    /// The coins of which there are any, the most valuable first.
    coins: Vec<ProviderCoin>,
}

/// The balance of a coin at the payment provider.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProviderCoin {
    /// The provider's code.
    #[schema(example = "btc")]
    code: String,
    #[schema(example = "0.16666")]
    amount: String,
    /// The price of a coin in US dollars by the provider's estimate; null if it is not known.
    #[schema(example = "90000")]
    rate: Option<String>,
    /// About what the amount is worth in US dollars; null if the price is not known.
    #[schema(example = "14999.40")]
    value: Option<String>,
}

impl From<CoinBalance> for ProviderCoin {
    fn from(coin: CoinBalance) -> Self {
        Self {
            code: coin.code,
            amount: coin.amount.to_string(),
            rate: coin.rate.map(|rate| rate.to_string()),
            value: coin.value.map(|value| value.to_string()),
        }
    }
}

impl From<Balance> for ProviderBalance {
    fn from(balance: Balance) -> Self {
        Self {
            taken_at: iso(balance.at),
            total: balance.total.to_string(),
            is_complete: balance.is_complete(),
            coins: balance.coins.into_iter().map(ProviderCoin::from).collect(),
        }
    }
}

/// What the house holds at the payment provider, which is asked at most once a minute.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("read_figures"))),
    responses(
        (status = 200, body = BalanceAtProvider),
        AdministratorsOnly,
    )
)]
#[get("/api/admin/provider-balance")]
pub(crate) async fn provider_balance(
    application: web::Data<Application>,
    _: Permitted<ReadFigures>,
) -> web::Json<BalanceAtProvider> {
    let KnownBalance { latest, problem } = read_provider_balance(&application.cashier).await;
    web::Json(BalanceAtProvider {
        balance: latest.map(ProviderBalance::from),
        problem,
    })
}
