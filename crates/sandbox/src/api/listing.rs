//! The list of payments, and the token that it needs.

use actix_web::http::StatusCode;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::Deserialize;

use super::failure::ApiFailure;
use super::json;
use crate::json::{Form, Object, list};
use crate::shared::Shared;
use crate::store::{self, PaymentRecord};
use crate::wire::payment_json;

#[derive(Deserialize)]
struct Credentials {
    email: String,
    password: String,
}

#[post("/auth")]
pub(super) async fn auth(
    shared: web::Data<Shared>,
    body: web::Bytes,
) -> Result<HttpResponse, ApiFailure> {
    let given: Credentials = serde_json::from_slice(&body)
        .map_err(|_| ApiFailure::bad_request("email and password are required"))?;
    if given.email != shared.options.email || given.password != shared.options.password {
        return Err(ApiFailure::wrong_account());
    }
    // Three parts, as a JWT has; nobody looks into them.
    let part = store::random_hex;
    let token = format!("{}.{}.{}", part()?, part()?, part()?);
    let body = Object::new(Form::Numbers).text("token", &token).finish();
    shared.give_token(token);
    Ok(json(StatusCode::OK, body))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    limit: Option<usize>,
    page: Option<usize>,
    order_by: Option<String>,
    date_from: Option<String>,
    date_to: Option<String>,
    invoice_id: Option<u64>,
}

impl Wanted {
    /// Times of one form are in the order of their texts; a day is the beginning of its times.
    fn is_met(&self, payment: &PaymentRecord) -> bool {
        let made = payment.created_at.as_str();
        let is_not_before = |from: &String| made >= from.as_str();
        let is_not_after = |to: &String| made <= to.as_str() || made.starts_with(to.as_str());
        self.invoice_id
            .is_none_or(|invoice| invoice == payment.invoice)
            && self.date_from.as_ref().is_none_or(is_not_before)
            && self.date_to.as_ref().is_none_or(is_not_after)
    }
}

#[get("/payment/")]
pub(super) async fn payments(
    shared: web::Data<Shared>,
    request: HttpRequest,
    wanted: web::Query<Wanted>,
) -> Result<HttpResponse, ApiFailure> {
    let header = request.headers().get(AUTHORIZATION);
    let token = header
        .and_then(|header| header.to_str().ok())
        .and_then(|header| header.strip_prefix("Bearer "));
    if !token.is_some_and(|token| shared.takes_token(token)) {
        return Err(ApiFailure::wrong_token());
    }
    let (limit, page) = (wanted.limit.unwrap_or(10), wanted.page.unwrap_or(0));
    if !(1..=500).contains(&limit) {
        return Err(ApiFailure::bad_request("limit must be from 1 to 500"));
    }
    let (tells_parent, in_coins) = shared.switches().telling();
    let (total, shown) = shared.read(|store| {
        let met = store
            .payments
            .values()
            .filter(|payment| wanted.is_met(payment));
        let mut met: Vec<_> = met.collect();
        met.sort_by(|one, other| one.created_at.cmp(&other.created_at));
        if wanted.order_by.as_deref() != Some("asc") {
            met.reverse();
        }
        let total = met.len();
        let shown: Vec<String> = met
            .into_iter()
            .skip(page.saturating_mul(limit))
            .take(limit)
            .filter_map(|payment| {
                let invoice = store.invoices.get(&payment.invoice)?;
                let form = shared.next_form();
                Some(payment_json(invoice, payment, form, tells_parent, in_coins).finish())
            })
            .collect();
        (total, shown)
    });
    let body = Object::new(Form::Numbers)
        .literal("data", &list(&shown))
        .literal("limit", &limit.to_string())
        .literal("page", &page.to_string())
        .literal("pagesCount", &total.div_ceil(limit).to_string())
        .literal("total", &total.to_string());
    Ok(json(StatusCode::OK, body.finish()))
}
