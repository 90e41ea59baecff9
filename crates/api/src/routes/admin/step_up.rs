//! Step-up authentication of administrators, which is that of all users.

use actix_session::Session;
use actix_web::{HttpRequest, get, post, web};

use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::responses::{AdministratorsOnly, RateLimited};
use crate::routes::account::step_up::{StepUp, StepUpState, confirm, state};
use crate::session::Administrator;
use crate::state::Application;

/// Whether the session was confirmed recently.
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
    web::Json(state(&application, &session))
}

/// Confirms the session with the second factor. The confirmation is valid for five minutes.
#[utoipa::path(
    tag = "administration",
    responses(
        (status = 200, body = StepUpState),
        (status = 401, description = "Not signed in, or the second factor is wrong", body = ErrorBody),
        (status = 403, body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/admin/step-up")]
pub(crate) async fn step_up(
    application: web::Data<Application>,
    administrator: Administrator,
    request: HttpRequest,
    address: ClientAddress,
    Json(body): Json<StepUp>,
) -> Result<web::Json<StepUpState>, ApiError> {
    let state = confirm(&application, &request, address, &administrator.user, body).await?;
    Ok(web::Json(state))
}
