//! The list of all players' deposits.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::{DepositEntry, DepositQuery};
use glasshouse_domain::{DepositId, DepositStatus as Stage};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::endpoints::Endpoints;
use crate::error::ApiError;
use crate::http::filters::{parse_amounts, parse_period};
use crate::http::pagination::parse_search as search;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::context::Reader;
use crate::routes::admin::lists::{List, respond};
use crate::routes::admin::{UserRef, cursor, limit};
use crate::routes::wallet::deposits::DepositState;
use crate::state::Application;
use crate::wire::cell::Cell;
use crate::wire::time::iso;

/// A deposit as administrators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminDeposit {
    id: i64,
    user_id: i64,
    user: UserRef,
    #[schema(example = "100.00")]
    amount: String,
    #[schema(example = "50.00")]
    credited_amount: String,
    #[schema(example = "usdtsol")]
    currency: &'static str,
    order_id: String,
    invoice_id: Option<String>,
    status: DepositState,
    external_status: Option<String>,
    is_under_review: bool,
    #[schema(format = "date-time")]
    created_at: String,
    /// The provider's IDs of its payments.
    payment_ids: Vec<String>,
}

impl From<DepositEntry> for AdminDeposit {
    fn from(entry: DepositEntry) -> Self {
        let deposit = entry.deposit;
        Self {
            id: deposit.id.get(),
            user_id: deposit.player.get(),
            user: entry.player.into(),
            amount: deposit.price.to_string(),
            credited_amount: deposit.credited.to_string(),
            currency: deposit.currency.code(),
            order_id: deposit.order_id,
            invoice_id: deposit.invoice_id,
            status: deposit.status.into(),
            external_status: deposit.external_status,
            is_under_review: entry.is_under_review,
            created_at: iso(deposit.created_at),
            payment_ids: entry.payments,
        }
    }
}

/// Filters the deposits and selects a page.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DepositParameters {
    /// Only deposits with this status.
    #[param(inline)]
    status: Option<DepositState>,
    /// Part of the username, the order ID or the invoice ID, or a deposit's ID.
    search: Option<String>,
    /// Only deposits from this time on, such as `2026-11-26T12:00:00Z`.
    #[param(format = "date-time")]
    from: Option<String>,
    /// Only deposits before this time.
    #[param(format = "date-time")]
    to: Option<String>,
    /// Only deposits of at least this price, in dollars.
    #[param(example = "25.00")]
    min_amount: Option<String>,
    /// Only deposits of at most this price, in dollars.
    #[param(example = "100.00")]
    max_amount: Option<String>,
    /// The page size, from 1 to 200; the default is 100.
    limit: Option<usize>,
    /// The `Next-Cursor` of the previous page.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl TryFrom<DepositParameters> for DepositQuery {
    type Error = ApiError;

    fn try_from(parameters: DepositParameters) -> Result<Self, ApiError> {
        let statuses = parameters.status.map(|status| match status {
            DepositState::Pending => [Stage::Pending, Stage::Requested],
            DepositState::Completed => [Stage::Completed; 2],
            DepositState::Failed => [Stage::Failed; 2],
            DepositState::Expired => [Stage::Expired; 2],
        });
        Ok(Self {
            statuses,
            search: search(parameters.search)?,
            period: parse_period(parameters.from, parameters.to)?,
            amounts: parse_amounts(parameters.min_amount, parameters.max_amount)?,
            before: cursor(parameters.cursor)?,
            limit: limit(parameters.limit)?,
        })
    }
}

/// A row of the CSV export.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DepositRow {
    id: i64,
    user_id: i64,
    username: Cell,
    amount: Cell,
    credited_amount: Cell,
    currency: Cell,
    order_id: Cell,
    invoice_id: Option<Cell>,
    status: Option<DepositState>,
    external_status: Option<Cell>,
    is_under_review: bool,
    created_at: Cell,
}

impl From<AdminDeposit> for DepositRow {
    fn from(entry: AdminDeposit) -> Self {
        Self {
            id: entry.id,
            user_id: entry.user_id,
            username: entry.user.username.into(),
            amount: entry.amount.into(),
            credited_amount: entry.credited_amount.into(),
            currency: entry.currency.into(),
            order_id: entry.order_id.into(),
            invoice_id: entry.invoice_id.map(Cell::from),
            status: Some(entry.status),
            external_status: entry.external_status.map(Cell::from),
            is_under_review: entry.is_under_review,
            created_at: entry.created_at.into(),
        }
    }
}

impl List for AdminDeposit {
    const NAME: &'static str = "deposits";
    type Parameters = DepositParameters;
    type Query = DepositQuery;
    type Row = DepositRow;

    fn cursor(cursor: DepositId) -> String {
        cursor.to_string()
    }

    fn person(&self) -> Option<i64> {
        Some(self.user_id)
    }

    fn register(endpoints: &mut Endpoints<'_>) {
        endpoints.service(all_deposits);
    }
}

/// All deposits, newest first. If there may be more, the `Next-Cursor` header contains the cursor
/// of the next page.
#[utoipa::path(
    tag = "administration",
    params(DepositParameters),
    responses(
        (status = 200, body = Vec<AdminDeposit>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/deposits")]
pub(crate) async fn all_deposits(
    application: web::Data<Application>,
    reader: Reader,
    parameters: web::Query<DepositParameters>,
) -> Result<HttpResponse, ApiError> {
    respond::<AdminDeposit>(&application.house, reader, parameters).await
}
