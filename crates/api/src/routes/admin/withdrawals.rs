//! Withdrawals: the list and the decisions.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::administration::{Decision, decide_withdrawal};
use glasshouse_casino::{Refusal, WithdrawalEntry, WithdrawalQuery};
use glasshouse_domain::WithdrawalId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::pagination::parse_search as search;
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::context::AdminContext;
use crate::routes::admin::csv::Cell;
use crate::routes::admin::lists::{List, answer};
use crate::routes::admin::{UserRef, cursor, limit};
use crate::routes::wallet::withdrawals::WithdrawalState;
use crate::session::Administrator;
use crate::state::Application;
use crate::wire::time::iso;

/// A withdrawal as administrators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminWithdrawal {
    pub(in crate::routes) id: i64,
    pub(in crate::routes) user_id: i64,
    pub(in crate::routes) user: UserRef,
    #[schema(example = "25.00")]
    pub(in crate::routes) amount: String,
    #[schema(example = "0.25")]
    pub(in crate::routes) fee: String,
    /// What is to be sent.
    #[schema(example = "24.75")]
    pub(in crate::routes) net_amount: String,
    #[schema(example = "btc")]
    pub(in crate::routes) currency: &'static str,
    pub(in crate::routes) wallet_address: String,
    pub(in crate::routes) status: WithdrawalState,
    /// Why it was rejected.
    pub(in crate::routes) reason: Option<String>,
    #[schema(format = "date-time")]
    pub(in crate::routes) created_at: String,
    #[schema(format = "date-time")]
    pub(in crate::routes) decided_at: Option<String>,
    pub(in crate::routes) decided_by: Option<UserRef>,
}

impl From<WithdrawalEntry> for AdminWithdrawal {
    fn from(entry: WithdrawalEntry) -> Self {
        let withdrawal = entry.withdrawal;
        Self {
            id: withdrawal.id.get(),
            user_id: withdrawal.player.get(),
            user: entry.player.into(),
            amount: withdrawal.amount.to_string(),
            fee: withdrawal.fee.to_string(),
            net_amount: withdrawal.net().to_string(),
            currency: withdrawal.currency.code(),
            wallet_address: withdrawal.address,
            status: withdrawal.status.into(),
            reason: withdrawal.reason,
            created_at: iso(withdrawal.created_at),
            decided_at: withdrawal.decided_at.map(iso),
            decided_by: entry.decided_by.map(UserRef::from),
        }
    }
}

/// Which withdrawals.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WithdrawalParameters {
    /// Only those in this state.
    #[param(inline)]
    status: Option<WithdrawalState>,
    /// A part of the username or of the address, or an id.
    search: Option<String>,
    /// From 1 to 200; 100 if not given.
    limit: Option<usize>,
    /// The `Next-Cursor` of the page before.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl TryFrom<WithdrawalParameters> for WithdrawalQuery {
    type Error = ApiError;

    fn try_from(wanted: WithdrawalParameters) -> Result<Self, ApiError> {
        Ok(Self {
            status: wanted.status.map(Into::into),
            search: search(wanted.search)?,
            before: cursor(wanted.cursor)?,
            limit: limit(wanted.limit)?,
        })
    }
}

/// A row of their CSV.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WithdrawalRow {
    id: i64,
    user_id: i64,
    username: Cell,
    amount: Cell,
    fee: Cell,
    net_amount: Cell,
    currency: Cell,
    wallet_address: Cell,
    status: Option<WithdrawalState>,
    reason: Option<Cell>,
    created_at: Cell,
    decided_at: Option<Cell>,
    decided_by: Option<Cell>,
}

impl From<AdminWithdrawal> for WithdrawalRow {
    fn from(entry: AdminWithdrawal) -> Self {
        Self {
            id: entry.id,
            user_id: entry.user_id,
            username: entry.user.username.into(),
            amount: entry.amount.into(),
            fee: entry.fee.into(),
            net_amount: entry.net_amount.into(),
            currency: entry.currency.into(),
            wallet_address: entry.wallet_address.into(),
            status: Some(entry.status),
            reason: entry.reason.map(Cell::from),
            created_at: entry.created_at.into(),
            decided_at: entry.decided_at.map(Cell::from),
            decided_by: entry.decided_by.map(|by| by.username.into()),
        }
    }
}

impl List for AdminWithdrawal {
    const NAME: &'static str = "withdraw-requests";
    type Parameters = WithdrawalParameters;
    type Query = WithdrawalQuery;
    type Row = WithdrawalRow;

    fn cursor(place: WithdrawalId) -> String {
        place.to_string()
    }

    fn register(config: &mut ServiceConfig<'_>) {
        config.service(all_withdrawals);
    }
}

/// All withdrawals, newest first. Where there may be more, the header `Next-Cursor` says where to
/// go on.
#[utoipa::path(
    tag = "administration",
    params(WithdrawalParameters),
    responses(
        (status = 200, body = Vec<AdminWithdrawal>,
            headers(("Next-Cursor" = Option<String>, description = "where to go on"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/withdraw-requests")]
pub(crate) async fn all_withdrawals(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<WithdrawalParameters>,
) -> Result<HttpResponse, ApiError> {
    answer::<AdminWithdrawal>(&application.house, parameters).await
}

/// What can be decided.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WithdrawalAction {
    Approve,
    Reject,
}

/// A decision on a withdrawal.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WithdrawalDecision {
    action: WithdrawalAction,
    /// Why; for a rejection. At most 500 characters.
    #[schema(max_length = 500)]
    reason: Option<String>,
}

/// Decides on a withdrawal, once. A rejected one gives its whole amount back.
#[utoipa::path(
    tag = "administration",
    params(
        ("requestId" = i64, Path),
        Idempotency
    ),
    responses(
        (status = 200, body = AdminWithdrawal),
        (status = 400, description = "No reason", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, one's own, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "It was decided before", body = ErrorBody),
    )
)]
#[post("/api/admin/withdraw-requests/{requestId}/process")]
pub(crate) async fn process_withdrawal(
    application: web::Data<Application>,
    AdminContext(context): AdminContext,
    path: web::Path<String>,
    Json(body): Json<WithdrawalDecision>,
) -> Result<web::Json<AdminWithdrawal>, ApiError> {
    let id: WithdrawalId = path.parse().map_err(|_| Refusal::NotFound)?;
    let decision = match body.action {
        WithdrawalAction::Approve => Decision::Approve,
        WithdrawalAction::Reject => Decision::Reject(body.reason.unwrap_or_default()),
    };
    let entry = decide_withdrawal(&application.house, context, id, decision).await?;
    Ok(web::Json(entry.into()))
}
