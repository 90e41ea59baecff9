//! Withdrawals: requesting one, cancelling one, and listing requests.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::money::payouts::quote_withdrawal;
use glasshouse_casino::money::{
    WithdrawalRequest, cancel_withdrawal, read_withdrawal_delay, read_withdrawals,
    request_withdrawal,
};
use glasshouse_casino::{House, PaidWithdrawal, Refusal, Withdrawal as WithdrawalView};
use glasshouse_domain::{
    Currency, DelayReason, Money, Wallet, WithdrawalDelay, WithdrawalId, WithdrawalStatus,
    WithdrawalTerms,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::pagination::{PageParameters, page};
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, NotFound, PlayersOnly, RateLimited};
use crate::session::{ConfirmedIfProtected, SignedIn};
use crate::state::Application;
use crate::wire::currency::CurrencyText;
use crate::wire::money::{AmountText, PositiveAmount};
use crate::wire::payout::PayoutView;
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
    /// By the player.
    Cancelled,
}

impl From<WithdrawalState> for WithdrawalStatus {
    fn from(state: WithdrawalState) -> Self {
        match state {
            WithdrawalState::Pending => Self::Pending,
            WithdrawalState::Approved => Self::Approved,
            WithdrawalState::Rejected => Self::Rejected,
            WithdrawalState::Cancelled => Self::Cancelled,
        }
    }
}

impl From<WithdrawalStatus> for WithdrawalState {
    fn from(status: WithdrawalStatus) -> Self {
        match status {
            WithdrawalStatus::Pending => Self::Pending,
            WithdrawalStatus::Approved => Self::Approved,
            WithdrawalStatus::Rejected => Self::Rejected,
            WithdrawalStatus::Cancelled => Self::Cancelled,
        }
    }
}

/// What delays a withdrawal: a new address, or that the password or the second factor was changed
/// recently.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DelayReason)]
pub(crate) enum DelayReasonName {
    NewAddress,
    PasswordChanged,
    SecondFactorChanged,
}

impl From<DelayReason> for DelayReasonName {
    fn from(reason: DelayReason) -> Self {
        match reason {
            DelayReason::NewAddress => Self::NewAddress,
            DelayReason::PasswordChanged => Self::PasswordChanged,
            DelayReason::SecondFactorChanged => Self::SecondFactorChanged,
        }
    }
}

/// The end of a delay, and its reasons; none if there is no delay.
pub(crate) fn delay_parts(
    delay: Option<&WithdrawalDelay>,
) -> (Option<String>, Vec<DelayReasonName>) {
    let reasons = delay.map_or(&[][..], |delay| delay.reasons.as_slice());
    (
        delay.map(|delay| iso(delay.payable_from)),
        reasons.iter().map(|reason| (*reason).into()).collect(),
    )
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
    /// When it was decided or cancelled.
    #[schema(format = "date-time")]
    decided_at: Option<String>,
    /// From when it can be approved; null if it is not delayed.
    #[schema(format = "date-time")]
    payable_from: Option<String>,
    delay_reasons: Vec<DelayReasonName>,
    /// The payment, once the request was approved.
    payout: Option<PayoutView>,
    /// The balance after the request; only in the response that creates or cancels it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    new_balance: Option<String>,
    /// The amount that can now be withdrawn; only in the response that creates or cancels the
    /// request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    available_to_withdraw: Option<String>,
}

impl Withdrawal {
    /// A withdrawal in a list, with its payment.
    pub(crate) fn paid(paid: PaidWithdrawal) -> Self {
        let currency = paid.withdrawal.currency;
        let payout = paid.payout;
        Self {
            payout: payout.map(|payout| PayoutView::new(&payout, currency)),
            ..Self::new(paid.withdrawal, None)
        }
    }

    pub(crate) fn new(withdrawal: WithdrawalView, wallet: Option<Wallet>) -> Self {
        let (payable_from, delay_reasons) = delay_parts(withdrawal.delay.as_ref());
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
            payable_from,
            delay_reasons,
            payout: None,
            new_balance: wallet.map(|wallet| wallet.balance().to_string()),
            available_to_withdraw: wallet.map(|wallet| wallet.available_to_withdraw().to_string()),
        }
    }
}

/// Requests a withdrawal. The amount is debited at once and held until the request is decided. A
/// withdrawal to a new address, or soon after a change of the password or the second factor, is delayed:
/// it cannot be approved before `payableFrom`. The address is added to the address book. The request can be repeated safely with an `Idempotency-Key`.
#[utoipa::path(
    tag = "money",
    params(Idempotency),
    responses(
        (status = 201, body = Withdrawal),
        (status = 400, description = "Invalid amount or currency, or missing address", body = ErrorBody),
        PlayersOnly,
        (status = 403, description = "The player has a second factor and must confirm the session first", body = ErrorBody),
        (status = 409, description = "The key was used for a different request", body = ErrorBody),
        (status = 422, description = "The amount is below the minimum or above the maximum, the balance or the wagered amount", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/withdraw-requests")]
pub(crate) async fn new_withdrawal(
    application: web::Data<Application>,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
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
    let entries = withdrawal_page.entries.into_iter();
    let withdrawals: Vec<_> = entries.map(Withdrawal::paid).collect();
    Ok(page(&withdrawals, withdrawal_page.next))
}

/// The withdrawal whose delay is asked for.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DelayParameters {
    /// The code of a supported cryptocurrency.
    currency: String,
    /// The address. A text that is not in the player's address book counts as a new address, even if it
    /// is not an address at all.
    wallet_address: Option<String>,
}

/// How long a withdrawal would be delayed if it was requested now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WithdrawalDelayPreview {
    /// How long each reason delays withdrawals, in hours; 0 if nothing does.
    #[schema(example = 24)]
    delay_hours: u64,
    /// From when it could be approved; null if it would not be delayed.
    #[schema(format = "date-time")]
    payable_from: Option<String>,
    delay_reasons: Vec<DelayReasonName>,
}

