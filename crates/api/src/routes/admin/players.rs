//! One player: the figures, and everything that happened, on one timeline.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::administration::{
    PlayerOverview as Overview, TimelineQuery, kinds_shown_to, read_player, read_timeline,
};
use glasshouse_domain::{Permission, Role, TimelineKind, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::http::filters::parse_period;
use crate::http::pagination::{page, parse_cursor};
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::context::Reader;
use crate::routes::admin::limit;
use crate::routes::admin::payouts::PlayerTotals;
use crate::routes::admin::timeline::{TimelineEntry, TimelineKindName, parse_place, place_text};
use crate::routes::admin::users::AdminUser;
use crate::routes::limits::LimitOverview;
use crate::state::Application;
use crate::wire::time::iso;

/// The names in the audit log.
const OVERVIEW: &str = "player-overview";
const TIMELINE: &str = "player-timeline";

/// What sums up one player.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayerOverview {
    user: AdminUser,
    totals: PlayerTotals,
    /// The number of withdrawals that wait for a decision.
    pending_withdrawals: u64,
    /// Their amounts together, in dollars.
    #[schema(example = "25.00")]
    pending_withdrawal_amount: String,
    limits: LimitOverview,
    has_second_factor: bool,
    /// The last sign-in within a year; null if there is none, or without the permission to read security events.
    #[schema(format = "date-time")]
    last_sign_in_at: Option<String>,
}

impl PlayerOverview {
    fn shown_to(role: Role, overview: Overview) -> Self {
        let figures = overview.figures;
        let signed_in_at = figures
            .last_sign_in_at
            .filter(|_| role.may(Permission::ReadSecurityEvents));
        Self {
            has_second_factor: overview.entry.user.has_second_factor,
            user: overview.entry.into(),
            totals: figures.totals.into(),
            pending_withdrawals: figures.pending_withdrawals,
            pending_withdrawal_amount: figures.pending_amount.to_string(),
            limits: overview.limits.into(),
            last_sign_in_at: signed_in_at.map(iso),
        }
    }
}

/// What sums up one player: balance, totals, what waits for a decision, and the player's own limits.
#[utoipa::path(
    tag = "administration",
    params(("userId" = i64, Path)),
    responses(
        (status = 200, body = PlayerOverview),
        AdministratorsOnly,
        NotFound,
    )
)]
#[get("/api/admin/users/{userId}/overview")]
pub(crate) async fn player_overview(
    application: web::Data<Application>,
    reader: Reader,
    path: web::Path<String>,
) -> Result<web::Json<PlayerOverview>, ApiError> {
    let id: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    let found = read_player(&application.house, id).await?;
    let shown = PlayerOverview::shown_to(reader.administrator().role, found);
    reader
        .record(&application.house, OVERVIEW, Some(id))
        .await?;
    Ok(web::Json(shown))
}

/// Selects a page of a timeline.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TimelineParameters {
    /// Only this kind. Security events need the permission to read them, and are left out without it.
    #[param(inline)]
    kind: Option<TimelineKindName>,
    /// Only what happened from this time on, such as `2026-11-26T12:00:00Z`.
    #[param(format = "date-time")]
    from: Option<String>,
    /// Only what happened before this time.
    #[param(format = "date-time")]
    to: Option<String>,
    /// The page size, from 1 to 200; the default is 100.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
    /// The `Next-Cursor` header of the previous page.
    #[param(pattern = "^[0-9]{1,18}-[a-z]+-[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl TimelineParameters {
    fn query(self, player: UserId, role: Role) -> Result<TimelineQuery, ApiError> {
        let mut kinds = kinds_shown_to(role);
        if let Some(kind) = self.kind.map(TimelineKind::from) {
            kinds.retain(|shown| *shown == kind);
            if kinds.is_empty() {
                return Err(ApiError::RoleForbidden);
            }
        }
        Ok(TimelineQuery {
            player,
            kinds,
            period: parse_period(self.from, self.to)?,
            after: parse_cursor(self.cursor, parse_place)?,
            limit: limit(self.limit)?,
        })
    }
}

/// What happened with one player, newest first: rounds, deposits, withdrawals, other ledger entries, security
/// events, changes of limits, exclusions, and what the audit log has about the player. If there may be more, the
/// `Next-Cursor` header contains the cursor of the next page.
#[utoipa::path(
    tag = "administration",
    params(("userId" = i64, Path), TimelineParameters),
    responses(
        (status = 200, body = Vec<TimelineEntry>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
        NotFound,
    )
)]
#[get("/api/admin/users/{userId}/timeline")]
pub(crate) async fn player_timeline(
    application: web::Data<Application>,
    reader: Reader,
    path: web::Path<String>,
    parameters: web::Query<TimelineParameters>,
) -> Result<HttpResponse, ApiError> {
    let id: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    let query = parameters
        .into_inner()
        .query(id, reader.administrator().role)?;
    let found = read_timeline(&application.house, query).await?;
    reader
        .record(&application.house, TIMELINE, Some(id))
        .await?;
    let entries = found.entries.into_iter().map(TimelineEntry::from);
    let entries: Vec<TimelineEntry> = entries.collect();
    Ok(page(&entries, found.next.map(place_text)))
}
