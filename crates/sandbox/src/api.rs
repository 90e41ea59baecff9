//! The provider's API.

mod calls;
mod failure;
mod listing;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::RETRY_AFTER;
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpResponse, web};
use glasshouse_payments::provider_code;

use crate::book::{InvoiceRecord, PaymentRecord};
use crate::json::{Form, Object};
use crate::misbehaviour::Answer;
use crate::rates;
use crate::shared::Shared;
use failure::ApiFailure;

const API_KEY: &str = "x-api-key";
const BASE: &str = "/v1";

/// Adds the calls of the API, and the one that makes it misbehave.
pub(crate) fn configure(config: &mut web::ServiceConfig) {
    config
        .service(
            web::scope(BASE)
                .wrap(from_fn(ask_for_key))
                .wrap(from_fn(misbehave))
                .service(calls::status)
                .service(calls::currencies)
                .service(calls::min_amount)
                .service(calls::estimate)
                .service(calls::create_invoice)
                .service(listing::auth)
                .service(listing::payments)
                .service(calls::payment)
                .default_service(web::to(unknown_call)),
        )
        .service(
            web::scope("/sandbox/control")
                .wrap(from_fn(ask_for_key))
                .service(calls::callbacks),
        )
        .service(
            web::resource("/sandbox/misbehave")
                .wrap(from_fn(ask_for_key))
                .route(web::post().to(calls::misbehave)),
        );
}

async fn unknown_call() -> Result<HttpResponse, ApiFailure> {
    Err(ApiFailure::not_found("There is no such endpoint"))
}

/// Only the status is told to everybody.
async fn ask_for_key(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let is_right = request
        .app_data::<web::Data<Shared>>()
        .is_some_and(|shared| {
            let key = request.headers().get(API_KEY);
            key.is_some_and(|key| key.as_bytes() == shared.options.api_key.as_bytes())
        });
    if !is_right && request.path() != "/v1/status" {
        return Err(ApiFailure::wrong_key().into());
    }
    next.call(request).await
}

/// Answers as the sandbox was told to, instead of as it should.
async fn misbehave(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(shared) = request.app_data::<web::Data<Shared>>().cloned() else {
        return next.call(request).await;
    };
    shared.count_call();
    let path = request.path().strip_prefix(BASE).unwrap_or_default();
    let told = shared.switches().for_answer(path);
    match told {
        None => next.call(request).await,
        Some((Answer::Fault, _)) => Err(ApiFailure::fault().into()),
        Some((Answer::TooManyRequests, seconds)) => {
            let mut response = ApiFailure::too_many().response();
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
            Ok(request.into_response(response))
        }
        Some((Answer::Hang, _)) => {
            tokio::time::sleep(shared.options.hang).await;
            Err(ApiFailure::fault().into())
        }
        Some((Answer::DoneMoved, _)) => {
            let done = next.call(request).await?;
            Ok(done.into_response(HttpResponse::Found().finish()))
        }
        Some((Answer::DoneRefused, _)) => {
            let done = next.call(request).await?;
            Ok(done.into_response(ApiFailure::bad_request("Yet it was done").response()))
        }
        Some((Answer::DoneBusy, seconds)) => {
            let done = next.call(request).await?;
            let mut response = ApiFailure::too_many().response();
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
            Ok(done.into_response(response))
        }
        Some((Answer::Lost, _)) => {
            let answer = next.call(request).await;
            tokio::time::sleep(shared.options.hang).await;
            answer
        }
    }
}

/// An answer of JSON text.
fn json(status: actix_web::http::StatusCode, body: String) -> HttpResponse {
    HttpResponse::build(status)
        .content_type("application/json; charset=utf-8")
        .body(body)
}

/// An invoice: its amounts are texts in either form.
fn invoice_json(invoice: &InvoiceRecord, public_url: &str, form: Form) -> String {
    let id = invoice.id.to_string();
    Object::new(form)
        .id("id", invoice.id)
        .text("token_id", &id)
        .optional_text("order_id", invoice.order_id.as_deref())
        .optional_text("order_description", invoice.order_description.as_deref())
        .text("price_amount", &invoice.price.to_string())
        .text("price_currency", &invoice.price_currency)
        .optional_text("pay_currency", invoice.pay_currency.as_deref())
        .optional_text("ipn_callback_url", invoice.ipn_callback_url.as_deref())
        .text("invoice_url", &format!("{public_url}/pay/{id}"))
        .optional_text("success_url", invoice.success_url.as_deref())
        .optional_text("cancel_url", invoice.cancel_url.as_deref())
        .text("created_at", &invoice.created_at)
        .text("updated_at", &invoice.created_at)
        .finish()
}

/// A payment, in an answer or in a callback.
pub(crate) fn payment_json(
    invoice: &InvoiceRecord,
    payment: &PaymentRecord,
    form: Form,
    tells_parent: bool,
    in_coins: bool,
) -> Object {
    let has_ended = matches!(
        payment.status.as_str(),
        "finished" | "partially_paid" | "failed" | "refunded"
    );
    // An estimate of all that was asked for, until it is known what came.
    let basis = if has_ended {
        &payment.paid
    } else {
        &payment.asked
    };
    let (outcome, outcome_currency) = if in_coins {
        (basis.clone(), &*payment.currency)
    } else if has_ended {
        (payment.brought_in.clone(), rates::OUTCOME_CURRENCY)
    } else {
        let worth = |currency| rates::outcome(basis, currency, payment.price_percent);
        let dollars = payment.currency().map(worth).unwrap_or_default();
        (dollars, rates::OUTCOME_CURRENCY)
    };
    let object = Object::new(form).id("payment_id", payment.id);
    let object = match payment.parent.filter(|_| tells_parent) {
        Some(parent) => object.id("parent_payment_id", parent),
        None => object.nothing("parent_payment_id"),
    };
    object
        .id("invoice_id", invoice.id)
        .text("payment_status", &payment.status)
        .text("pay_address", &payment.address)
        .nothing("payin_extra_id")
        .amount("price_amount", &invoice.price)
        .text("price_currency", &invoice.price_currency)
        .amount("pay_amount", &payment.asked)
        .amount("actually_paid", &payment.paid)
        .text("pay_currency", &payment.currency)
        .optional_text("order_id", invoice.order_id.as_deref())
        .optional_text("order_description", invoice.order_description.as_deref())
        .id("purchase_id", payment.purchase_id)
        .amount("outcome_amount", &outcome)
        .text("outcome_currency", outcome_currency)
        .optional_text("payin_hash", payment.hash.as_deref())
        .nothing("payout_hash")
        .text("created_at", &payment.created_at)
        .text("updated_at", &payment.updated_at)
        .text("type", "crypto2crypto")
}

/// The codes of all coins that the sandbox deals in, as the provider writes them.
fn codes() -> Vec<&'static str> {
    let ours = glasshouse_domain::Currency::ALL.map(provider_code);
    // And some that the house does not take.
    ours.into_iter()
        .chain(["ada", "bnbmainnet", "trx"])
        .collect()
}
