//! The list of the payments that are not at their end.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::administration::order_id_of;
use glasshouse_casino::{ActivePayment, ActivePaymentQuery};
use glasshouse_domain::{Money, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::http::pagination::parse_cursor;
use crate::http::pagination::parse_search as search;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::csv::Cell;
use crate::routes::admin::limit;
use crate::routes::admin::lists::{List, answer};
use crate::routes::admin::payments::PaymentStanding;
use crate::session::Administrator;
use crate::state::Application;
use crate::wire::time::iso;

/// What a payment is called whose money has arrived.
const CONFIRMED_STATUSES: [&str; 2] = ["finished", "confirmed"];

/// A payment, or an invoice that no payment is known of.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaymentStatus {
    pub(in crate::routes) payment_id: String,
    /// payment or invoice.
    #[schema(example = "payment")]
    pub(in crate::routes) id_type: &'static str,
    pub(in crate::routes) order_id: Option<String>,
    /// The provider's word.
    #[schema(example = "waiting")]
    pub(in crate::routes) status: String,
    /// Whether anything of it was credited.
    pub(in crate::routes) is_processed: bool,
    /// Whether its money has arrived.
    pub(in crate::routes) is_confirmed: bool,
    pub(in crate::routes) user_id: Option<i64>,
    pub(in crate::routes) username: Option<String>,
    /// What was asked for, in dollars; 0.00 for an orphan.
    #[schema(example = "100.00")]
    pub(in crate::routes) amount: String,
    #[schema(example = "0.00")]
    pub(in crate::routes) credited_amount: String,
    #[schema(example = "btc")]
    pub(in crate::routes) currency: String,
    #[schema(format = "date-time")]
    pub(in crate::routes) last_checked: String,
    pub(in crate::routes) standing: PaymentStanding,
    /// The kinds of its open reviews.
    pub(in crate::routes) reviews: Vec<String>,
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

/// Which payments.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PaymentParameters {
    /// Only those that stand like this.
    #[param(inline)]
    standing: Option<PaymentStanding>,
    /// A part of the payment's, order's or invoice's id.
    search: Option<String>,
    /// From 1 to 200; 100 if not given.
    limit: Option<usize>,
    /// The `Next-Cursor` of the page before.
    #[param(pattern = "^[0-9]{1,18}-[A-Za-z0-9_-]{1,64}$")]
    cursor: Option<String>,
}

impl TryFrom<PaymentParameters> for ActivePaymentQuery {
    type Error = ApiError;

    fn try_from(wanted: PaymentParameters) -> Result<Self, ApiError> {
        Ok(Self {
            match_status: wanted.standing.map(Into::into),
            search: search(wanted.search)?,
            before: parse_cursor(wanted.cursor, parse_place)?,
            limit: limit(wanted.limit)?,
        })
    }
}

fn parse_place(text: &str) -> Option<(Timestamp, String)> {
    let (micros, id) = text.split_once('-')?;
    let is_sound = !id.contains(char::is_control);
    let at = Timestamp::from_micros(micros.parse().ok()?);
    Some((at, id.to_owned())).filter(|_| is_sound)
}

/// A row of their CSV.
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

    fn register(config: &mut ServiceConfig<'_>) {
        config.service(payment_statuses);
    }
}

/// The payments that are not at their end or that somebody must look at, and the invoices that
/// nobody has paid; what changed last first. Where there may be more, the header `Next-Cursor` says
/// where to go on.
#[utoipa::path(
    tag = "administration",
    params(PaymentParameters),
    responses(
        (status = 200, body = Vec<PaymentStatus>,
            headers(("Next-Cursor" = Option<String>, description = "where to go on"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/payment-statuses")]
pub(crate) async fn payment_statuses(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<PaymentParameters>,
) -> Result<HttpResponse, ApiError> {
    answer::<PaymentStatus>(&application.house, parameters).await
}
