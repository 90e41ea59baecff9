//! The signed-in user's sessions.

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, delete, get, web};
use glasshouse_casino::OpenSession;
use glasshouse_casino::accounts::{
    SessionKeyHash, end_other_session, end_other_sessions, read_sessions,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::rate_limit::Limit;
use crate::http::request_origin::origin_of;
use crate::http::responses::{NotFound, PlayersOnly, RateLimited};
use crate::session::{ConfirmedIfProtected, SignedIn, current_session};
use crate::state::Application;
use crate::wire::time::iso;

/// A session in which the user is signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountSession {
    #[schema(example = "0f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    id: String,
    /// The browser and operating system; null if they are unknown.
    #[schema(example = "Firefox on Linux")]
    device: Option<String>,
    /// The network address that signed in; null if it is unknown.
    #[schema(example = "192.0.2.1")]
    address: Option<String>,
    /// Whether it is the session of this request.
    is_current: bool,
    #[schema(format = "date-time")]
    created_at: String,
    /// When the user was last active in the session, to the minute.
    #[schema(format = "date-time")]
    last_active_at: String,
}

impl AccountSession {
    fn of(session: OpenSession, current: &SessionKeyHash) -> Self {
        Self {
            id: SessionKeyHash::of_stored(&session).session_id().to_owned(),
            is_current: session.key_hash == current.as_str(),
            device: session.device,
            address: session.address,
            created_at: iso(session.created_at),
            last_active_at: iso(session.last_active_at),
        }
    }
}

/// The sessions in which the user is signed in, the one that was last active first.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = Vec<AccountSession>), PlayersOnly)
)]
#[get("/api/account/sessions")]
pub(crate) async fn session_list(
    application: web::Data<Application>,
    session: Session,
    SignedIn(user): SignedIn,
) -> Result<web::Json<Vec<AccountSession>>, ApiError> {
    let current = current_session(&session)?;
    let sessions = read_sessions(&application.house, user.id).await?;
    let listed = sessions
        .into_iter()
        .map(|session| AccountSession::of(session, &current));
    Ok(web::Json(listed.collect()))
}

/// Ends all sessions except this one. Users with a second factor must have confirmed the session with it.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 204),
        PlayersOnly,
        (status = 403, description = "The user has a second factor and must confirm the session first", body = ErrorBody),
        RateLimited,
    )
)]
#[delete("/api/account/sessions")]
pub(crate) async fn end_others(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::SessionEnd(user.id))?;
    let current = current_session(&session)?;
    let origin = origin_of(&application, &request, &user.username);
    end_other_sessions(&application.house, user.id, &current, origin).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends one of the other sessions. Users with a second factor must have confirmed the session with it.
#[utoipa::path(
    tag = "users",
    params(("id" = String, Path, description = "The session's ID", pattern = "^[0-9a-f]{32}$")),
    responses(
        (status = 204),
        PlayersOnly,
        (status = 403, description = "The user has a second factor and must confirm the session first", body = ErrorBody),
        NotFound,
        (status = 409, description = "It is the session of this request", body = ErrorBody),
        RateLimited,
    )
)]
#[delete("/api/account/sessions/{id}")]
pub(crate) async fn end_one(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::SessionEnd(user.id))?;
    let current = current_session(&session)?;
    let origin = origin_of(&application, &request, &user.username);
    end_other_session(&application.house, user.id, &current, &id, origin).await?;
    Ok(HttpResponse::NoContent().finish())
}
