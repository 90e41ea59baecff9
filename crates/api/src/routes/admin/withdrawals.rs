//! Withdrawals: the list and the decisions.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::administration::{Decision, decide_withdrawal};
use glasshouse_casino::{
    Refusal, WithdrawalEntry, WithdrawalOrder, WithdrawalPlace, WithdrawalQuery,
};
use glasshouse_domain::WithdrawalId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::filters::{parse_amounts, parse_period};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::pagination::{parse_cursor, parse_search as search};
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::context::{AdminContext, Reader};
use crate::routes::admin::lists::{List, respond};
use crate::routes::admin::payouts::{AdminPayout, PlayerTotals, WithdrawalRisk};
use crate::routes::admin::proposal_view::{Proposal, done_or_proposed};
use crate::routes::admin::{UserRef, limit};
use crate::routes::wallet::withdrawals::{DelayReasonName, WithdrawalState, delay_parts};
use crate::session::DecideWithdrawals;
use crate::state::Application;
use crate::wire::cell::Cell;
use crate::wire::payout::PayoutState;
use crate::wire::time::iso;

/// A withdrawal as administrators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminWithdrawal {
    id: i64,
    user_id: i64,
    user: UserRef,
    #[schema(example = "25.00")]
    amount: String,
    #[schema(example = "0.25")]
    fee: String,
    /// The amount to send: the amount less the fee.
    #[schema(example = "24.75")]
    net_amount: String,
    #[schema(example = "btc")]
    currency: &'static str,
    wallet_address: String,
    status: WithdrawalState,
    /// The reason for the rejection.
    reason: Option<String>,
    #[schema(format = "date-time")]
    created_at: String,
    /// When it was decided, or cancelled by the player.
    #[schema(format = "date-time")]
    decided_at: Option<String>,
    decided_by: Option<UserRef>,
    /// Before when it cannot be approved; null if it is not delayed.
    #[schema(format = "date-time")]
    payable_from: Option<String>,
    delay_reasons: Vec<DelayReasonName>,
    risk: WithdrawalRisk,
    /// What the player has moved so far; null unless the withdrawal is pending.
    player_totals: Option<PlayerTotals>,
    /// The payment, once the withdrawal was approved.
    payout: Option<AdminPayout>,
}

impl From<WithdrawalEntry> for AdminWithdrawal {
    fn from(entry: WithdrawalEntry) -> Self {
        let withdrawal = entry.withdrawal;
        let (payable_from, delay_reasons) = delay_parts(withdrawal.delay.as_ref());
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
            payable_from,
            delay_reasons,
            risk: withdrawal.risk.into(),
            player_totals: entry.totals.map(PlayerTotals::from),
            payout: entry
                .payout
                .map(|payout| AdminPayout::new(payout, withdrawal.currency)),
        }
    }
}

/// The order of the list.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WithdrawalSort {
    Newest,
    Oldest,
    /// Most points of risk first.
    Risk,
    /// Largest first.
    Amount,
}

impl From<WithdrawalSort> for WithdrawalOrder {
    fn from(sort: WithdrawalSort) -> Self {
        match sort {
            WithdrawalSort::Newest => Self::Newest,
            WithdrawalSort::Oldest => Self::Oldest,
            WithdrawalSort::Risk => Self::Risk,
            WithdrawalSort::Amount => Self::Amount,
        }
    }
}

/// Parses a cursor: a withdrawal's ID, with the sort key if the order has one.
fn parse_place(text: &str) -> Option<(WithdrawalId, Option<i64>)> {
    match text.split_once('-') {
        None => Some((text.parse().ok()?, None)),
        Some((id, sort_key)) => Some((id.parse().ok()?, Some(sort_key.parse().ok()?))),
    }
}

/// Filters the withdrawals and selects a page.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WithdrawalParameters {
    /// Only withdrawals with this status.
    #[param(inline)]
    status: Option<WithdrawalState>,
    /// Only withdrawals whose payment is in this state.
    #[param(inline)]
    payout: Option<PayoutState>,
    /// The order; newest first by default. By risk or amount, only pending withdrawals are listed.
    #[param(inline)]
    sort: Option<WithdrawalSort>,
    /// Part of the username or the address, or a withdrawal's ID.
    search: Option<String>,
    /// Only withdrawals that were requested from this time on, such as `2026-11-26T12:00:00Z`.
    #[param(format = "date-time")]
    from: Option<String>,
    /// Only withdrawals that were requested before this time.
    #[param(format = "date-time")]
    to: Option<String>,
    /// Only withdrawals of at least this amount, in dollars.
    #[param(example = "25.00")]
    min_amount: Option<String>,
    /// Only withdrawals of at most this amount, in dollars.
    #[param(example = "100.00")]
    max_amount: Option<String>,
    /// The page size, from 1 to 200; the default is 100.
    limit: Option<usize>,
    /// The `Next-Cursor` of the previous page.
    #[param(pattern = "^[1-9][0-9]{0,17}(-[0-9]{1,18})?$")]
    cursor: Option<String>,
}

