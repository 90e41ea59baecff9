//! The security events of an account, for its owner.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::SecurityEvent as Event;
use glasshouse_casino::accounts::read_security_events;
use glasshouse_domain::SecurityEventKind;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, Type};

use crate::error::ApiError;
use crate::http::pagination::{PageParameters, page};
use crate::http::responses::{Malformed, PlayersOnly};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::time::iso;

/// Something that happened to the access to an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SecurityEvent {
    id: i64,
    #[schema(schema_with = kind_name)]
    kind: &'static str,
    /// The browser and operating system that the request came from; null if they are unknown.
    #[schema(example = "Firefox on Linux")]
    device: Option<String>,
    /// The network address that the request came from; null if it is unknown.
    #[schema(example = "192.0.2.1")]
    address: Option<String>,
    /// Whether the account had not signed in on the device before.
    is_new_device: bool,
    #[schema(format = "date-time")]
    created_at: String,
}

/// The names of all kinds.
fn kind_name() -> Object {
    let names = SecurityEventKind::ALL.iter().map(|kind| kind.as_str());
    Object::builder()
        .schema_type(Type::String)
        .enum_values(Some(names))
        .build()
}

impl From<&Event> for SecurityEvent {
    fn from(event: &Event) -> Self {
        Self {
            id: event.id.get(),
            kind: event.kind.as_str(),
            device: event.origin.device.clone(),
            address: event.origin.address.clone(),
            is_new_device: event.origin.is_new_device,
            created_at: iso(event.at),
        }
    }
}

/// What happened to the access to the account within a year, newest first: sign-ins, failed attempts,
/// changes. If there may be more, the `Next-Cursor` header contains the cursor of the next page.
#[utoipa::path(
    tag = "users",
    params(PageParameters),
    responses(
        (status = 200, body = Vec<SecurityEvent>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/account/security-events")]
pub(crate) async fn security_events(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<PageParameters>,
) -> Result<HttpResponse, ApiError> {
    let (limit, before) = parameters.into_inner().parse()?;
    let found = read_security_events(&application.house, user.id, before, limit).await?;
    let events: Vec<SecurityEvent> = found.entries.iter().map(SecurityEvent::from).collect();
    Ok(page(&events, found.next))
}
