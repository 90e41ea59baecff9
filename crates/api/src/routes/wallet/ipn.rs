//! The payment provider calls back. The one call that any origin may make: its signature is what
//! it is believed by.

use actix_web::{HttpRequest, HttpResponse, post, web};
use glasshouse_casino::money::payments::handle_ipn;

use crate::error::{ApiError, ErrorBody};
use crate::http::body::Body;
use crate::state::Application;

/// The header with the provider's signature of the body.
const SIGNATURE: &str = "x-nowpayments-sig";

/// Hears a callback of the payment provider. It is only a hint: the payment that it names is
/// fetched from the provider, now or later.
#[utoipa::path(
    tag = "money",
    request_body(content = Object, description = "A payment as the provider tells it"),
    params(("x-nowpayments-sig" = String, Header, description = "HMAC-SHA512 of the body")),
    responses(
        (status = 200, description = "IpnOutcome"),
        (status = 400, description = "It names no payment", body = ErrorBody),
        (status = 401, description = "The signature is missing or wrong", body = ErrorBody),
        (status = 408, description = "The body took too long", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 503, description = "It could not be remembered in time and must be sent again", body = ErrorBody),
    )
)]
#[post("/api/payments/ipn")]
pub(crate) async fn payment_callback(
    application: web::Data<Application>,
    request: HttpRequest,
    Body(body): Body,
) -> Result<HttpResponse, ApiError> {
    let header = request.headers().get(SIGNATURE);
    let signature = header.and_then(|value| value.to_str().ok());
    handle_ipn(&application.cashier, signature, &body).await?;
    Ok(HttpResponse::Ok().finish())
}
