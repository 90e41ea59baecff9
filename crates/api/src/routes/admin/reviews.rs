//! What about payments a person must look at.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use glasshouse_casino::{Refusal, ReviewEntry, ReviewQuery, list_reviews, resolve_review};
use glasshouse_domain::{DepositId, ReviewId, ReviewKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{NamedUser, acting, cursor, limit, word};
use crate::address::ClientAddress;
use crate::application::Application;
use crate::error::{ApiError, ErrorBody};
use crate::json::Json;
use crate::routes::page;
use crate::session::{Administrator, Confirmed};
use crate::time_wire::iso;

/// Something about a payment that a person must look at.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Review {
    pub(super) id: i64,
    pub(super) payment_id: String,
    pub(super) deposit_id: Option<i64>,
    pub(super) user_id: Option<i64>,
    pub(super) username: Option<String>,
    /// mismatch, orphan, overpaid, `wrong_asset`, `late_payment`, unclear,
    /// `returned_after_credit`, `credited_to_another`, `credited_too_much` or unfetchable.
    #[schema(example = "overpaid")]
    pub(super) kind: &'static str,
    /// The money in question, where it is known.
    #[schema(example = "12.00")]
    pub(super) amount: Option<String>,
    pub(super) details: String,
    pub(super) payment_status: Option<String>,
    pub(super) pay_currency: Option<String>,
    pub(super) actually_paid: Option<String>,
    #[schema(format = "date-time")]
    pub(super) opened_at: String,
    #[schema(format = "date-time")]
    pub(super) resolved_at: Option<String>,
    /// Null while it is open, and where it resolved itself.
    pub(super) resolved_by: Option<NamedUser>,
    pub(super) resolution: Option<String>,
}

impl From<ReviewEntry> for Review {
    fn from(entry: ReviewEntry) -> Self {
        let (user_id, username) = entry
            .player
            .map(|player| (player.id.get(), player.username))
            .unzip();
        Self {
            id: entry.id.get(),
            payment_id: entry.payment,
            deposit_id: entry.deposit.map(DepositId::get),
            user_id,
            username,
            kind: entry.kind.as_str(),
            amount: entry.amount.map(|amount| amount.to_string()),
            details: entry.details,
            payment_status: entry.payment_status,
            pay_currency: entry.pay_currency,
            actually_paid: entry.actually_paid,
            opened_at: iso(entry.opened_at),
            resolved_at: entry.resolved_at.map(iso),
            resolved_by: entry.resolved_by.map(NamedUser::from),
            resolution: entry.resolution,
        }
    }
}

/// Which reviews.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReviewParameters {
    /// Only open ones (the default), or only resolved ones.
    open: Option<bool>,
    /// Only those of this kind.
    kind: Option<String>,
    /// From 1 to 200; 100 if not given.
    limit: Option<usize>,
    /// The `Next-Cursor` of the page before.
    cursor: Option<String>,
}

impl ReviewParameters {
    pub(super) fn parse(self) -> Result<ReviewQuery, ApiError> {
        Ok(ReviewQuery {
            is_open: Some(self.open.unwrap_or(true)),
            kind: word(
                self.kind.as_deref(),
                ReviewKind::parse,
                "kind is not one of a review's",
            )?,
            before: cursor(self.cursor)?,
            limit: limit(self.limit)?,
        })
    }
}

/// What about payments a person must look at, newest first. Where there may be more, the header
/// `Next-Cursor` says where to go on.
#[utoipa::path(
    tag = "administration",
    params(ReviewParameters),
    responses(
        (status = 200, body = Vec<Review>,
            headers(("Next-Cursor" = Option<String>, description = "where to go on"))),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/admin/reviews")]
pub(crate) async fn review_list(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<ReviewParameters>,
) -> Result<HttpResponse, ApiError> {
    let query = parameters.into_inner().parse()?;
    let found = list_reviews(&application.house, query).await?;
    let reviews: Vec<_> = found.entries.into_iter().map(Review::from).collect();
    Ok(page(&reviews, found.next))
}

/// What came of looking.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewResolution {
    /// At most 500 characters.
    resolution: String,
}

/// Resolves a review. It moves no money: that is a call of its own.
#[utoipa::path(
    tag = "administration",
    params(
        ("reviewId" = i64, Path),
        ("Idempotency-Key" = Option<String>, Header, description = "1–64 letters, digits, _ and -")
    ),
    responses(
        (status = 200, body = Review),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, or the password must be entered again", body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "It was resolved before", body = ErrorBody),
    )
)]
#[post("/api/admin/reviews/{reviewId}/resolve")]
pub(crate) async fn resolve(
    application: web::Data<Application>,
    request: HttpRequest,
    Confirmed(administrator): Confirmed,
    address: ClientAddress,
    path: web::Path<String>,
    Json(body): Json<ReviewResolution>,
) -> Result<web::Json<Review>, ApiError> {
    let id: ReviewId = path.parse().map_err(|_| Refusal::NotFound)?;
    let acting = acting(administrator.id, &address, &request)?;
    let entry = resolve_review(&application.house, acting, id, &body.resolution).await?;
    Ok(web::Json(entry.into()))
}
