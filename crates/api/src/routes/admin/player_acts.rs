//! What administrators do with a player besides money: notes, and the sessions.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::accounts::read_sessions;
use glasshouse_casino::administration::{add_player_note, end_sessions_of_user, read_user};
use glasshouse_casino::{OpenSession, Refusal};
use glasshouse_domain::UserId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::{AdministratorsOnly, NotFound, RecordedAct};
use crate::routes::admin::context::{AdminContext, Reader};
use crate::session::{EndSessions, ReadSecurityEvents, WriteNotes};
use crate::state::Application;
use crate::wire::time::iso;

/// The name in the audit log.
const SESSIONS: &str = "sessions";

/// A note about a player.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewNote {
    /// What other administrators are to know. It stays for good. At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    text: String,
}

/// Adds a note about a player, which other administrators see on the timeline. It is a record of the audit log, so that it
/// has its author and its time, and cannot be changed.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("write_notes"))),
    params(("userId" = i64, Path), Idempotency),
    responses(
        (status = 204),
        (status = 400, body = ErrorBody),
        RecordedAct,
        (status = 422, description = "The text is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/users/{userId}/notes")]
pub(crate) async fn note_player(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<WriteNotes>,
    path: web::Path<String>,
    Json(note): Json<NewNote>,
) -> Result<HttpResponse, ApiError> {
    let user: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    add_player_note(&application.house, context, user, &note.text).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// A session in which a user is signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserSession {
    /// The browser and operating system; null if they are unknown.
    #[schema(example = "Firefox on Linux")]
    device: Option<String>,
    /// The network address that signed in; null if it is unknown.
    #[schema(example = "192.0.2.1")]
    address: Option<String>,
    #[schema(format = "date-time")]
    created_at: String,
    /// When the user was last active in the session, to the minute.
    #[schema(format = "date-time")]
    last_active_at: String,
}

impl From<OpenSession> for UserSession {
    fn from(session: OpenSession) -> Self {
        Self {
            device: session.device,
            address: session.address,
            created_at: iso(session.created_at),
            last_active_at: iso(session.last_active_at),
        }
    }
}

/// The sessions in which a user is signed in, the one that was last active first.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("read_security_events"))),
    params(("userId" = i64, Path)),
    responses((status = 200, body = Vec<UserSession>), AdministratorsOnly, NotFound)
)]
#[get("/api/admin/users/{userId}/sessions")]
pub(crate) async fn user_sessions(
    application: web::Data<Application>,
    reader: Reader<ReadSecurityEvents>,
    path: web::Path<String>,
) -> Result<web::Json<Vec<UserSession>>, ApiError> {
    let user: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    read_user(&application.house, user).await?;
    let found = read_sessions(&application.house, user).await?;
    reader
        .record(&application.house, SESSIONS, Some(user))
        .await?;
    Ok(web::Json(
        found.into_iter().map(UserSession::from).collect(),
    ))
}

/// Why a user's sessions are to be ended.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionsEnd {
    /// The reason, recorded in the audit log. At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// Ends all sessions of a user on all servers, with an audit record. The user can sign in again, and is told of it.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("end_sessions"))),
    params(("userId" = i64, Path), Idempotency),
    responses(
        (status = 204),
        (status = 400, body = ErrorBody),
        RecordedAct,
        (status = 422, description = "The reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/users/{userId}/end-sessions")]
pub(crate) async fn end_user_sessions(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<EndSessions>,
    path: web::Path<String>,
    Json(end): Json<SessionsEnd>,
) -> Result<HttpResponse, ApiError> {
    let user: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    end_sessions_of_user(&application.house, context, user, &end.reason).await?;
    Ok(HttpResponse::NoContent().finish())
}