/// How long each reason delays withdrawals, in hours.
pub(crate) fn delay_hours(house: &House) -> u64 {
    const SECONDS_PER_HOUR: u64 = 3_600;
    house.withdrawal_delay().as_secs() / SECONDS_PER_HOUR
}

/// Whether, why and until when a withdrawal would be delayed if it was requested now.
#[utoipa::path(
    tag = "money",
    params(DelayParameters),
    responses(
        (status = 200, body = WithdrawalDelayPreview),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/withdraw-requests/delay")]
pub(crate) async fn withdrawal_delay(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<DelayParameters>,
) -> Result<web::Json<WithdrawalDelayPreview>, ApiError> {
    let DelayParameters {
        currency,
        wallet_address,
    } = parameters.into_inner();
    let house = &application.house;
    let delay = read_withdrawal_delay(house, user.id, &currency, wallet_address.as_deref()).await?;
    let (payable_from, delay_reasons) = delay_parts(delay.as_ref());
    Ok(web::Json(WithdrawalDelayPreview {
        delay_hours: delay_hours(house),
        payable_from,
        delay_reasons,
    }))
}

/// The withdrawal whose worth in coins is asked for.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct QuoteParameters {
    /// The amount in US dollars, including the fee.
    #[param(pattern = "^[0-9]{1,13}(\\.[0-9]{1,2})?$")]
    amount: String,
    /// The code of a supported cryptocurrency.
    currency: String,
}

/// What a withdrawal would bring if it was paid now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WithdrawalQuote {
    /// 1 % of the amount, rounded up to the cent.
    #[schema(example = "0.25")]
    fee: String,
    /// The amount less the fee.
    #[schema(example = "24.75")]
    net_amount: String,
    /// About what arrives, in the coin. It is fixed when the withdrawal is paid. Null if the amount is too
    /// small for the coin.
    #[schema(example = "0.000275")]
    coin_amount: Option<String>,
    /// The price of a coin in US dollars.
    #[schema(example = "90000")]
    rate: Option<String>,
}

/// What a withdrawal would bring if it was paid now: the fee, and about how much of the coin.
#[utoipa::path(
    tag = "money",
    params(QuoteParameters),
    responses(
        (status = 200, body = WithdrawalQuote),
        (status = 400, description = "Invalid amount or currency", body = ErrorBody),
        PlayersOnly,
        (status = 422, description = "The amount is below the minimum", body = ErrorBody),
        (status = 502, description = "The provider does not answer", body = ErrorBody),
    )
)]
#[get("/api/withdraw-requests/quote")]
pub(crate) async fn withdrawal_quote(
    application: web::Data<Application>,
    _: SignedIn,
    parameters: web::Query<QuoteParameters>,
) -> Result<web::Json<WithdrawalQuote>, ApiError> {
    let amount = Money::parse(&parameters.amount).map_err(|_| Refusal::WithdrawalAmount)?;
    let terms = WithdrawalTerms::of(amount).map_err(Refusal::from)?;
    let currency = Currency::parse(&parameters.currency).ok_or(Refusal::WithdrawalCurrency)?;
    let quote = quote_withdrawal(&application.cashier, terms.net, currency).await?;
    Ok(web::Json(WithdrawalQuote {
        fee: terms.fee.to_string(),
        net_amount: terms.net.to_string(),
        coin_amount: quote.as_ref().map(|quote| quote.amount.to_string()),
        rate: quote.as_ref().map(|quote| quote.rate.to_string()),
    }))
}

/// Cancels a withdrawal that is still pending, and returns its whole amount to the balance. Cancelling it
/// again changes nothing.
#[utoipa::path(
    tag = "money",
    params(("requestId" = i64, Path)),
    responses(
        (status = 200, body = Withdrawal),
        PlayersOnly,
        NotFound,
        (status = 409, description = "The withdrawal was already approved or rejected", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/withdraw-requests/{requestId}/cancel")]
pub(crate) async fn cancel(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    path: web::Path<String>,
) -> Result<web::Json<Withdrawal>, ApiError> {
    application.limits.check(Limit::Transfer(user.id))?;
    let id: WithdrawalId = path.parse().map_err(|_| Refusal::NotFound)?;
    let cancelled = cancel_withdrawal(&application.house, user.id, id).await?;
    Ok(web::Json(Withdrawal::new(
        cancelled.withdrawal,
        Some(cancelled.wallet),
    )))
}
