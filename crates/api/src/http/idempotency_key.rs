//! The header by which a client repeats a call that moves money.

use actix_web::HttpRequest;
use glasshouse_casino::IdempotencyKey;

use crate::error::ApiError;

const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The key of a request, if it has one.
///
/// # Errors
/// If it is malformed.
pub(crate) fn idempotency_key(request: &HttpRequest) -> Result<Option<IdempotencyKey>, ApiError> {
    let Some(value) = request.headers().get(IDEMPOTENCY_KEY) else {
        return Ok(None);
    };
    // A header that is not text is not a key.
    let text = value.to_str().unwrap_or_default();
    Ok(Some(IdempotencyKey::parse(text)?))
}
