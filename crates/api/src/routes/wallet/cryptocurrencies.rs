//! The cryptocurrencies for deposits and withdrawals: a fixed list, with their current terms.

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
    /// The code used in the API.
    #[schema(example = "usdtsol")]
    code: &'static str,
    /// The display name.
    #[schema(example = "USDT on Solana")]
    label: &'static str,
    /// Whether the payment provider currently accepts deposits in it; null if unknown.
    is_available: Option<bool>,
    /// The minimum deposit in US dollars: the house's minimum, or the provider's if that is known
    /// and higher.
    #[schema(example = "5.12")]
    minimum_deposit: String,
    /// The maximum deposit in US dollars.
    #[schema(example = "100000.00")]
    maximum_deposit: String,
    /// The maximum withdrawal in US dollars.
    #[schema(example = "100000.00")]
    maximum_withdrawal: String,
}

impl Cryptocurrency {
    fn new(coin: CoinTerms, limits: &TransferLimits) -> Self {
        let house_minimum = limits.minimum_deposit;
        Self {
            code: coin.currency.code(),
            label: coin.currency.label(),
            is_available: coin.is_taken,
            minimum_deposit: coin
                .minimum
                .map_or(house_minimum, |minimum| minimum.max(house_minimum))
                .to_string(),
            maximum_deposit: limits.maximum_deposit.to_string(),
            maximum_withdrawal: limits.maximum_withdrawal.to_string(),
        }
    }
}

/// The supported cryptocurrencies, with the provider's terms as last fetched: the response never
/// waits for the provider.
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
