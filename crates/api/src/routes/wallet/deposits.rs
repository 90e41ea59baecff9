//! Deposits: creating an invoice, polling its status, listing deposits, and wagering progress.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::money::deposits::{
    DepositRequest, DepositView, Wagering as WageringView, WageringLine as WageringLineView,
    await_deposit, create_deposit, read_deposits, read_wagering,
};
use glasshouse_domain::{Currency, DepositStatus as Stage};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::pagination::{PageParameters, page};
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::session::{SignedIn, SignedInPassively};
use crate::state::Application;
use crate::wire::currency::CurrencyText;
use crate::wire::money::{AmountText, PositiveAmount};
use crate::wire::time::iso;

/// The provider status reported while no payment is known.
const NO_PAYMENT_YET: &str = "waiting";

/// A new deposit.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CreateDeposit {
    /// The amount in US dollars.
    #[schema(value_type = PositiveAmount, example = "100.00")]
    amount: Option<AmountText>,
    /// The code of a supported cryptocurrency.
    #[schema(value_type = CurrencyText)]
    crypto_currency: Option<CurrencyText>,
}

/// The status of a deposit. `failed` and `expired` mean that it ended without success, but payments
/// that still arrive are credited.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DepositState {
    Pending,
    Completed,
    Failed,
    Expired,
}

impl From<Stage> for DepositState {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Requested | Stage::Pending => Self::Pending,
            Stage::Completed => Self::Completed,
            Stage::Failed => Self::Failed,
            Stage::Expired => Self::Expired,
        }
    }
}

/// A deposit.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Deposit {
    id: i64,
    user_id: i64,
    /// The requested amount in US dollars.
    #[schema(example = "100.00")]
    amount: String,
    /// The amount credited so far, in US dollars.
    #[schema(example = "50.00")]
    credited_amount: String,
    /// The currency in which it is paid.
    #[schema(example = "usdtsol")]
    currency: &'static str,
    /// The deposit's ID in our system, sent to the provider.
    order_id: String,
    status: DepositState,
    /// The provider's status of the most relevant payment; null if there is none yet.
    external_status: Option<String>,
    /// Whether one of its payments is under manual review.
    is_under_review: bool,
    /// The provider's ID of the invoice; null if the provider has not created one.
    invoice_id: Option<String>,
    /// The URL of the payment page.
    invoice_url: Option<String>,
    #[schema(format = "date-time")]
    created_at: String,
    #[schema(format = "date-time")]
    updated_at: String,
    /// When the full amount was credited.
    #[schema(format = "date-time")]
    completed_at: Option<String>,
}

impl From<DepositView> for Deposit {
    fn from(view: DepositView) -> Self {
        let deposit = view.deposit;
        Self {
            id: deposit.id.get(),
            user_id: deposit.player.get(),
            amount: deposit.price.to_string(),
            credited_amount: deposit.credited.to_string(),
            currency: deposit.currency.code(),
            order_id: deposit.order_id,
            status: deposit.status.into(),
            external_status: deposit.external_status,
            is_under_review: view.is_under_review,
            invoice_id: deposit.invoice_id,
            invoice_url: deposit.invoice_url,
            created_at: iso(deposit.created_at),
            updated_at: iso(deposit.updated_at),
            completed_at: deposit.completed_at.map(iso),
        }
    }
}

/// A new deposit and the URL of its payment page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DepositInvoice {
    invoice_url: String,
    deposit: Deposit,
}

/// Creates a deposit with an invoice of the payment provider. The request can be repeated safely
/// with an `Idempotency-Key`.
#[utoipa::path(
    tag = "money",
    params(Idempotency),
    responses(
        (status = 201, body = DepositInvoice),
        (status = 400, description = "Invalid amount or currency", body = ErrorBody),
        PlayersOnly,
        (status = 409, description = "The key was used for a different request, or the first request is still in progress", body = ErrorBody),
        (status = 422, description = "The amount is outside the limits, the currency is not accepted at the moment, there are three unpaid deposits, or the provider refused", body = ErrorBody),
        RateLimited,
        (status = 503, description = "The payment provider is unavailable", body = ErrorBody),
    )
)]
#[post("/api/deposits/create")]
pub(crate) async fn new_deposit(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Idempotency(key): Idempotency,
    Json(body): Json<CreateDeposit>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::Transfer(user.id))?;
    let amount = body.amount.and_then(|amount| amount.parse().ok());
    let currency = body
        .crypto_currency
        .and_then(|code| Currency::parse(&code.0));
    let deposit_request = DepositRequest {
        player: user.id,
        amount: amount.ok_or(Refusal::DepositAmount)?,
        currency: currency.ok_or(Refusal::DepositCurrency)?,
        key,
    };
    let deposit = create_deposit(&application.cashier, deposit_request).await?;
    let view = DepositView {
        deposit,
        is_under_review: false,
    };
    Ok(HttpResponse::Created().json(DepositInvoice {
        invoice_url: view.deposit.invoice_url.clone().unwrap_or_default(),
        deposit: view.into(),
    }))
}

