//! Links from mails: verify an e-mail address, and choose a new password. Nobody needs to be signed in.

use actix_web::{HttpRequest, HttpResponse, post, web};
use glasshouse_casino::email::{recover_password, request_recovery, verify_email};
use glasshouse_casino::{Refusal, RequestOrigin};
use glasshouse_domain::NewPassword;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::login_attempts::client;
use crate::http::mail_requests::{admit_use_of_link, parse_email};
use crate::http::network::network_of;
use crate::http::rate_limit::Limit;
use crate::http::request_origin::origin_of;
use crate::http::responses::{Malformed, RateLimited};
use crate::state::Application;

/// Registers the endpoints of links from mails.
pub(crate) fn register(endpoints: &mut Endpoints<'_>) {
    endpoints
        .service(verification)
        .service(recovery_request)
        .service(recovery);
}

/// The token of a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmailVerification {
    /// What follows the `#` in the link.
    token: String,
}

/// An address.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordRecoveryRequest {
    #[schema(format = "email")]
    email: String,
}

/// The token of a link, and the new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PasswordRecovery {
    /// What follows the `#` in the link.
    token: String,
    /// At least 6 characters, at most 1,024 bytes.
    #[schema(format = "password", min_length = 6, max_length = 1024)]
    new_password: String,
}

/// Where the sender of a link is. Which account it is about is not known yet, so neither is whether the
/// device is.
fn origin(application: &Application, request: &HttpRequest) -> RequestOrigin {
    RequestOrigin {
        is_new_device: false,
        ..origin_of(application, request, "")
    }
}

/// Verifies an e-mail address with the link that was sent to it.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 204),
        Malformed,
        (status = 409, description = "The address was not added; a mail to it says why",
            body = ErrorBody),
        (status = 422, description = "The link was used, has expired, or was replaced",
            body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/email-verification")]
pub(crate) async fn verification(
    application: web::Data<Application>,
    request: HttpRequest,
    address: ClientAddress,
    Json(body): Json<EmailVerification>,
) -> Result<HttpResponse, ApiError> {
    admit_use_of_link(&application, address).await?;
    let origin = origin(&application, &request);
    verify_email(&application.house, &body.token, origin).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Sends a link with which a new password can be chosen to the address, if it is the verified address
/// of an account. The response is the same for all addresses.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 202, description = "If an account has verified this address, the link is sent"),
        Malformed,
        RateLimited,
    )
)]
#[post("/api/password-recovery")]
pub(crate) async fn recovery_request(
    application: web::Data<Application>,
    address: ClientAddress,
    Json(body): Json<PasswordRecoveryRequest>,
) -> Result<HttpResponse, ApiError> {
    application
        .limits
        .check(Limit::Mail(network_of(address.0)))?;
    let email = parse_email(&body.email)?;
    let limited = application.limits.is_on().then(|| client(address, None));
    request_recovery(&application.house, email, limited).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Chooses a new password with the link from a mail, which can be used once. All sessions end, and
/// nobody is signed in.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 204),
        Malformed,
        (status = 422, description = "The link was used, has expired, or was replaced; or the new \
            password is too short, or too easy to guess", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/password-recovery/complete")]
pub(crate) async fn recovery(
    application: web::Data<Application>,
    request: HttpRequest,
    address: ClientAddress,
    Json(body): Json<PasswordRecovery>,
) -> Result<HttpResponse, ApiError> {
    admit_use_of_link(&application, address).await?;
    let password = NewPassword::parse(body.new_password).map_err(Refusal::from)?;
    let origin = origin(&application, &request);
    recover_password(&application.house, &body.token, password, origin).await?;
    Ok(HttpResponse::NoContent().finish())
}
