//! The cryptocurrencies that deposits and withdrawals are made in: a fixed list.

use actix_web::{get, web};
use glasshouse_domain::Currency;
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

/// The supported cryptocurrencies.
#[utoipa::path(
    tag = "money",
    responses((status = 200, body = Vec<Cryptocurrency>), (status = 401, body = ErrorBody))
)]
#[get("/api/cryptocurrencies")]
pub(crate) async fn cryptocurrencies(
    _: SignedIn,
) -> Result<web::Json<Vec<Cryptocurrency>>, ApiError> {
    let list = Currency::ALL.map(|currency| Cryptocurrency {
        code: currency.code(),
        label: currency.label(),
    });
    Ok(web::Json(list.into()))
}
