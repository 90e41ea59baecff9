//! Withdrawals: requesting one, and listing requests.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::Withdrawal as WithdrawalView;
use glasshouse_casino::money::{WithdrawalRequest, read_withdrawals, request_withdrawal};
use glasshouse_domain::{Wallet, WithdrawalStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::pagination::{PageParameters, page};
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::currency::CurrencyText;
use crate::wire::money::{AmountText, PositiveAmount};
use crate::wire::time::iso;

/// A new withdrawal request.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CreateWithdrawal {
    /// The amount in US dollars, at least 20.00.
    #[schema(value_type = PositiveAmount, example = "25.00")]
    amount: Option<AmountText>,
    /// The code of a supported cryptocurrency.
    #[schema(value_type = CurrencyText)]
    currency: Option<CurrencyText>,
    /// A mainnet address of that currency.
    #[schema(value_type = String, max_length = 128)]
    wallet_address: Option<String>,
}

/// The status of a withdrawal request.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WithdrawalState {
    Pending,
    Approved,
    Rejected,
}

impl From<WithdrawalState> for WithdrawalStatus {
    fn from(state: WithdrawalState) -> Self {
        match state {
            WithdrawalState::Pending => Self::Pending,
            WithdrawalState::Approved => Self::Approved,
            WithdrawalState::Rejected => Self::Rejected,
        }
    }
}

impl From<WithdrawalStatus> for WithdrawalState {
    fn from(status: WithdrawalStatus) -> Self {
        match status {
            WithdrawalStatus::Pending => Self::Pending,
            WithdrawalStatus::Approved => Self::Approved,
            WithdrawalStatus::Rejected => Self::Rejected,
        }
    }
}

/// A withdrawal request.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Withdrawal {
    id: i64,
    user_id: i64,
    /// The amount debited from the balance, in US dollars.
    #[schema(example = "25.00")]
    amount: String,
    /// 1 % of the amount, rounded up to the cent.
    #[schema(example = "0.25")]
    fee: String,
    /// The amount sent to the address: the amount less the fee.
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
    #[schema(format = "date-time")]
    decided_at: Option<String>,
    /// The balance after the request; only in the response that creates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    new_balance: Option<String>,
    /// The amount that can now be withdrawn; only in the response that creates the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    available_to_withdraw: Option<String>,
}

impl Withdrawal {
    fn new(withdrawal: WithdrawalView, wallet: Option<Wallet>) -> Self {
        Self {
            id: withdrawal.id.get(),
            user_id: withdrawal.player.get(),
            amount: withdrawal.amount.to_string(),
            fee: withdrawal.fee.to_string(),
            net_amount: withdrawal.net().to_string(),
            currency: withdrawal.currency.code(),
            wallet_address: withdrawal.address,
            status: withdrawal.status.into(),
            reason: withdrawal.reason,
            created_at: iso(withdrawal.created_at),
            decided_at: withdrawal.decided_at.map(iso),
            new_balance: wallet.map(|wallet| wallet.balance().to_string()),
            available_to_withdraw: wallet.map(|wallet| wallet.available_to_withdraw().to_string()),
        }
    }
}

/// Requests a withdrawal. The amount is debited at once and held until the request is decided. The
/// request can be repeated safely with an `Idempotency-Key`.
#[utoipa::path(
    tag = "money",
    params(Idempotency),
    responses(
        (status = 201, body = Withdrawal),
        (status = 400, description = "Invalid amount or currency, or missing address", body = ErrorBody),
        PlayersOnly,
        (status = 409, description = "The key was used for a different request", body = ErrorBody),
        (status = 422, description = "The amount is below the minimum or above the maximum, the balance or the wagered amount", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/withdraw-requests")]
pub(crate) async fn new_withdrawal(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Idempotency(key): Idempotency,
    Json(body): Json<CreateWithdrawal>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::Transfer(user.id))?;
    let withdrawal_request = WithdrawalRequest::parse(
        body.amount.as_ref().map_or("", AmountText::text),
        body.currency.as_ref().map_or("", |code| &code.0),
        body.wallet_address.as_deref().unwrap_or_default(),
    )?
    .up_to(application.cashier.limits().maximum_withdrawal)?;
    let requested =
        request_withdrawal(&application.house, user.id, withdrawal_request, key).await?;
    let answer = Withdrawal::new(requested.withdrawal, Some(requested.wallet));
    Ok(HttpResponse::Created().json(answer))
}

/// The player's withdrawal requests, newest first. If there may be more, the `Next-Cursor` header
/// contains the cursor of the next page.
#[utoipa::path(
    tag = "money",
    params(PageParameters),
    responses(
        (status = 200, body = Vec<Withdrawal>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/withdraw-requests")]
pub(crate) async fn withdrawal_list(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<PageParameters>,
) -> Result<HttpResponse, ApiError> {
    let (limit, before) = parameters.into_inner().parse()?;
    let withdrawal_page = read_withdrawals(&application.house, user.id, before, limit).await?;
    let entries = withdrawal_page.withdrawals.into_iter();
    let withdrawals: Vec<_> = entries.map(|one| Withdrawal::new(one, None)).collect();
    Ok(page(&withdrawals, withdrawal_page.next))
}
