//! A player's own limits.

use actix_web::{HttpResponse, delete, get, post, put, web};
use glasshouse_casino::limits::{
    LimitUsage, RequestedLimit, confirm_limit_change, parse_limit_value, read_limit_changes,
    read_limits, set_limit, withdraw_limit_change,
};
use glasshouse_casino::{RecordedChange, User};
use glasshouse_domain::{LimitKind, Money};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use self::exclusion::Exclusion;
use self::names::{ChangeActionName, LimitKindName, LimitPeriodName};
use crate::error::{ApiError, ErrorBody};
use crate::http::json_body::Json;
use crate::http::pagination::{PageParameters, page};
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::money::AmountText;
use crate::wire::time::iso;

pub(crate) mod exclusion;
mod names;
pub(crate) mod session;

/// A raise or removal that is not in force yet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PendingLimit {
    /// The new limit, in US dollars or whole minutes; null removes the limit.
    #[schema(example = "200.00")]
    value: Option<String>,
    #[schema(format = "date-time")]
    requested_at: String,
    /// From when it can be confirmed.
    #[schema(format = "date-time")]
    confirmable_at: String,
    /// When it lapses unless it is confirmed.
    #[schema(format = "date-time")]
    lapses_at: String,
}

/// A limit in force, and what is used of it. Amounts are in US dollars, session time is in whole
/// minutes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayerLimit {
    kind: LimitKindName,
    period: LimitPeriodName,
    #[schema(example = "100.00")]
    value: String,
    /// What is used in the current period. Negative for losses after a net win.
    #[schema(example = "12.50")]
    used: String,
    /// When the next period begins.
    #[schema(format = "date-time")]
    resets_at: String,
    /// Since when the limit is in force.
    #[schema(format = "date-time")]
    since: String,
    pending: Option<PendingLimit>,
}

/// The player's limits, exclusion and reality check.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LimitOverview {
    limits: Vec<PlayerLimit>,
    /// The exclusion in force.
    exclusion: Option<Exclusion>,
    /// The interval of the reality check in minutes; null if it is off.
    #[schema(example = 60)]
    reality_check_minutes: Option<i64>,
}

/// Dollars, or whole minutes of session time.
fn value_text(kind: LimitKind, value: i64) -> String {
    match kind {
        LimitKind::SessionTime => value.to_string(),
        LimitKind::Deposit | LimitKind::Loss | LimitKind::Stake => {
            Money::from_cents(value).to_string()
        }
    }
}

impl From<LimitUsage> for PlayerLimit {
    fn from(usage: LimitUsage) -> Self {
        let limit = usage.limit;
        let text = |value| value_text(limit.kind, value);
        Self {
            kind: limit.kind.into(),
            period: limit.period.into(),
            value: text(limit.value),
            used: text(usage.used),
            resets_at: iso(usage.resets_at),
            since: iso(limit.since),
            pending: limit.pending.map(|pending| PendingLimit {
                value: pending.value.map(text),
                requested_at: iso(pending.requested_at),
                confirmable_at: iso(pending.confirmable_at()),
                lapses_at: iso(pending.lapses_at()),
            }),
        }
    }
}

impl From<glasshouse_casino::limits::Limits> for LimitOverview {
    fn from(limits: glasshouse_casino::limits::Limits) -> Self {
        Self {
            limits: limits.limits.into_iter().map(PlayerLimit::from).collect(),
            exclusion: limits.exclusion.map(Exclusion::from),
            reality_check_minutes: limits.reality_check_minutes,
        }
    }
}

/// The limits that the player has set, with what is used of them, and the exclusion in force.
#[utoipa::path(tag = "limits", responses((status = 200, body = LimitOverview), PlayersOnly))]
#[get("/api/limits")]
pub(crate) async fn limit_list(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
) -> Result<web::Json<LimitOverview>, ApiError> {
    Ok(web::Json(
        read_limits(&application.house, user.id).await?.into(),
    ))
}

/// A change of a limit. Amounts are in US dollars, session time is in whole minutes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LimitChange {
    id: i64,
    kind: LimitKindName,
    period: LimitPeriodName,
    action: ChangeActionName,
    /// The limit in force before; null if there was none.
    #[schema(example = "100.00")]
    old_value: Option<String>,
    /// The limit that was set or requested; null if none. For a withdrawn request the limit that
    /// stays.
    #[schema(example = "50.00")]
    new_value: Option<String>,
    #[schema(format = "date-time")]
    at: String,
}

