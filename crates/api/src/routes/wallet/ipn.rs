//! The payment provider's callback (IPN). The only endpoint that accepts any origin: it is
//! authenticated by its signature.

use actix_web::{HttpRequest, HttpResponse, post, web};
use glasshouse_casino::money::payments::handle_ipn;

use crate::error::{ApiError, ErrorBody};
use crate::http::body::Body;
use crate::state::Application;

/// The header with the provider's signature of the body.
const SIGNATURE: &str = "x-nowpayments-sig";

/// Handles a callback of the payment provider. A callback is only a hint: the payment that it names
/// is fetched from the provider, now or later.
#[utoipa::path(
    tag = "money",
    request_body(content = Object, description = "The payment as reported by the provider"),
    params(("x-nowpayments-sig" = String, Header, description = "HMAC-SHA512 of the body")),
    responses(
        (status = 200, description = "The callback was accepted"),
        (status = 400, description = "The callback names no payment", body = ErrorBody),
        (status = 401, description = "The signature is missing or wrong", body = ErrorBody),
        (status = 408, description = "The body took too long to arrive", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 503, description = "The callback could not be stored in time and must be sent again", body = ErrorBody),
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
