//! The list of payments, and the authentication that it and payouts require.

use actix_web::http::StatusCode;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::Deserialize;

use super::failure::ApiFailure;
use super::json;
use crate::json::{Form, Object, list};
use crate::random;
use crate::shared::Shared;
use crate::store::PaymentRecord;
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
    let credentials: Credentials = serde_json::from_slice(&body)
        .map_err(|_| ApiFailure::bad_request("email and password are required"))?;
    if credentials.email != shared.options.email || credentials.password != shared.options.password
    {
        return Err(ApiFailure::wrong_account());
    }
    // Three parts like a JWT; clients treat the token as opaque.
    let part = random::random_hex;
    let token = format!("{}.{}.{}", part()?, part()?, part()?);
    let body = Object::new(Form::Numbers).text("token", &token).finish();
    shared.add_token(token);
    Ok(json(StatusCode::OK, body))
}

/// Requires a token of the account that is still valid.
pub(super) fn require_token(shared: &Shared, request: &HttpRequest) -> Result<(), ApiFailure> {
    let header = request.headers().get(AUTHORIZATION);
    let token = header
        .and_then(|header| header.to_str().ok())
        .and_then(|header| header.strip_prefix("Bearer "));
    if token.is_some_and(|token| shared.accepts_token(token)) {
        return Ok(());
    }
    Err(ApiFailure::wrong_token())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListQuery {
    limit: Option<usize>,
    page: Option<usize>,
    order_by: Option<String>,
    date_from: Option<String>,
    date_to: Option<String>,
    invoice_id: Option<u64>,
}

impl ListQuery {
    /// Whether a payment matches the filters. Timestamps of the same format sort as text, and a
    /// date is a prefix of its timestamps.
    fn matches(&self, payment: &PaymentRecord) -> bool {
        let created_at = payment.created_at.as_str();
        let is_not_before = |from: &String| created_at >= from.as_str();
        let is_not_after =
            |to: &String| created_at <= to.as_str() || created_at.starts_with(to.as_str());
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
    query: web::Query<ListQuery>,
) -> Result<HttpResponse, ApiFailure> {
    require_token(&shared, &request)?;
    let (limit, page) = (query.limit.unwrap_or(10), query.page.unwrap_or(0));
    if !(1..=500).contains(&limit) {
        return Err(ApiFailure::bad_request("limit must be from 1 to 500"));
    }
    let (includes_parent, in_coins) = shared.switches().payment_format();
    let (total, entries) = shared.read(|store| {
        let matching = store
            .payments
            .values()
            .filter(|payment| query.matches(payment));
        let mut matching: Vec<_> = matching.collect();
        matching.sort_by(|one, other| one.created_at.cmp(&other.created_at));
        if query.order_by.as_deref() != Some("asc") {
            matching.reverse();
        }
        let total = matching.len();
        let entries: Vec<String> = matching
            .into_iter()
            .skip(page.saturating_mul(limit))
            .take(limit)
            .filter_map(|payment| {
                let invoice = store.invoices.get(&payment.invoice)?;
                let form = shared.response_forms.next();
                Some(payment_json(invoice, payment, form, includes_parent, in_coins).finish())
            })
            .collect();
        (total, entries)
    });
    let body = Object::new(Form::Numbers)
        .literal("data", &list(&entries))
        .literal("limit", &limit.to_string())
        .literal("page", &page.to_string())
        .literal("pagesCount", &total.div_ceil(limit).to_string())
        .literal("total", &total.to_string());
    Ok(json(StatusCode::OK, body.finish()))
}
