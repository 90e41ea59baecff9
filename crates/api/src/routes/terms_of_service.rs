//! The Terms of Service: their text, and who accepted which version when.

use actix_web::{get, post, web};
use glasshouse_casino::TermsAcceptance as Acceptance;
use glasshouse_casino::accounts::{accept_terms, player, read_acceptances, read_terms};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, NotFound, PlayersOnly, RateLimited};
use crate::routes::account::CurrentUser;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::time::iso;

/// Registers the endpoints of the Terms of Service.
pub(crate) fn register(endpoints: &mut Endpoints<'_>) {
    endpoints
        .service(terms)
        .service(accepted_terms)
        .service(acceptance);
}

/// The version of the Terms of Service that is in force.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TermsOfService {
    version: i64,
    #[schema(format = "date-time")]
    published_at: String,
    /// Plain text: blank lines separate paragraphs, a line that begins with `# ` is a heading, and one
    /// that begins with `- ` an item of a list.
    text: String,
}

/// The Terms of Service in force. Nobody needs to be signed in.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = TermsOfService), NotFound)
)]
#[get("/api/terms")]
pub(crate) async fn terms(
    application: web::Data<Application>,
) -> Result<web::Json<TermsOfService>, ApiError> {
    let terms = read_terms(&application.house).await?;
    Ok(web::Json(TermsOfService {
        version: terms.version,
        published_at: iso(terms.published_at),
        text: terms.text,
    }))
}

/// An accepted version of the Terms of Service.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AcceptedTerms {
    version: i64,
    #[schema(format = "date-time")]
    accepted_at: String,
}

impl From<Acceptance> for AcceptedTerms {
    fn from(accepted: Acceptance) -> Self {
        Self {
            version: accepted.version,
            accepted_at: iso(accepted.accepted_at),
        }
    }
}

/// The versions that the user has accepted, newest first, at most 100. Registering accepts the version
/// in force.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = Vec<AcceptedTerms>), PlayersOnly)
)]
#[get("/api/user/accepted-terms")]
pub(crate) async fn accepted_terms(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
) -> Result<web::Json<Vec<AcceptedTerms>>, ApiError> {
    let accepted = read_acceptances(&application.house, user.id).await?;
    Ok(web::Json(
        accepted.into_iter().map(AcceptedTerms::from).collect(),
    ))
}

/// The version that the user has read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TermsAcceptance {
    /// The version in force.
    #[schema(minimum = 1)]
    version: i64,
}

/// Accepts the version in force. Accepting it again changes nothing.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 200, body = CurrentUser),
        Malformed,
        PlayersOnly,
        (status = 409, description = "Another version is in force", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/user/accepted-terms")]
pub(crate) async fn acceptance(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Json(TermsAcceptance { version }): Json<TermsAcceptance>,
) -> Result<web::Json<CurrentUser>, ApiError> {
    application.limits.check(Limit::Terms(user.id))?;
    accept_terms(&application.house, user.id, version).await?;
    Ok(web::Json(player(&application.house, user).await?.into()))
}
