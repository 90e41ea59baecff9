//! Step-up authentication: decisions about money require the password again after a few minutes.

use actix_session::Session;
use actix_web::{HttpRequest, get, post, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::password_check::require_password;
use crate::http::responses::{AdministratorsOnly, RateLimited};
use crate::session::{Administrator, confirmation_of};
use crate::state::Application;
use crate::wire::time::iso;

/// The administrator's own password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepUp {
    #[schema(format = "password")]
    password: String,
}

/// The state of the password confirmation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StepUpState {
    /// Until when the confirmation is valid; null if it has expired.
    #[schema(format = "date-time")]
    valid_until: Option<String>,
}

/// Whether the password was entered recently.
#[utoipa::path(
    tag = "administration",
    responses(
        (status = 200, body = StepUpState),
        AdministratorsOnly,
    )
)]
#[get("/api/admin/step-up")]
pub(crate) async fn step_up_state(
    application: web::Data<Application>,
    session: Session,
    _: Administrator,
) -> web::Json<StepUpState> {
    let now = application.house.now();
    let until = confirmation_of(&session).map(|confirmation| confirmation.until);
    web::Json(StepUpState {
        valid_until: until.filter(|until| now < *until).map(iso),
    })
}

/// Confirms the password. The confirmation is valid for five minutes.
#[utoipa::path(
    tag = "administration",
    responses(
        (status = 200, body = StepUpState),
        (status = 401, description = "Not signed in, or the wrong password", body = ErrorBody),
        (status = 403, body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/admin/step-up")]
pub(crate) async fn step_up(
    application: web::Data<Application>,
    Administrator(user): Administrator,
    request: HttpRequest,
    address: ClientAddress,
    Json(body): Json<StepUp>,
) -> Result<web::Json<StepUpState>, ApiError> {
    let until = require_password(&application, &request, address, &user, body.password).await?;
    Ok(web::Json(StepUpState {
        valid_until: Some(iso(until)),
    }))
}