/// The player's deposits, newest first. If there may be more, the `Next-Cursor` header contains the
/// cursor of the next page.
#[utoipa::path(
    tag = "money",
    params(PageParameters),
    responses(
        (status = 200, body = Vec<Deposit>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/deposits")]
pub(crate) async fn deposit_list(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<PageParameters>,
) -> Result<HttpResponse, ApiError> {
    let (limit, before) = parameters.into_inner().parse()?;
    let deposit_page = read_deposits(&application.house, user.id, before, limit).await?;
    let deposits: Vec<Deposit> = deposit_page
        .deposits
        .into_iter()
        .map(Deposit::from)
        .collect();
    Ok(page(&deposits, deposit_page.next))
}

/// The status of a deposit.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DepositStatus {
    /// Whether the full amount was credited.
    processed: bool,
    /// The provider's status: waiting, confirming, confirmed, sending, `partially_paid`, finished,
    /// failed, refunded, expired, or one that this version does not know.
    #[serde(rename = "external_status")]
    #[schema(example = "waiting")]
    external_status: String,
    /// The requested amount in US dollars.
    #[schema(example = "100.00")]
    amount: String,
    /// The amount credited so far, in US dollars.
    #[schema(example = "50.00")]
    credited_amount: String,
    status: DepositState,
    /// Whether one of its payments is under manual review.
    is_under_review: bool,
    /// The URL of the payment page.
    invoice_url: Option<String>,
}

impl From<DepositView> for DepositStatus {
    fn from(view: DepositView) -> Self {
        let deposit = view.deposit;
        Self {
            processed: deposit.status == Stage::Completed,
            external_status: deposit
                .external_status
                .unwrap_or_else(|| NO_PAYMENT_YET.to_owned()),
            amount: deposit.price.to_string(),
            credited_amount: deposit.credited.to_string(),
            status: deposit.status.into(),
            is_under_review: view.is_under_review,
            invoice_url: deposit.invoice_url,
        }
    }
}

/// The status of one of the player's deposits. Queries the payment provider unless that was done
/// moments ago.
#[utoipa::path(
    tag = "money",
    params(("invoiceId" = String, Path, description = "The provider's ID of the invoice")),
    responses(
        (status = 200, body = DepositStatus),
        PlayersOnly,
        (status = 404, description = "Unknown deposit, or another player's", body = ErrorBody),
    )
)]
#[get("/api/deposits/{invoiceId}/status")]
pub(crate) async fn deposit_status(
    application: web::Data<Application>,
    // An open dialog polls every few seconds, even if the user is away.
    SignedInPassively(user): SignedInPassively,
    invoice: web::Path<String>,
) -> Result<web::Json<DepositStatus>, ApiError> {
    let view = await_deposit(&application.cashier, user.id, invoice.into_inner()).await?;
    Ok(web::Json(view.into()))
}

/// The wagering progress of a deposit.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WageringLine {
    deposit_id: i64,
    /// The credited amount in US dollars: the sum of `wagered` and `remaining`.
    #[schema(example = "100.00")]
    amount: String,
    #[schema(example = "75.00")]
    wagered: String,
    /// The amount that must still be wagered, in US dollars.
    #[schema(example = "25.00")]
    remaining: String,
    /// The currency in which it was paid.
    #[schema(example = "usdtsol")]
    currency: &'static str,
    #[schema(format = "date-time")]
    credited_at: String,
}

/// The amount that can be withdrawn, and the remaining wagering requirement.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Wagering {
    #[schema(example = "120.00")]
    balance: String,
    /// The remaining wagering requirement in US dollars.
    #[schema(example = "25.00")]
    unwagered: String,
    /// The balance less the remaining wagering requirement, at least zero.
    #[schema(example = "95.00")]
    available_to_withdraw: String,
    /// The deposits that are not fully wagered, newest first, and the last three that are; at most
    /// 50. Stakes count towards the oldest deposit first.
    deposits: Vec<WageringLine>,
    /// The remaining wagering requirement of older deposits that are not listed.
    #[schema(example = "0.00")]
    older_remaining: String,
}

impl From<WageringLineView> for WageringLine {
    fn from(WageringLineView { deposit, wagered }: WageringLineView) -> Self {
        Self {
            deposit_id: deposit.id.get(),
            amount: deposit.credited.to_string(),
            wagered: wagered.wagered.to_string(),
            remaining: wagered.remaining.to_string(),
            currency: deposit.currency.code(),
            credited_at: iso(deposit.completed_at.unwrap_or(deposit.updated_at)),
        }
    }
}

impl From<WageringView> for Wagering {
    fn from(view: WageringView) -> Self {
        Self {
            balance: view.wallet.balance().to_string(),
            unwagered: view.wallet.unwagered().to_string(),
            available_to_withdraw: view.wallet.available_to_withdraw().to_string(),
            deposits: view.lines.into_iter().map(WageringLine::from).collect(),
            older_remaining: view.older_remaining.to_string(),
        }
    }
}

/// The amount that the player can withdraw, and the wagering progress of each deposit.
#[utoipa::path(
    tag = "money",
    responses((status = 200, body = Wagering), PlayersOnly)
)]
#[get("/api/wagering")]
pub(crate) async fn wagering(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
) -> Result<web::Json<Wagering>, ApiError> {
    let view = read_wagering(&application.house, user.id).await?;
    Ok(web::Json(view.into()))
}
