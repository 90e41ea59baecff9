//! Money that comes in: asking for an invoice, waiting for it, the list, and what must be wagered.

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

/// What the provider's status is called while no payment is known.
const NO_PAYMENT_YET: &str = "waiting";

/// How much to deposit, and in what.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CreateDeposit {
    /// In dollars.
    #[schema(value_type = PositiveAmount, example = "100.00")]
    amount: Option<AmountText>,
    /// The code of a supported cryptocurrency.
    #[schema(value_type = CurrencyText)]
    crypto_currency: Option<CurrencyText>,
}

/// What has become of a deposit. Anything but completed and pending is over without success, but
/// money that still comes is credited.
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
    /// What was asked for, in dollars.
    #[schema(example = "100.00")]
    amount: String,
    /// What was credited so far.
    #[schema(example = "50.00")]
    credited_amount: String,
    /// What it is paid in.
    #[schema(example = "usdtsol")]
    currency: &'static str,
    /// Our own id of it.
    order_id: String,
    status: DepositState,
    /// The provider's word for the payment that tells most; null while there is none.
    external_status: Option<String>,
    /// Whether a person is looking at one of its payments.
    is_under_review: bool,
    /// The provider's id of its invoice; null if the provider has made none.
    invoice_id: Option<String>,
    /// Where it is paid.
    invoice_url: Option<String>,
    #[schema(format = "date-time")]
    created_at: String,
    #[schema(format = "date-time")]
    updated_at: String,
    /// When all of it was credited.
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

/// A new deposit and where it is paid.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DepositInvoice {
    invoice_url: String,
    deposit: Deposit,
}

/// Asks the payment provider for an invoice. With an `Idempotency-Key` the call can be repeated.
#[utoipa::path(
    tag = "money",
    params(Idempotency),
    responses(
        (status = 201, body = DepositInvoice),
        (status = 400, description = "No amount, or no currency of ours", body = ErrorBody),
        PlayersOnly,
        (status = 409, description = "The key was used for another call, or its call is not answered yet", body = ErrorBody),
        (status = 422, description = "Less or more than is taken, a coin that is not taken now, three unpaid deposits, or the provider refuses", body = ErrorBody),
        RateLimited,
        (status = 503, description = "The provider cannot be reached", body = ErrorBody),
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
    let wish = DepositRequest {
        player: user.id,
        amount: amount.ok_or(Refusal::DepositAmount)?,
        currency: currency.ok_or(Refusal::DepositCurrency)?,
        key,
    };
    let deposit = create_deposit(&application.cashier, wish).await?;
    let view = DepositView {
        deposit,
        is_under_review: false,
    };
    Ok(HttpResponse::Created().json(DepositInvoice {
        invoice_url: view.deposit.invoice_url.clone().unwrap_or_default(),
        deposit: view.into(),
    }))
}

/// The player's deposits, newest first. Where there may be more, the header `Next-Cursor` says
/// where to go on.
#[utoipa::path(
    tag = "money",
    params(PageParameters),
    responses(
        (status = 200, body = Vec<Deposit>,
            headers(("Next-Cursor" = Option<String>, description = "where to go on"))),
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
    let found = read_deposits(&application.house, user.id, before, limit).await?;
    let deposits: Vec<Deposit> = found.deposits.into_iter().map(Deposit::from).collect();
    Ok(page(&deposits, found.next))
}

/// How a deposit stands that its player waits for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DepositStatus {
    /// Whether all of it was credited.
    processed: bool,
    /// The provider's word for it: waiting, confirming, confirmed, sending, `partially_paid`,
    /// finished, failed, refunded, expired, or one that we do not know.
    #[serde(rename = "external_status")]
    #[schema(example = "waiting")]
    external_status: String,
    /// What was asked for, in dollars.
    #[schema(example = "100.00")]
    amount: String,
    /// What was credited so far.
    #[schema(example = "50.00")]
    credited_amount: String,
    status: DepositState,
    /// Whether a person is looking at one of its payments.
    is_under_review: bool,
    /// Where it is paid.
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

/// How a deposit of the player stands. The payment provider is asked, unless it was just asked.
#[utoipa::path(
    tag = "money",
    params(("invoiceId" = String, Path, description = "The provider's id of the invoice")),
    responses(
        (status = 200, body = DepositStatus),
        PlayersOnly,
        (status = 404, description = "Unknown, or somebody else's", body = ErrorBody),
    )
)]
#[get("/api/deposits/{invoiceId}/status")]
pub(crate) async fn deposit_status(
    application: web::Data<Application>,
    // An open dialog asks every few seconds, whether or not anybody is there.
    SignedInPassively(user): SignedInPassively,
    invoice: web::Path<String>,
) -> Result<web::Json<DepositStatus>, ApiError> {
    let view = await_deposit(&application.cashier, user.id, invoice.into_inner()).await?;
    Ok(web::Json(view.into()))
}

/// How far a deposit is wagered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WageringLine {
    deposit_id: i64,
    /// What was credited of it: the sum of wagered and remaining.
    #[schema(example = "100.00")]
    amount: String,
    #[schema(example = "75.00")]
    wagered: String,
    /// What of it must still be wagered.
    #[schema(example = "25.00")]
    remaining: String,
    /// What it was paid in.
    #[schema(example = "usdtsol")]
    currency: &'static str,
    #[schema(format = "date-time")]
    credited_at: String,
}

/// What can be withdrawn, and why not more.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Wagering {
    #[schema(example = "120.00")]
    balance: String,
    /// What of the deposits must still be wagered.
    #[schema(example = "25.00")]
    unwagered: String,
    /// The balance less what must still be wagered, or nothing.
    #[schema(example = "95.00")]
    available_to_withdraw: String,
    /// The deposits that are not wagered to the end, newest first, and the last three that are; at
    /// most 50. Stakes count for the oldest first.
    deposits: Vec<WageringLine>,
    /// What must still be wagered of older deposits than those listed.
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

/// What the player can withdraw, and how far each deposit is wagered.
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
