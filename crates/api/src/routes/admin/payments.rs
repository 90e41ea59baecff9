//! Payments in progress: the list, checking one with the provider, and crediting one manually.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::administration::{
    Confirmation, Confirmed as PaymentCredit, IdKind, PaymentCheck as Check, check_payment,
    confirm_payment, inspect_payment,
};
use glasshouse_domain::UserId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub(crate) mod active;
mod standing;
pub(crate) use standing::PaymentStanding;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::context::{AdminContext, Reader};
use crate::routes::admin::lists::List as _;
use crate::routes::admin::malformed;
use crate::routes::admin::proposal_view::{Proposal, done_or_proposed};
use crate::session::{CheckPayments, ConfirmPayments, Needed};
use crate::state::Application;
use crate::wire::integer::Integer;
use crate::wire::money::{AmountText, PositiveAmount};
use crate::wire::time::iso;

/// The maximum length of a currency name, in characters.
const MAXIMUM_CURRENCY_CHARACTERS: usize = 20;

/// The house's record of a payment.
#[derive(Serialize, ToSchema)]
pub(crate) struct LocalPaymentStatus {
    status: String,
    standing: PaymentStanding,
    #[schema(example = "100.00")]
    credited_amount: String,
}

/// The provider's current data of a payment, and the house's record after the check.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaymentCheck {
    /// The ID that was checked.
    payment_id: String,
    /// Whether it is the ID of a payment or of an invoice.
    id_type: PaymentIdType,
    /// The status that the provider just reported.
    api_status: String,
    local_status: Option<LocalPaymentStatus>,
    user_id: Option<i64>,
    deposit_id: Option<i64>,
    /// In US dollars, as reported by the provider.
    price_amount: Option<String>,
    pay_amount: Option<String>,
    actually_paid: Option<String>,
    pay_currency: Option<String>,
    order_id: Option<String>,
    #[schema(format = "date-time")]
    last_checked: String,
}

impl From<Check> for PaymentCheck {
    fn from(check: Check) -> Self {
        let [
            price_amount,
            pay_amount,
            actually_paid,
            pay_currency,
            order_id,
        ] = check.fetched.map_or_else(Default::default, |fetched| {
            [
                fetched.price_amount.map(|amount| amount.to_string()),
                fetched.pay_amount.map(|amount| amount.to_string()),
                fetched.actually_paid.map(|amount| amount.to_string()),
                fetched.pay_currency,
                fetched.order_id,
            ]
        });
        let local_status = check.record.map(|record| LocalPaymentStatus {
            standing: record.match_status.into(),
            status: record.status,
            credited_amount: record.credited.to_string(),
        });
        Self {
            payment_id: check.id,
            id_type: check.kind.into(),
            api_status: check.status.to_string(),
            local_status,
            user_id: check.deposit.as_ref().map(|deposit| deposit.player.get()),
            deposit_id: check.deposit.as_ref().map(|deposit| deposit.id.get()),
            price_amount,
            pay_amount,
            actually_paid,
            pay_currency,
            order_id,
            last_checked: iso(check.at),
        }
    }
}

/// The kind of an ID: payments and invoices have separate ID spaces.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PaymentIdType {
    Payment,
    Invoice,
}

impl From<PaymentIdType> for IdKind {
    fn from(id_type: PaymentIdType) -> Self {
        match id_type {
            PaymentIdType::Payment => Self::Payment,
            PaymentIdType::Invoice => Self::Invoice,
        }
    }
}

impl From<IdKind> for PaymentIdType {
    fn from(kind: IdKind) -> Self {
        match kind {
            IdKind::Payment => Self::Payment,
            IdKind::Invoice => Self::Invoice,
        }
    }
}

/// Specifies what to check.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PaymentCheckParameters {
    /// The kind of the ID. If omitted, the ID is that of a payment if one exists, otherwise that of
    /// an invoice.
    id_type: Option<PaymentIdType>,
}

/// Queries the provider for a payment, or for the payments of an invoice. This changes nothing; use
/// POST to settle the result.
#[utoipa::path(
    tag = "administration",
    params(("paymentId" = String, Path), PaymentCheckParameters),
    responses(
        (status = 200, body = PaymentCheck),
        Malformed,
        AdministratorsOnly,
        (status = 404, description = "The payment or invoice is known neither to the provider nor to the house", body = ErrorBody),
        (status = 503, description = "The payment provider is unavailable", body = ErrorBody),
    )
)]
#[get("/api/admin/check-payment/{paymentId}")]
pub(crate) async fn payment_look(
    application: web::Data<Application>,
    reader: Reader,
    path: web::Path<String>,
    parameters: web::Query<PaymentCheckParameters>,
) -> Result<web::Json<PaymentCheck>, ApiError> {
    let kind = parameters.id_type.map(IdKind::from);
    let check = inspect_payment(&application.cashier, &path, kind).await?;
    record_check(&application, reader, &check).await?;
    Ok(web::Json(check.into()))
}

