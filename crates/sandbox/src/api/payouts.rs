//! Payouts and the account's balance.

use std::sync::atomic::Ordering;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use glasshouse_domain::Currency;
use glasshouse_payments::{Decimal, provider_code};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::calls::coin;
use super::failure::ApiFailure;
use super::json;
use super::listing::require_token;
use crate::json::{Form, Object, list};
use crate::payout_script;
use crate::payout_store::{NewPayout, PayoutRecord, Verification};
use crate::shared::Shared;

type ApiResult = Result<HttpResponse, ApiFailure>;

/// The number of decimals that an amount may have.
const AMOUNT_DECIMALS: u32 = 6;

#[derive(Deserialize)]
struct NewBatch {
    withdrawals: Vec<Withdrawal>,
}

#[derive(Deserialize)]
struct Withdrawal {
    address: String,
    currency: String,
    amount: Box<RawValue>,
    unique_external_id: Option<String>,
}

impl Withdrawal {
    fn checked(self, shared: &Shared) -> Result<NewPayout, ApiFailure> {
        if self.address.trim().is_empty() {
            return Err(ApiFailure::bad_request("address must not be empty"));
        }
        let currency = coin(&self.currency)?;
        if shared.switches().is_disabled(currency) {
            let message = format!("Currency {} is currently unavailable", currency.code());
            return Err(ApiFailure::bad_request(&message));
        }
        let amount: Option<Decimal> = self.amount.get().trim_matches('"').parse().ok();
        let amount = amount
            .filter(|amount| !amount.is_zero())
            .ok_or_else(|| ApiFailure::bad_request("amount must be a number above zero"))?;
        if amount.scale() > AMOUNT_DECIMALS {
            return Err(ApiFailure::bad_request(
                "amount must have at most six decimals",
            ));
        }
        Ok(NewPayout {
            address: self.address,
            currency,
            amount,
            external_id: self.unique_external_id,
        })
    }
}

#[post("/payout")]
pub(super) async fn create(
    shared: web::Data<Shared>,
    request: HttpRequest,
    body: web::Bytes,
) -> ApiResult {
    require_token(&shared, &request)?;
    let batch: NewBatch = serde_json::from_slice(&body)
        .map_err(|error| ApiFailure::bad_request(&format!("Invalid body: {error}")))?;
    let requested: Vec<NewPayout> = batch
        .withdrawals
        .into_iter()
        .map(|withdrawal| withdrawal.checked(&shared))
        .collect::<Result<_, _>>()?;
    if requested.is_empty() {
        return Err(ApiFailure::bad_request("withdrawals must not be empty"));
    }
    let form = shared.response_forms.next();
    let (id, entries) = shared.write(|store| {
        let now = store.now();
        let id = store.payouts.create(&requested, &now)?;
        let created = store.payouts.of_batch(id);
        let entries: Vec<String> = created
            .map(|payout| payout_json(payout, "CREATING", form))
            .collect();
        Ok((id, entries))
    })?;
    let body = Object::new(form)
        .id("id", id)
        .literal("withdrawals", &list(&entries));
    // The provider's success is sometimes the one and sometimes the other.
    let status = match form {
        Form::Numbers => StatusCode::OK,
        Form::Texts => StatusCode::CREATED,
    };
    Ok(json(status, body.finish()))
}

#[derive(Deserialize)]
struct VerificationRequest {
    verification_code: Box<RawValue>,
}

#[post("/payout/{id}/verify")]
pub(super) async fn verify(
    shared: web::Data<Shared>,
    request: HttpRequest,
    id: web::Path<String>,
    body: web::Bytes,
) -> ApiResult {
    require_token(&shared, &request)?;
    let verification: VerificationRequest = serde_json::from_slice(&body)
        .map_err(|error| ApiFailure::bad_request(&format!("Invalid body: {error}")))?;
    let unknown = || ApiFailure::not_found("Payout batch not found");
    let id = id.parse().map_err(|_| unknown())?;
    let code = verification.verification_code.get().trim_matches('"');
    match payout_script::verify(&shared.into_inner(), id, code)? {
        Verification::Verified => Ok(HttpResponse::Ok()
            .content_type("text/plain; charset=utf-8")
            .body("OK")),
        Verification::UnknownBatch => Err(unknown()),
        Verification::WrongCode => Err(ApiFailure::bad_request("Wrong verification code")),
        Verification::Closed => Err(ApiFailure::bad_request(
            "Too many wrong verification codes: the batch cannot be verified any more",
        )),
        Verification::InsufficientBalance => Err(ApiFailure::bad_request("Insufficient balance")),
    }
}

