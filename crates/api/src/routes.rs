//! The calls, one file for each group. A handler parses, calls one use case, and answers.

pub(crate) mod admin;
pub(crate) mod analysis;
pub(crate) mod crash;
pub(crate) mod cryptocurrencies;
pub(crate) mod dice;
pub(crate) mod events;
pub(crate) mod fairness;
pub(crate) mod heads_up;
pub(crate) mod health;
pub(crate) mod history;
pub(crate) mod live;
pub(crate) mod poker;
pub(crate) mod stonks;
pub(crate) mod users;

use actix_web::HttpRequest;
use glasshouse_casino::IdempotencyKey;

use crate::error::ApiError;

/// The header by which a client repeats a call that moves money.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

fn idempotency_key(request: &HttpRequest) -> Result<Option<IdempotencyKey>, ApiError> {
    let Some(value) = request.headers().get(IDEMPOTENCY_KEY) else {
        return Ok(None);
    };
    // What is no text is no key either.
    let text = value.to_str().unwrap_or_default();
    Ok(Some(IdempotencyKey::parse(text)?))
}