/// Queries the provider for a payment, or for all payments of an invoice, and settles the result:
/// money that has arrived and was not credited yet is credited.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("check_payments"))),
    params(("paymentId" = String, Path), PaymentCheckParameters),
    responses(
        (status = 200, body = PaymentCheck),
        Malformed,
        AdministratorsOnly,
        (status = 404, description = "The payment or invoice is known neither to the provider nor to the house", body = ErrorBody),
        (status = 503, description = "The payment provider is unavailable", body = ErrorBody),
    )
)]
#[post("/api/admin/check-payment/{paymentId}")]
pub(crate) async fn payment_check(
    application: web::Data<Application>,
    reader: Reader<CheckPayments>,
    path: web::Path<String>,
    parameters: web::Query<PaymentCheckParameters>,
) -> Result<web::Json<PaymentCheck>, ApiError> {
    let kind = parameters.id_type.map(IdKind::from);
    let check = check_payment(&application.cashier, &path, kind).await?;
    record_check(&application, reader, &check).await?;
    Ok(web::Json(check.into()))
}

/// Records that an administrator is about to be shown a payment, as the list of payments does.
async fn record_check<N: Needed>(
    application: &Application,
    reader: Reader<N>,
    check: &Check,
) -> Result<(), ApiError> {
    let player = check.deposit.as_ref().map(|deposit| deposit.player);
    let person = player.map(|player| UserId::new(player.get()));
    let house = application.cashier.house();
    reader
        .record(house, active::PaymentStatus::NAME, person)
        .await
}

/// A payment to credit manually.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PaymentConfirmation {
    /// The ID of a payment or of an invoice.
    invoice_id: String,
    /// The kind of the ID. If omitted, the ID must be unambiguous.
    id_type: Option<PaymentIdType>,
    #[schema(value_type = i64)]
    user_id: Option<Integer>,
    /// The amount in US dollars.
    #[schema(value_type = PositiveAmount, example = "100.00")]
    amount: Option<AmountText>,
    /// The currency in which it was paid, for the record.
    #[schema(example = "USDT", pattern = "^[A-Za-z0-9]{1,20}$")]
    currency: String,
    /// Why it is credited by hand. At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: Option<String>,
    /// Whether to propose the credit to another administrator if it needs a second person; otherwise it is
    /// then refused.
    #[serde(default)]
    propose: bool,
}

/// The result of crediting a payment manually.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaymentConfirmed {
    payment_id: String,
    #[schema(example = "100.00")]
    credited_amount: String,
    message: String,
}

impl From<PaymentCredit> for PaymentConfirmed {
    fn from(confirmed: PaymentCredit) -> Self {
        Self {
            message: format!("Payment {} has been manually confirmed", confirmed.payment),
            payment_id: confirmed.payment,
            credited_amount: confirmed.credited.to_string(),
        }
    }
}

/// Credits a payment manually, once. If the provider reports it later, only the excess is credited.
/// If a review says that a remainder was left uncredited, up to that remainder is credited in
/// addition. What exceeds a threshold, or the price of the payment times the cap for overpayments, needs a
/// second person.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("confirm_payments"))),
    params(Idempotency),
    responses(
        (status = 200, body = PaymentConfirmed),
        (status = 202, description = "It was proposed to a second person", body = Proposal),
        Malformed,
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, the administrator's own payment, a second person is needed, or the password must be entered again", body = ErrorBody),
        (status = 404, description = "Unknown payment or user", body = ErrorBody),
        (status = 409, description = "The payment was already credited, the invoice has no payment, or the ID is that of both a payment and an invoice", body = ErrorBody),
        (status = 422, description = "The payment belongs to another user, or the reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/confirm-payment")]
pub(crate) async fn payment_confirmation(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<ConfirmPayments>,
    Json(body): Json<PaymentConfirmation>,
) -> Result<HttpResponse, ApiError> {
    let amount = body.amount.and_then(|amount| amount.parse().ok());
    let currency = body.currency.trim();
    let is_plain = currency.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if currency.is_empty() || currency.len() > MAXIMUM_CURRENCY_CHARACTERS || !is_plain {
        return Err(malformed("currency must be 1 to 20 letters and digits"));
    }
    let player = body
        .user_id
        .ok_or_else(|| malformed("User ID is required to confirm a payment"))?;
    let confirmation = Confirmation {
        id: body.invoice_id,
        id_kind: body.id_type.map(IdKind::from),
        player: player.into(),
        amount: amount.ok_or(Refusal::ConfirmedAmount)?,
        currency: currency.to_owned(),
        reason: body.reason.unwrap_or_default(),
        may_propose: body.propose,
    };
    let administrator = context.administrator;
    let outcome = confirm_payment(&application.cashier, context, confirmation).await?;
    done_or_proposed::<_, PaymentConfirmed>(&application, administrator, outcome).await
}
