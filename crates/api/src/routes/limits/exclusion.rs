//! Cool-off and self-exclusion.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use glasshouse_casino::limits::read_exclusions;
use glasshouse_casino::{LimitRefusal, Refusal};
use glasshouse_domain::{ExclusionDuration, ExclusionKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::names::{ExclusionDurationName, ExclusionKindName};
use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::password_check::require_password;
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::time::iso;

/// A requested exclusion.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExclusionRequest {
    kind: ExclusionKindName,
    duration: ExclusionDurationName,
    /// The player's password.
    #[schema(format = "password")]
    password: String,
}

/// An exclusion from new rounds and new deposits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Exclusion {
    kind: ExclusionKindName,
    duration: ExclusionDurationName,
    #[schema(format = "date-time")]
    since: String,
    /// When it ends. The year is 9998 if it never ends.
    #[schema(format = "date-time")]
    until: String,
    /// Whether it never ends.
    is_permanent: bool,
}

impl From<glasshouse_domain::Exclusion> for Exclusion {
    fn from(exclusion: glasshouse_domain::Exclusion) -> Self {
        Self {
            kind: exclusion.duration.kind().into(),
            duration: exclusion.duration.into(),
            since: iso(exclusion.since),
            until: iso(exclusion.until),
            is_permanent: exclusion.is_permanent(),
        }
    }
}

/// The player's exclusions, newest first, at most 100. The first is in force until it ends.
#[utoipa::path(
    tag = "limits",
    responses((status = 200, body = Vec<Exclusion>), PlayersOnly)
)]
#[get("/api/exclusions")]
pub(crate) async fn exclusion_list(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
) -> Result<web::Json<Vec<Exclusion>>, ApiError> {
    let exclusions = read_exclusions(&application.house, user.id).await?;
    Ok(web::Json(
        exclusions.into_iter().map(Exclusion::from).collect(),
    ))
}

/// Excludes the player from new rounds and new deposits until it ends by time; nobody can end it
/// earlier. Rounds in play can be finished, and withdrawals stay possible. A longer exclusion replaces
/// a shorter one, never the other way round. Wrong passwords count as failed sign-ins.
#[utoipa::path(
    tag = "limits",
    responses(
        (status = 201, body = Exclusion),
        Malformed,
        (status = 401, description = "Not signed in, or the wrong password", body = ErrorBody),
        (status = 409, description = "An exclusion that ends as late or later is in force", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/exclusions")]
pub(crate) async fn exclude(
    application: web::Data<Application>,
    request: HttpRequest,
    SignedIn(user): SignedIn,
    address: ClientAddress,
    Json(body): Json<ExclusionRequest>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::PlayRules(user.id))?;
    let duration = ExclusionDuration::from(body.duration);
    if duration.kind() != ExclusionKind::from(body.kind) {
        return Err(Refusal::from(LimitRefusal::ExclusionDuration).into());
    }
    require_password(&application, &request, address, &user, body.password).await?;
    let exclusion =
        glasshouse_casino::limits::exclude(&application.house, user.id, duration).await?;
    Ok(HttpResponse::Created().json(Exclusion::from(exclusion)))
}
