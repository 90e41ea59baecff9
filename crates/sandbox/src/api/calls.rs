//! The endpoints that require only the API key.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use glasshouse_domain::Currency;
use glasshouse_payments::{Decimal, currency_of, provider_code};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::failure::ApiFailure;
use super::{codes, json};
use crate::callback_record::CallbackOutcome;
use crate::fault_injection::FaultInjection;
use crate::json::{Form, Object, list, quoted};
use crate::payout_script;
use crate::random;
use crate::rates;
use crate::shared::Shared;
use crate::store::{InvoiceRecord, Store};
use crate::wire::{invoice_json, payment_json};

type ApiResult = Result<HttpResponse, ApiFailure>;

/// The minimum payment in US dollars, as units and scale, for any coin.
const MINIMUM_PAYMENT: (u128, u32) = (50, 2);
/// The maximum price in US dollars. JavaScript can represent all amounts up to it exactly.
const MAXIMUM_PRICE: u128 = 1_000_000_000;

#[get("/status")]
pub(super) async fn status() -> HttpResponse {
    json(StatusCode::OK, r#"{"message":"OK"}"#.to_owned())
}

#[get("/currencies")]
pub(super) async fn currencies(shared: web::Data<Shared>) -> HttpResponse {
    let is_listed =
        |code: &&str| currency_of(code).is_none_or(|coin| !shared.switches().is_disabled(coin));
    let codes = codes().into_iter().filter(is_listed);
    let codes: Vec<String> = codes.map(quoted).collect();
    let body = Object::new(Form::Numbers).literal("currencies", &list(&codes));
    json(StatusCode::OK, body.finish())
}

#[derive(Deserialize)]
struct Pair {
    currency_from: String,
    currency_to: Option<String>,
    fiat_equivalent: Option<String>,
    amount: Option<String>,
}

#[get("/min-amount")]
pub(super) async fn min_amount(shared: web::Data<Shared>, query: web::Query<Pair>) -> ApiResult {
    let from = coin(&query.currency_from)?;
    let to = query.currency_to.as_deref().map(coin).transpose()?;
    let dollars = Decimal::from_units(MINIMUM_PAYMENT.0, MINIMUM_PAYMENT.1);
    let amount = rates::in_coins(&dollars, from).ok_or_else(ApiFailure::fault)?;
    let object = Object::new(shared.response_forms.next())
        .text("currency_from", provider_code(from))
        .text("currency_to", provider_code(to.unwrap_or(from)))
        .amount("min_amount", &amount);
    let object = match &query.fiat_equivalent {
        Some(_) => object.amount("fiat_equivalent", &dollars),
        None => object,
    };
    Ok(json(StatusCode::OK, object.finish()))
}

#[get("/estimate")]
pub(super) async fn estimate(shared: web::Data<Shared>, query: web::Query<Pair>) -> ApiResult {
    let amount: Option<Decimal> = query.amount.as_deref().and_then(|text| text.parse().ok());
    let amount = amount.ok_or_else(|| ApiFailure::bad_request("amount must be a number"))?;
    if query.currency_from != "usd" {
        return Err(ApiFailure::bad_request(
            "the sandbox only estimates from usd",
        ));
    }
    let to = coin(query.currency_to.as_deref().unwrap_or_default())?;
    let estimated = rates::in_coins(&amount, to)
        .ok_or_else(|| ApiFailure::bad_request("amount is too large"))?;
    let object = Object::new(shared.response_forms.next())
        .text("currency_from", "usd")
        .amount("amount_from", &amount)
        .text("currency_to", provider_code(to))
        .amount("estimated_amount", &estimated);
    Ok(json(StatusCode::OK, object.finish()))
}

pub(super) fn coin(code: &str) -> Result<Currency, ApiFailure> {
    currency_of(code)
        .ok_or_else(|| ApiFailure::bad_request(&format!("Currency {code:.20} was not found")))
}

#[derive(Deserialize)]
struct NewInvoice {
    price_amount: Box<RawValue>,
    price_currency: String,
    pay_currency: Option<String>,
    ipn_callback_url: Option<String>,
    order_id: Option<String>,
    order_description: Option<String>,
    success_url: Option<String>,
    cancel_url: Option<String>,
    is_fixed_rate: Option<bool>,
}

#[post("/invoice")]
pub(super) async fn create_invoice(shared: web::Data<Shared>, body: web::Bytes) -> ApiResult {
    let request: NewInvoice = serde_json::from_slice(&body)
        .map_err(|error| ApiFailure::bad_request(&format!("Invalid body: {error}")))?;
    let price: Option<Decimal> = request.price_amount.get().trim_matches('"').parse().ok();
    let maximum = Decimal::from_units(MAXIMUM_PRICE, 0);
    let price = price
        .filter(|price| !price.is_zero() && *price <= maximum)
        .ok_or_else(|| ApiFailure::bad_request("price_amount must be a number above zero"))?;
    if !request.price_currency.eq_ignore_ascii_case("usd") {
        return Err(ApiFailure::bad_request(
            "the sandbox only accepts prices in usd",
        ));
    }
    let addresses = [
        &request.ipn_callback_url,
        &request.success_url,
        &request.cancel_url,
    ];
    if !addresses.into_iter().flatten().all(|url| is_http_url(url)) {
        return Err(ApiFailure::bad_request("a url must be http or https"));
    }
    let pay_currency = request.pay_currency.as_deref().map(coin).transpose()?;
    if let Some(currency) = pay_currency
        && shared.switches().is_disabled(currency)
    {
        let message = format!("Currency {} is currently unavailable", currency.code());
        return Err(ApiFailure::bad_request(&message));
    }
    let record = InvoiceRecord {
        id: random::random_id(4_000_000_000)?,
        price,
        price_currency: "usd".to_owned(),
        pay_currency: pay_currency.map(|currency| provider_code(currency).to_owned()),
        order_id: request.order_id,
        order_description: request.order_description,
        ipn_callback_url: request.ipn_callback_url,
        success_url: request.success_url,
        cancel_url: request.cancel_url,
        is_fixed_rate: request.is_fixed_rate.unwrap_or_default(),
        created_at: shared.read(Store::now),
    };
    let mut reported = record.clone();
    reported.id = shared.switches().repeated_invoice().unwrap_or(record.id);
    let answer = invoice_json(&reported, &shared.public_url, shared.response_forms.next());
    shared.write(|store| {
        store.invoices.insert(record.id, record);
        Ok(())
    })?;
    Ok(json(StatusCode::CREATED, answer))
}

fn is_http_url(url: &str) -> bool {
    reqwest::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

#[get("/payment/{id}")]
pub(super) async fn payment(shared: web::Data<Shared>, id: web::Path<String>) -> ApiResult {
    let form = shared.response_forms.next();
    let (includes_parent, in_coins) = shared.switches().payment_format();
    let body = id.parse().ok().and_then(|id: u64| {
        shared.read(|store| {
            let payment = store.payments.get(&id)?;
            let invoice = store.invoices.get(&payment.invoice)?;
            Some(payment_json(invoice, payment, form, includes_parent, in_coins).finish())
        })
    });
    let body = body.ok_or_else(|| ApiFailure::not_found("Payment not found"))?;
    Ok(json(StatusCode::OK, body))
}

/// Not part of the provider's API: injects faults into the next callbacks and requests.
pub(super) async fn inject_fault(shared: web::Data<Shared>, body: web::Bytes) -> ApiResult {
    let request: FaultInjection = serde_json::from_slice(&body)
        .map_err(|error| ApiFailure::bad_request(&format!("Invalid body: {error}")))?;
    payout_script::set_faults(&shared.into_inner(), request);
    Ok(json(StatusCode::OK, r#"{"message":"OK"}"#.to_owned()))
}

/// Not part of the provider's API: lists the callbacks so far.
#[get("/callbacks")]
pub(super) async fn callbacks(shared: web::Data<Shared>) -> HttpResponse {
    let callbacks: Vec<String> = shared
        .callbacks()
        .iter()
        .map(|callback| {
            let object = Object::new(Form::Numbers)
                .text("payment_id", callback.payment.as_str())
                .text("payment_status", &callback.status)
                .text("url", &callback.url)
                .text("body", &callback.body)
                .text("signature", &callback.signature);
            match &callback.outcome {
                CallbackOutcome::Answered(code) => object.literal("answer", &code.to_string()),
                CallbackOutcome::NoAnswer(reason) => object.text("failure", reason),
                CallbackOutcome::Dropped => object.literal("dropped", "true"),
            }
            .finish()
        })
        .collect();
    let body = Object::new(Form::Numbers).literal("callbacks", &list(&callbacks));
    json(StatusCode::OK, body.finish())
}
