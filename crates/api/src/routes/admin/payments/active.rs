//! The list of payments in progress.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::administration::order_id_of;
use glasshouse_casino::{ActivePayment, ActivePaymentQuery};
use glasshouse_domain::{Money, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::endpoints::Endpoints;
use crate::error::ApiError;
use crate::http::pagination::parse_cursor;
use crate::http::pagination::parse_search as search;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::context::Reader;
use crate::routes::admin::limit;
use crate::routes::admin::lists::{List, respond};
use crate::routes::admin::payments::PaymentStanding;
use crate::state::Application;
use crate::wire::cell::Cell;
use crate::wire::time::iso;

/// The provider's statuses of payments whose money has arrived.
const CONFIRMED_STATUSES: [&str; 2] = ["finished", "confirmed"];

/// A payment, or an invoice without a known payment.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaymentStatus {
    payment_id: String,
    /// `payment` or `invoice`.
    #[schema(example = "payment")]
    id_type: &'static str,
    order_id: Option<String>,
    /// The provider's status.
    #[schema(example = "waiting")]
    status: String,
    /// Whether any of it was credited.
    is_processed: bool,
    /// Whether the money has arrived.
    is_confirmed: bool,
    user_id: Option<i64>,
    username: Option<String>,
    /// The requested amount in US dollars; 0.00 for an unmatched payment.
    #[schema(example = "100.00")]
    amount: String,
    #[schema(example = "0.00")]
    credited_amount: String,
    #[schema(example = "btc")]
    currency: String,
    #[schema(format = "date-time")]
    last_checked: String,
    standing: PaymentStanding,
    /// The kinds of its open reviews.
    reviews: Vec<String>,
}

impl From<ActivePayment> for PaymentStatus {
    fn from(payment: ActivePayment) -> Self {
        let order_id = order_id_of(&payment);
        let reviews = payment.reviews.unwrap_or_default();
        let mut reviews: Vec<String> = reviews
            .split(',')
            .filter(|kind| !kind.is_empty())
            .map(str::to_owned)
            .collect();
        reviews.sort_unstable();
        Self {
            payment_id: payment.id,
            id_type: if payment.is_invoice {
                "invoice"
            } else {
                "payment"
            },
            order_id,
            is_processed: payment.credited.is_positive(),
            is_confirmed: CONFIRMED_STATUSES.contains(&payment.status.as_str()),
            status: payment.status,
            user_id: payment.player.map(UserId::get),
            username: payment.username,
            amount: payment.price.unwrap_or(Money::ZERO).to_string(),
            credited_amount: payment.credited.to_string(),
            currency: payment.currency,
            last_checked: iso(payment.checked_at),
            standing: payment.match_status.into(),
            reviews,
        }
    }
}

/// Filters the payments and selects a page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PaymentParameters {
    /// Only payments with this standing.
    #[param(inline)]
    standing: Option<PaymentStanding>,
    /// Part of the payment's, order's or invoice's ID.
    search: Option<String>,
    /// The page size, from 1 to 200; the default is 100.
    limit: Option<usize>,
    /// The `Next-Cursor` of the previous page.
    #[param(pattern = "^[0-9]{1,18}-[A-Za-z0-9_-]{1,64}$")]
    cursor: Option<String>,
}

impl TryFrom<PaymentParameters> for ActivePaymentQuery {
    type Error = ApiError;

    fn try_from(parameters: PaymentParameters) -> Result<Self, ApiError> {
        Ok(Self {
            match_status: parameters.standing.map(Into::into),
            search: search(parameters.search)?,
            before: parse_cursor(parameters.cursor, parse_payment_cursor)?,
            limit: limit(parameters.limit)?,
        })
    }
}

fn parse_payment_cursor(text: &str) -> Option<(Timestamp, String)> {
    let (micros, id) = text.split_once('-')?;
    let is_plain = !id.contains(char::is_control);
    let at = Timestamp::from_micros(micros.parse().ok()?);
    Some((at, id.to_owned())).filter(|_| is_plain)
}

/// A row of the CSV export.
#[derive(Default, Serialize)]
pub(crate) struct PaymentRow {
    payment_id: Cell,
    id_type: Cell,
    order_id: Option<Cell>,
    status: Cell,
    is_processed: bool,
    is_confirmed: bool,
    user_id: Option<i64>,
    username: Option<Cell>,
    amount: Cell,
    credited_amount: Cell,
    currency: Cell,
    last_checked: Cell,
    standing: Option<PaymentStanding>,
    reviews: Cell,
}

impl From<PaymentStatus> for PaymentRow {
    fn from(entry: PaymentStatus) -> Self {
        Self {
            payment_id: entry.payment_id.into(),
            id_type: entry.id_type.into(),
            order_id: entry.order_id.map(Cell::from),
            status: entry.status.into(),
            is_processed: entry.is_processed,
            is_confirmed: entry.is_confirmed,
            user_id: entry.user_id,
            username: entry.username.map(Cell::from),
            amount: entry.amount.into(),
            credited_amount: entry.credited_amount.into(),
            currency: entry.currency.into(),
            last_checked: entry.last_checked.into(),
            standing: Some(entry.standing),
            reviews: entry.reviews.join(" ").into(),
        }
    }
}

impl List for PaymentStatus {
    const NAME: &'static str = "payment-statuses";
    type Parameters = PaymentParameters;
    type Query = ActivePaymentQuery;
    type Row = PaymentRow;

    fn cursor((at, id): (Timestamp, String)) -> String {
        format!("{}-{id}", at.as_micros())
    }

    fn person(&self) -> Option<i64> {
        self.user_id
    }

    fn register(endpoints: &mut Endpoints<'_>) {
        endpoints.service(payment_statuses);
    }
}

/// The payments that are in progress or need manual review, and unpaid invoices, the most recently
/// changed first. If there may be more, the `Next-Cursor` header contains the cursor of the next
/// page.
#[utoipa::path(
    tag = "administration",
    params(PaymentParameters),
    responses(
        (status = 200, body = Vec<PaymentStatus>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/payment-statuses")]
pub(crate) async fn payment_statuses(
    application: web::Data<Application>,
    reader: Reader,
    parameters: web::Query<PaymentParameters>,
) -> Result<HttpResponse, ApiError> {
    respond::<PaymentStatus>(&application.house, reader, parameters).await
}
