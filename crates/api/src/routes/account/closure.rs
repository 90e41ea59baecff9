//! Closing one's account.

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, post, web};
use glasshouse_casino::privacy::{Closure, close_account};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::password_check::require_password;
use crate::http::rate_limit::Limit;
use crate::http::request_origin::origin_of;
use crate::http::responses::{Malformed, RateLimited};
use crate::session::{ConfirmedIfProtected, forget};
use crate::state::Application;
use crate::wire::money::AmountText;

/// A request to close the account.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ClosureRequest {
    #[schema(format = "password")]
    password: String,
    /// The balance in US dollars that is given up, which must be the exact balance and less than the
    /// minimum withdrawal. Without it, the balance must be 0.
    #[schema(example = "7.35")]
    given_up_balance: Option<AmountText>,
}

/// Closes the account: all sessions end, and nobody can sign in any more. The name stays taken. Refused
/// while there is a balance, a round in play, a withdrawal that is not decided, or an invoice that can be
/// paid; an exclusion stays in force. Wrong passwords count as failed sign-ins, and users
/// with a second factor must have confirmed the session with it.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 204),
        Malformed,
        (status = 401, description = "Not signed in, or the wrong password", body = ErrorBody),
        (status = 403, description = "The user has a second factor and must confirm the session first", body = ErrorBody),
        (status = 409, description = "Something is left to settle; the code says what",
            body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/closure")]
pub(crate) async fn close(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
    address: ClientAddress,
    Json(body): Json<ClosureRequest>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::Transfer(user.id))?;
    let given_up = body.given_up_balance.map(|text| text.parse()).transpose()?;
    require_password(&application, &request, address, &user, body.password).await?;
    let closure = Closure {
        user: user.id,
        given_up,
        origin: origin_of(&application, &request, &user.username),
    };
    close_account(&application.house, closure).await?;
    forget(&session);
    Ok(HttpResponse::NoContent().finish())
}