impl From<(i64, RecordedChange)> for LimitChange {
    fn from((id, change): (i64, RecordedChange)) -> Self {
        let text = |value| value_text(change.kind, value);
        Self {
            id,
            kind: change.kind.into(),
            period: change.period.into(),
            action: change.action.into(),
            old_value: change.old_value.map(text),
            new_value: change.new_value.map(text),
            at: iso(change.at),
        }
    }
}

/// The changes of the player's limits, newest first. If there may be more, the `Next-Cursor` header
/// contains the cursor of the next page.
#[utoipa::path(
    tag = "limits",
    params(PageParameters),
    responses(
        (status = 200, body = Vec<LimitChange>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/limits/changes")]
pub(crate) async fn limit_change_list(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<PageParameters>,
) -> Result<HttpResponse, ApiError> {
    let (limit, before) = parameters.into_inner().parse()?;
    let changes = read_limit_changes(&application.house, user.id, before, limit).await?;
    let listed: Vec<LimitChange> = changes.entries.into_iter().map(LimitChange::from).collect();
    Ok(page(&listed, changes.next))
}

/// The new value of a limit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLimit {
    /// US dollars with at most two decimals, or whole minutes of session time; null removes the limit.
    // Without a function of its own, an absent value would remove the limit as well.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    value: Option<AmountText>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AmountText>, D::Error> {
    Option::deserialize(deserializer)
}

type LimitPath = web::Path<(LimitKindName, LimitPeriodName)>;

/// Checks the rate limit of a change, and returns the limit that it is about.
fn requested(
    application: &Application,
    user: &User,
    path: LimitPath,
) -> Result<RequestedLimit, ApiError> {
    application.limits.check(Limit::PlayRules(user.id))?;
    let (kind, period) = path.into_inner();
    Ok(RequestedLimit {
        player: user.id,
        kind: kind.into(),
        period: period.into(),
    })
}

/// Sets, changes or removes a limit. A first limit and a lower one are in force at once. A higher one,
/// and a removal, are pending for a day and must then be confirmed within seven days. Returns the
/// player's limits.
#[utoipa::path(
    tag = "limits",
    params(
        ("kind" = inline(LimitKindName), Path, description = "What the limit bounds"),
        ("period" = inline(LimitPeriodName), Path, description = "The period of the limit"),
    ),
    responses(
        (status = 200, body = LimitOverview),
        Malformed,
        PlayersOnly,
        (status = 409, description = "There is no limit to remove", body = ErrorBody),
        RateLimited,
    )
)]
#[put("/api/limits/{kind}/{period}")]
pub(crate) async fn change_limit(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    path: LimitPath,
    Json(new): Json<NewLimit>,
) -> Result<web::Json<LimitOverview>, ApiError> {
    let requested = requested(&application, &user, path)?;
    let (kind, period) = (requested.kind, requested.period);
    let value = new
        .value
        .map(|amount| parse_limit_value(kind, period, amount.text()))
        .transpose()?;
    let limits = set_limit(&application.house, requested, value).await?;
    Ok(web::Json(limits.into()))
}

/// Confirms a pending raise or removal of a limit, at least a day after it was requested. Returns the
/// player's limits.
#[utoipa::path(
    tag = "limits",
    params(
        ("kind" = inline(LimitKindName), Path, description = "What the limit bounds"),
        ("period" = inline(LimitPeriodName), Path, description = "The period of the limit"),
    ),
    responses(
        (status = 200, body = LimitOverview),
        PlayersOnly,
        (status = 409, description = "No change is pending, or it cannot be confirmed yet", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/limits/{kind}/{period}/confirm")]
pub(crate) async fn confirm_limit(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    path: LimitPath,
) -> Result<web::Json<LimitOverview>, ApiError> {
    let requested = requested(&application, &user, path)?;
    let limits = confirm_limit_change(&application.house, requested).await?;
    Ok(web::Json(limits.into()))
}

/// Withdraws a pending raise or removal of a limit. Returns the player's limits.
#[utoipa::path(
    tag = "limits",
    params(
        ("kind" = inline(LimitKindName), Path, description = "What the limit bounds"),
        ("period" = inline(LimitPeriodName), Path, description = "The period of the limit"),
    ),
    responses(
        (status = 200, body = LimitOverview),
        PlayersOnly,
        (status = 409, description = "No change is pending", body = ErrorBody),
        RateLimited,
    )
)]
#[delete("/api/limits/{kind}/{period}/pending")]
pub(crate) async fn withdraw_limit(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    path: LimitPath,
) -> Result<web::Json<LimitOverview>, ApiError> {
    let requested = requested(&application, &user, path)?;
    let limits = withdraw_limit_change(&application.house, requested).await?;
    Ok(web::Json(limits.into()))
}