#[get("/payout/{id}")]
pub(super) async fn show(
    shared: web::Data<Shared>,
    request: HttpRequest,
    id: web::Path<String>,
) -> ApiResult {
    require_token(&shared, &request)?;
    let form = shared.response_forms.next();
    let payout = id.parse().ok().and_then(|id: u64| {
        shared.read(|store| {
            let mut payouts = store.payouts.payouts.iter();
            payouts.find(|payout| payout.id == id).cloned()
        })
    });
    let payout = payout.ok_or_else(|| ApiFailure::not_found("Payout not found"))?;
    let entry = payout_json(&payout, &payout.status, form);
    // The provider answers in all of these shapes.
    let body = match shared.shown_payouts.fetch_add(1, Ordering::SeqCst) % 3 {
        0 => entry,
        1 => list(&[entry]),
        _ => Object::new(form)
            .id("id", payout.batch)
            .literal("withdrawals", &list(&[entry]))
            .finish(),
    };
    Ok(json(StatusCode::OK, body))
}

#[derive(Deserialize)]
struct ListQuery {
    batch_id: Option<u64>,
    status: Option<String>,
    order: Option<String>,
    date_from: Option<String>,
    date_to: Option<String>,
    limit: Option<usize>,
    page: Option<usize>,
}

impl ListQuery {
    /// Whether a payout matches the filters. Timestamps of the same format sort as text, and a date
    /// is a prefix of its timestamps.
    fn matches(&self, payout: &PayoutRecord) -> bool {
        let created_at = payout.created_at.as_str();
        let is_not_before = |from: &String| created_at >= from.as_str();
        let is_not_after =
            |to: &String| created_at <= to.as_str() || created_at.starts_with(to.as_str());
        let has_status = |status: &String| payout.status.eq_ignore_ascii_case(status);
        self.batch_id.is_none_or(|batch| batch == payout.batch)
            && self.status.as_ref().is_none_or(has_status)
            && self.date_from.as_ref().is_none_or(is_not_before)
            && self.date_to.as_ref().is_none_or(is_not_after)
    }
}

#[get("/payout")]
pub(super) async fn list_all(
    shared: web::Data<Shared>,
    request: HttpRequest,
    query: web::Query<ListQuery>,
) -> ApiResult {
    require_token(&shared, &request)?;
    let (limit, page) = (query.limit.unwrap_or(10), query.page.unwrap_or(0));
    if !(1..=500).contains(&limit) {
        return Err(ApiFailure::bad_request("limit must be from 1 to 500"));
    }
    let entries: Vec<String> = shared.read(|store| {
        let payouts = store.payouts.payouts.iter();
        let mut matching: Vec<_> = payouts.filter(|payout| query.matches(payout)).collect();
        let is_ascending = |order: &String| order.eq_ignore_ascii_case("asc");
        if !query.order.as_ref().is_some_and(is_ascending) {
            matching.reverse();
        }
        let of_page = matching.into_iter().skip(page.saturating_mul(limit));
        of_page
            .take(limit)
            .map(|payout| payout_json(payout, &payout.status, shared.response_forms.next()))
            .collect()
    });
    let body = Object::new(Form::Numbers).literal("payouts", &list(&entries));
    Ok(json(StatusCode::OK, body.finish()))
}

#[get("/balance")]
pub(super) async fn balance(shared: web::Data<Shared>) -> HttpResponse {
    let form = shared.response_forms.next();
    let body = shared.read(|store| {
        let coins = Currency::ALL.into_iter();
        coins.fold(Object::new(form), |object, currency| {
            let amount = store.payouts.balance(currency);
            let balance = Object::new(form)
                .amount("amount", &amount)
                .literal("pendingAmount", "0");
            object.literal(provider_code(currency), &balance.finish())
        })
    });
    json(StatusCode::OK, body.finish())
}

/// A payout; one form has its status in lower case.
fn payout_json(payout: &PayoutRecord, status: &str, form: Form) -> String {
    let status = match form {
        Form::Numbers => status.to_owned(),
        Form::Texts => status.to_lowercase(),
    };
    let object = Object::new(form)
        .id("id", payout.id)
        .id("batch_withdrawal_id", payout.batch)
        .text("status", &status)
        .text("currency", &payout.currency)
        .amount("amount", &payout.amount)
        .text("address", &payout.address)
        .missing("extra_id")
        .optional_text("unique_external_id", payout.external_id.as_deref())
        .optional_text("hash", payout.hash.as_deref())
        .optional_text("error", payout.error.as_deref());
    let object = match &payout.fee {
        Some(fee) => object.amount("fee", &fee.0),
        None => object.missing("fee"),
    };
    object
        .text("created_at", &payout.created_at)
        .text("updated_at", &payout.updated_at)
        .finish()
}
