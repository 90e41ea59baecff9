//! The reality check: its interval, and what the player did in this session.

use actix_session::Session;
use actix_web::{get, put, web};
use glasshouse_casino::limits::{read_limits, read_session_summary, set_reality_check};
use glasshouse_domain::Money;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::LimitOverview;
use crate::error::ApiError;
use crate::http::json_body::Json;
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::session::{SignedIn, SignedInPassively, key_and_end};
use crate::state::Application;
use crate::wire::time::iso;

/// The interval of the reality check.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RealityCheck {
    /// 15, 30, 45, 60, 90 or 120; null turns it off.
    // Without a function of its own, an absent value would turn it off as well.
    #[serde(deserialize_with = "present")]
    #[schema(
        required = true,
        example = 60,
        minimum = 15,
        maximum = 120,
        multiple_of = 15
    )]
    minutes: Option<i64>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Option::deserialize(deserializer)
}

/// What the player did since signing in. Stakes and payouts of the player's other sessions count, if
/// they were made since then.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionSummary {
    /// When the player signed in.
    #[schema(format = "date-time")]
    since: String,
    /// For how many whole minutes the player was active, up to a minute ago.
    #[schema(example = 60)]
    active_minutes: u64,
    /// The stakes in US dollars.
    #[schema(example = "100.00")]
    staked: String,
    /// The payouts in US dollars.
    #[schema(example = "87.50")]
    paid: String,
    /// The payouts less the stakes, in US dollars.
    #[schema(example = "-12.50")]
    net_result: String,
    /// The interval of the reality check in minutes; null if it is off.
    #[schema(example = 60)]
    reality_check_minutes: Option<i64>,
}

impl From<glasshouse_casino::limits::SessionSummary> for SessionSummary {
    fn from(summary: glasshouse_casino::limits::SessionSummary) -> Self {
        let usage = summary.usage;
        let net = usage.paid.cents().saturating_sub(usage.staked.cents());
        Self {
            since: iso(usage.since),
            active_minutes: usage.active.as_secs() / 60,
            staked: usage.staked.to_string(),
            paid: usage.paid.to_string(),
            net_result: Money::from_cents(net).to_string(),
            reality_check_minutes: summary.reality_check_minutes,
        }
    }
}

/// How long the player has been active in this session, and with what result.
#[utoipa::path(
    tag = "limits",
    responses((status = 200, body = SessionSummary), PlayersOnly)
)]
#[get("/api/session-summary")]
pub(crate) async fn session_summary(
    application: web::Data<Application>,
    session: Session,
    // A browser asks for it by itself.
    SignedInPassively(user): SignedInPassively,
) -> Result<web::Json<SessionSummary>, ApiError> {
    let (key, _) = key_and_end(&session).ok_or(ApiError::NotSignedIn)?;
    let summary = read_session_summary(&application.house, user.id, key).await?;
    let summary = summary.ok_or(ApiError::NotSignedIn)?;
    Ok(web::Json(summary.into()))
}

/// Sets the interval of the player's reality check, or turns it off. Returns the player's limits.
#[utoipa::path(
    tag = "limits",
    responses((status = 200, body = LimitOverview), Malformed, PlayersOnly, RateLimited)
)]
#[put("/api/reality-check")]
pub(crate) async fn reality_check(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Json(check): Json<RealityCheck>,
) -> Result<web::Json<LimitOverview>, ApiError> {
    application.limits.check(Limit::PlayRules(user.id))?;
    set_reality_check(&application.house, user.id, check.minutes).await?;
    Ok(web::Json(
        read_limits(&application.house, user.id).await?.into(),
    ))
}
