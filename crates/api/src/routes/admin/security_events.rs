//! The security events of a user, for administrators.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::accounts::read_security_events;
use glasshouse_casino::administration::read_user;
use glasshouse_domain::UserId;

use crate::error::ApiError;
use crate::http::pagination::{PageParameters, page};
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::account::security_events::SecurityEvent;
use crate::routes::admin::context::Reader;
use crate::session::ReadSecurityEvents;
use crate::state::Application;

/// The name of the list in the audit log.
const NAME: &str = "security-events";

/// What happened to the access to a user's account within a year, newest first. If there may be more,
/// the `Next-Cursor` header contains the cursor of the next page.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("read_security_events"))),
    params(("userId" = i64, Path), PageParameters),
    responses(
        (status = 200, body = Vec<SecurityEvent>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
        NotFound,
    )
)]
#[get("/api/admin/users/{userId}/security-events")]
pub(crate) async fn security_events_of_user(
    application: web::Data<Application>,
    reader: Reader<ReadSecurityEvents>,
    path: web::Path<String>,
    parameters: web::Query<PageParameters>,
) -> Result<HttpResponse, ApiError> {
    let (limit, before) = parameters.into_inner().parse()?;
    let id: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    let user = read_user(&application.house, id).await?.user.id;
    reader.record(&application.house, NAME, Some(user)).await?;
    let found = read_security_events(&application.house, user, before, limit).await?;
    let events: Vec<SecurityEvent> = found.entries.iter().map(SecurityEvent::from).collect();
    Ok(page(&events, found.next))
}
