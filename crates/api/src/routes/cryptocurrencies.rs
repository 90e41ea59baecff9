//! The cryptocurrencies that deposits and withdrawals will be made in: a fixed list.

use actix_web::{get, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::session::SignedIn;

/// A supported cryptocurrency.
#[derive(Serialize, ToSchema)]
pub(crate) struct Cryptocurrency {
    /// What the calls name it by.
    #[schema(example = "usdtsol")]
    code: &'static str,
    /// What people read.
    #[schema(example = "USDT on Solana")]
    label: &'static str,
}

const LIST: [(&str, &str); 11] = [
    ("usdtsol", "USDT on Solana"),
    ("usdterc20", "USDT on Ethereum"),
    ("eth", "ETH"),
    ("btc", "BTC"),
    ("xmr", "XMR"),
    ("ltc", "LTC"),
    ("bch", "BCH"),
    ("sol", "SOL"),
    ("bnb", "BNB"),
    ("shib", "SHIB"),
    ("doge", "DOGE"),
];

/// The supported cryptocurrencies.
#[utoipa::path(
    tag = "money",
    responses((status = 200, body = Vec<Cryptocurrency>), (status = 401, body = ErrorBody))
)]
#[get("/api/cryptocurrencies")]
pub(crate) async fn cryptocurrencies(
    _: SignedIn,
) -> Result<web::Json<Vec<Cryptocurrency>>, ApiError> {
    let list = LIST.map(|(code, label)| Cryptocurrency { code, label });
    Ok(web::Json(list.into()))
}
