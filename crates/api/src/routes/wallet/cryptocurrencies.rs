//! The cryptocurrencies that deposits and withdrawals are made in: a fixed list, with what is taken
//! of each at the moment.

use actix_web::{get, web};
use glasshouse_casino::money::{CoinTerms, TransferLimits, coin_terms};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::http::responses::PlayersOnly;
use crate::session::SignedIn;
use crate::state::Application;

/// A supported cryptocurrency.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cryptocurrency {
    /// What the calls name it by.
    #[schema(example = "usdtsol")]
    code: &'static str,
    /// What people read.
    #[schema(example = "USDT on Solana")]
    label: &'static str,
    /// Whether the payment provider takes deposits in it now; null if that is not known.
    is_available: Option<bool>,
    /// The least deposit in it, in dollars: the house's, or the provider's if that is known and more.
    #[schema(example = "5.12")]
    minimum_deposit: String,
    /// The greatest deposit, in dollars.
    #[schema(example = "100000.00")]
    maximum_deposit: String,
    /// The greatest withdrawal, in dollars.
    #[schema(example = "100000.00")]
    maximum_withdrawal: String,
}

impl Cryptocurrency {
    fn new(coin: CoinTerms, limits: &TransferLimits) -> Self {
        let least = limits.minimum_deposit;
        Self {
            code: coin.currency.code(),
            label: coin.currency.label(),
            is_available: coin.is_taken,
            minimum_deposit: coin
                .minimum
                .map_or(least, |minimum| minimum.max(least))
                .to_string(),
            maximum_deposit: limits.maximum_deposit.to_string(),
            maximum_withdrawal: limits.maximum_withdrawal.to_string(),
        }
    }
}

/// The supported cryptocurrencies. What the provider takes of them is told as it was learnt lately:
/// the answer never waits for the provider.
#[utoipa::path(
    tag = "money",
    responses((status = 200, body = Vec<Cryptocurrency>), PlayersOnly)
)]
#[get("/api/cryptocurrencies")]
pub(crate) async fn cryptocurrencies(
    application: web::Data<Application>,
    _: SignedIn,
) -> Result<web::Json<Vec<Cryptocurrency>>, ApiError> {
    let limits = application.cashier.limits();
    let coins = coin_terms(&application.cashier).into_iter();
    let list = coins.map(|coin| Cryptocurrency::new(coin, &limits));
    Ok(web::Json(list.collect()))
}
