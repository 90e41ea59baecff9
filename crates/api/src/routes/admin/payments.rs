//! Payments that are not at their end: the list, the provider's word, and crediting by hand.

use actix_web::{get, post, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::administration::{
    Confirmation, IdKind, PaymentCheck as Check, check_payment, confirm_payment, inspect_payment,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub(crate) mod active;
mod standing;
pub(crate) use standing::PaymentStanding;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::context::AdminContext;
use crate::routes::admin::malformed;
use crate::session::Administrator;
use crate::state::Application;
use crate::wire::integer::Integer;
use crate::wire::money::{AmountText, PositiveAmount};
use crate::wire::time::iso;

/// The longest name of a currency.
const MAXIMUM_CURRENCY_CHARACTERS: usize = 20;

/// What the house knows of a payment.
#[derive(Serialize, ToSchema)]
pub(crate) struct LocalPaymentStatus {
    status: String,
    standing: PaymentStanding,
    #[schema(example = "100.00")]
    credited_amount: String,
}

/// What the provider says of a payment, and what the house knows of it after that.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaymentCheck {
    /// The payment or the invoice that was asked about.
    payment_id: String,
    /// Which of the two it is.
    id_type: PaymentIdType,
    /// The provider's word, asked just now.
    api_status: String,
    local_status: Option<LocalPaymentStatus>,
    user_id: Option<i64>,
    deposit_id: Option<i64>,
    /// In dollars, as the provider writes it.
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

/// What an id is of: payments and invoices are numbered apart.
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

/// What is asked about.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PaymentCheckParameters {
    /// What the id is of. If not given, that of a payment if there is one, else that of an invoice.
    id_type: Option<PaymentIdType>,
}

/// Asks the provider about a payment, or about the payments of an invoice. Nothing is credited by
/// it, nor does anything else change: that is what POST is for.
#[utoipa::path(
    tag = "administration",
    params(("paymentId" = String, Path), PaymentCheckParameters),
    responses(
        (status = 200, body = PaymentCheck),
        Malformed,
        AdministratorsOnly,
        (status = 404, description = "Neither the provider nor the house knows such a payment or invoice", body = ErrorBody),
        (status = 503, description = "The provider cannot be reached", body = ErrorBody),
    )
)]
#[get("/api/admin/check-payment/{paymentId}")]
pub(crate) async fn payment_look(
    application: web::Data<Application>,
    _: Administrator,
    path: web::Path<String>,
    parameters: web::Query<PaymentCheckParameters>,
) -> Result<web::Json<PaymentCheck>, ApiError> {
    let kind = parameters.id_type.map(IdKind::from);
    let check = inspect_payment(&application.cashier, &path, kind).await?;
    Ok(web::Json(check.into()))
}

/// Asks the provider about a payment, or about all payments of an invoice, and settles what it says:
/// what has arrived and was not credited yet is credited.
#[utoipa::path(
    tag = "administration",
    params(("paymentId" = String, Path), PaymentCheckParameters),
    responses(
        (status = 200, body = PaymentCheck),
        Malformed,
        AdministratorsOnly,
        (status = 404, description = "Neither the provider nor the house knows such a payment or invoice", body = ErrorBody),
        (status = 503, description = "The provider cannot be reached", body = ErrorBody),
    )
)]
#[post("/api/admin/check-payment/{paymentId}")]
pub(crate) async fn payment_check(
    application: web::Data<Application>,
    _: Administrator,
    path: web::Path<String>,
    parameters: web::Query<PaymentCheckParameters>,
) -> Result<web::Json<PaymentCheck>, ApiError> {
    let kind = parameters.id_type.map(IdKind::from);
    let check = check_payment(&application.cashier, &path, kind).await?;
    Ok(web::Json(check.into()))
}

/// A payment to be credited by hand.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PaymentConfirmation {
    /// The id of a payment or of an invoice.
    invoice_id: String,
    /// Which of the two it is. If not given, only one of them may have this id.
    id_type: Option<PaymentIdType>,
    #[schema(value_type = i64)]
    user_id: Option<Integer>,
    /// In dollars.
    #[schema(value_type = PositiveAmount, example = "100.00")]
    amount: Option<AmountText>,
    /// What it was paid in, for the record.
    #[schema(example = "USDT", pattern = "^[A-Za-z0-9]{1,20}$")]
    currency: String,
}

/// What was credited by hand.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaymentConfirmed {
    payment_id: String,
    #[schema(example = "100.00")]
    credited_amount: String,
    message: String,
}

/// Credits a payment by hand, once. If the provider tells of it later, only what goes beyond is
/// credited. Where a review says that a rest was left open, up to that rest is credited on top.
#[utoipa::path(
    tag = "administration",
    params(Idempotency),
    responses(
        (status = 200, body = PaymentConfirmed),
        Malformed,
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, one's own, or the password must be entered again", body = ErrorBody),
        (status = 404, description = "There is no such payment or user", body = ErrorBody),
        (status = 409, description = "It was credited before, the invoice has no payment, or the id is that of a payment and of an invoice", body = ErrorBody),
        (status = 422, description = "It belongs to another user", body = ErrorBody),
    )
)]
#[post("/api/admin/confirm-payment")]
pub(crate) async fn payment_confirmation(
    application: web::Data<Application>,
    AdminContext(context): AdminContext,
    Json(body): Json<PaymentConfirmation>,
) -> Result<web::Json<PaymentConfirmed>, ApiError> {
    let amount = body.amount.and_then(|amount| amount.parse().ok());
    let currency = body.currency.trim();
    let is_plain = currency.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if currency.is_empty() || currency.len() > MAXIMUM_CURRENCY_CHARACTERS || !is_plain {
        return Err(malformed("currency must be a short word"));
    }
    let player = body
        .user_id
        .ok_or_else(|| malformed("User ID is required to confirm a payment"))?;
    let wish = Confirmation {
        id: body.invoice_id,
        id_kind: body.id_type.map(IdKind::from),
        player: player.into(),
        amount: amount.ok_or(Refusal::ConfirmedAmount)?,
        currency: currency.to_owned(),
    };
    let confirmed = confirm_payment(&application.cashier, context, wish).await?;
    let message = format!("Payment {} has been manually confirmed", confirmed.payment);
    Ok(web::Json(PaymentConfirmed {
        payment_id: confirmed.payment,
        credited_amount: confirmed.credited.to_string(),
        message,
    }))
}