impl TryFrom<WithdrawalParameters> for WithdrawalQuery {
    type Error = ApiError;

    fn try_from(parameters: WithdrawalParameters) -> Result<Self, ApiError> {
        let order = parameters
            .sort
            .map(WithdrawalOrder::from)
            .unwrap_or_default();
        let after = parse_cursor(parameters.cursor, parse_place)?;
        let has_sort_key = matches!(order, WithdrawalOrder::Risk | WithdrawalOrder::Amount);
        if after.is_some_and(|(_, sort_key)| sort_key.is_some() != has_sort_key) {
            return Err(ApiError::CursorOfAnotherOrder);
        }
        Ok(Self {
            status: parameters.status.map(Into::into),
            payout: parameters.payout.map(Into::into),
            search: search(parameters.search)?,
            period: parse_period(parameters.from, parameters.to)?,
            amounts: parse_amounts(parameters.min_amount, parameters.max_amount)?,
            order,
            after: after.map(|(id, sort_key)| WithdrawalPlace { id, sort_key }),
            limit: limit(parameters.limit)?,
        })
    }
}

/// A row of the CSV export.
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
    payable_from: Option<Cell>,
    risk_points: i64,
    payout: Option<PayoutState>,
    coin_amount: Option<Cell>,
    network_fee: Option<Cell>,
    transaction_id: Option<Cell>,
}

impl From<AdminWithdrawal> for WithdrawalRow {
    fn from(entry: AdminWithdrawal) -> Self {
        let payout = entry.payout.map(AdminPayout::into_cells);
        let (payout, [coin_amount, network_fee, transaction_id]) = match payout {
            Some((state, cells)) => (Some(state), cells),
            None => (None, [None, None, None]),
        };
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
            payable_from: entry.payable_from.map(Cell::from),
            risk_points: entry.risk.points,
            payout,
            coin_amount,
            network_fee,
            transaction_id,
        }
    }
}

impl List for AdminWithdrawal {
    const NAME: &'static str = "withdraw-requests";
    type Parameters = WithdrawalParameters;
    type Query = WithdrawalQuery;
    type Row = WithdrawalRow;

    fn cursor(cursor: WithdrawalPlace) -> String {
        match cursor.sort_key {
            None => cursor.id.to_string(),
            Some(sort_key) => format!("{}-{sort_key}", cursor.id),
        }
    }

    fn person(&self) -> Option<i64> {
        Some(self.user_id)
    }

    fn register(endpoints: &mut Endpoints<'_>) {
        endpoints.service(all_withdrawals);
    }
}

/// All withdrawals, newest first. If there may be more, the `Next-Cursor` header contains the
/// cursor of the next page.
#[utoipa::path(
    tag = "administration",
    params(WithdrawalParameters),
    responses(
        (status = 200, body = Vec<AdminWithdrawal>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/withdraw-requests")]
pub(crate) async fn all_withdrawals(
    application: web::Data<Application>,
    reader: Reader,
    parameters: web::Query<WithdrawalParameters>,
) -> Result<HttpResponse, ApiError> {
    respond::<AdminWithdrawal>(&application.house, reader, parameters).await
}

/// The possible decisions.
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
    /// The reason for a rejection. At most 500 characters.
    #[schema(max_length = 500)]
    reason: Option<String>,
    /// Whether to propose an approval to another administrator if it needs a second person; otherwise it is
    /// then refused.
    #[serde(default)]
    propose: bool,
}

/// Approves or rejects a withdrawal, once. An approval that exceeds a threshold needs a second person.
/// Rejecting returns the whole amount to the balance. A delayed
/// withdrawal cannot be approved before `payableFrom`.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("decide_withdrawals"))),
    params(
        ("requestId" = i64, Path),
        Idempotency
    ),
    responses(
        (status = 200, body = AdminWithdrawal),
        (status = 202, description = "It was proposed to a second person", body = Proposal),
        (status = 400, description = "The request is malformed or the reason is too long", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, the administrator's own withdrawal, a second person is needed, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "The withdrawal was already decided or cancelled, it is \
            delayed, there is no second person, or the same is proposed already", body = ErrorBody),
    )
)]
#[post("/api/admin/withdraw-requests/{requestId}/process")]
pub(crate) async fn process_withdrawal(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<DecideWithdrawals>,
    path: web::Path<String>,
    Json(body): Json<WithdrawalDecision>,
) -> Result<HttpResponse, ApiError> {
    let id: WithdrawalId = path.parse().map_err(|_| Refusal::NotFound)?;
    let decision = match body.action {
        WithdrawalAction::Approve => Decision::Approve {
            may_propose: body.propose,
        },
        WithdrawalAction::Reject => Decision::Reject(body.reason.unwrap_or_default()),
    };
    let administrator = context.administrator;
    let outcome = decide_withdrawal(&application.house, context, id, decision).await?;
    done_or_proposed::<_, AdminWithdrawal>(&application, administrator, outcome).await
}
