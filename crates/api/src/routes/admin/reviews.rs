//! Payments that need manual review.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::administration::resolve_review;
use glasshouse_casino::{Refusal, ReviewEntry, ReviewQuery};
use glasshouse_domain::{DepositId, ReviewId, ReviewKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::context::{AdminContext, Reader};
use crate::routes::admin::lists::{List, respond};
use crate::routes::admin::{UserRef, cursor, limit};
use crate::session::ResolveReviews;
use crate::state::Application;
use crate::wire::cell::Cell;
use crate::wire::time::iso;

/// Why a payment needs review.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ReviewKind)]
pub(crate) enum Kind {
    Mismatch,
    Orphan,
    Overpaid,
    WrongAsset,
    LatePayment,
    Unclear,
    ReturnedAfterCredit,
    CreditedToAnother,
    CreditedTooMuch,
    Unfetchable,
}

impl From<ReviewKind> for Kind {
    fn from(kind: ReviewKind) -> Self {
        match kind {
            ReviewKind::Mismatch => Self::Mismatch,
            ReviewKind::Orphan => Self::Orphan,
            ReviewKind::Overpaid => Self::Overpaid,
            ReviewKind::WrongAsset => Self::WrongAsset,
            ReviewKind::LatePayment => Self::LatePayment,
            ReviewKind::Unclear => Self::Unclear,
            ReviewKind::ReturnedAfterCredit => Self::ReturnedAfterCredit,
            ReviewKind::CreditedToAnother => Self::CreditedToAnother,
            ReviewKind::CreditedTooMuch => Self::CreditedTooMuch,
            ReviewKind::Unfetchable => Self::Unfetchable,
        }
    }
}

impl From<Kind> for ReviewKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Mismatch => Self::Mismatch,
            Kind::Orphan => Self::Orphan,
            Kind::Overpaid => Self::Overpaid,
            Kind::WrongAsset => Self::WrongAsset,
            Kind::LatePayment => Self::LatePayment,
            Kind::Unclear => Self::Unclear,
            Kind::ReturnedAfterCredit => Self::ReturnedAfterCredit,
            Kind::CreditedToAnother => Self::CreditedToAnother,
            Kind::CreditedTooMuch => Self::CreditedTooMuch,
            Kind::Unfetchable => Self::Unfetchable,
        }
    }
}

/// An issue with a payment that needs manual review.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Review {
    id: i64,
    payment_id: String,
    deposit_id: Option<i64>,
    user_id: Option<i64>,
    username: Option<String>,
    kind: Kind,
    /// The amount in question in US dollars, if known.
    #[schema(example = "12.00")]
    amount: Option<String>,
    details: String,
    payment_status: Option<String>,
    pay_currency: Option<String>,
    actually_paid: Option<String>,
    #[schema(format = "date-time")]
    opened_at: String,
    #[schema(format = "date-time")]
    resolved_at: Option<String>,
    /// Null while the review is open, and if it was resolved automatically.
    resolved_by: Option<UserRef>,
    resolution: Option<String>,
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
            kind: entry.kind.into(),
            amount: entry.amount.map(|amount| amount.to_string()),
            details: entry.details,
            payment_status: entry.payment_status,
            pay_currency: entry.pay_currency,
            actually_paid: entry.actually_paid,
            opened_at: iso(entry.opened_at),
            resolved_at: entry.resolved_at.map(iso),
            resolved_by: entry.resolved_by.map(UserRef::from),
            resolution: entry.resolution,
        }
    }
}

/// Filters the reviews and selects a page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReviewParameters {
    /// Only open reviews (the default) or only resolved ones.
    open: Option<bool>,
    /// Only reviews of this kind.
    #[param(inline)]
    kind: Option<Kind>,
    /// The page size, from 1 to 200; the default is 100.
    limit: Option<usize>,
    /// The `Next-Cursor` of the previous page.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl TryFrom<ReviewParameters> for ReviewQuery {
    type Error = ApiError;

    fn try_from(parameters: ReviewParameters) -> Result<Self, ApiError> {
        Ok(Self {
            is_open: Some(parameters.open.unwrap_or(true)),
            kind: parameters.kind.map(Into::into),
            before: cursor(parameters.cursor)?,
            limit: limit(parameters.limit)?,
        })
    }
}

/// A row of the CSV export.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReviewRow {
    id: i64,
    payment_id: Cell,
    deposit_id: Option<i64>,
    user_id: Option<i64>,
    username: Option<Cell>,
    kind: Option<Kind>,
    amount: Option<Cell>,
    details: Cell,
    payment_status: Option<Cell>,
    pay_currency: Option<Cell>,
    actually_paid: Option<Cell>,
    opened_at: Cell,
    resolved_at: Option<Cell>,
    resolved_by: Option<Cell>,
    resolution: Option<Cell>,
}

impl From<Review> for ReviewRow {
    fn from(entry: Review) -> Self {
        Self {
            id: entry.id,
            payment_id: entry.payment_id.into(),
            deposit_id: entry.deposit_id,
            user_id: entry.user_id,
            username: entry.username.map(Cell::from),
            kind: Some(entry.kind),
            amount: entry.amount.map(Cell::from),
            details: entry.details.into(),
            payment_status: entry.payment_status.map(Cell::from),
            pay_currency: entry.pay_currency.map(Cell::from),
            actually_paid: entry.actually_paid.map(Cell::from),
            opened_at: entry.opened_at.into(),
            resolved_at: entry.resolved_at.map(Cell::from),
            resolved_by: entry.resolved_by.map(|by| by.username.into()),
            resolution: entry.resolution.map(Cell::from),
        }
    }
}

impl List for Review {
    const NAME: &'static str = "reviews";
    type Parameters = ReviewParameters;
    type Query = ReviewQuery;
    type Row = ReviewRow;

    fn cursor(cursor: ReviewId) -> String {
        cursor.to_string()
    }

    fn person(&self) -> Option<i64> {
        self.user_id
    }

    fn register(endpoints: &mut Endpoints<'_>) {
        endpoints.service(review_list);
    }
}

/// Payments that need manual review, newest first. If there may be more, the `Next-Cursor` header
/// contains the cursor of the next page.
#[utoipa::path(
    tag = "administration",
    params(ReviewParameters),
    responses(
        (status = 200, body = Vec<Review>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/reviews")]
pub(crate) async fn review_list(
    application: web::Data<Application>,
    reader: Reader,
    parameters: web::Query<ReviewParameters>,
) -> Result<HttpResponse, ApiError> {
    respond::<Review>(&application.house, reader, parameters).await
}

/// The resolution of a review.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewResolution {
    /// What was found and done. At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    resolution: String,
}

/// Resolves a review. This moves no money; crediting a payment is a separate request.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("resolve_reviews"))),
    params(
        ("reviewId" = i64, Path),
        Idempotency
    ),
    responses(
        (status = 200, body = Review),
        Malformed,
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "The review was already resolved", body = ErrorBody),
    )
)]
#[post("/api/admin/reviews/{reviewId}/resolve")]
pub(crate) async fn resolve(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<ResolveReviews>,
    path: web::Path<String>,
    Json(body): Json<ReviewResolution>,
) -> Result<web::Json<Review>, ApiError> {
    let id: ReviewId = path.parse().map_err(|_| Refusal::NotFound)?;
    let entry = resolve_review(&application.house, context, id, &body.resolution).await?;
    Ok(web::Json(entry.into()))
}
