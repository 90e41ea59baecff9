//! The header that lets a client safely repeat a request that moves money.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use glasshouse_casino::IdempotencyKey;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{Required, Schema, Type, schema::Object};

use crate::error::ApiError;

const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// The idempotency key of a request, if it has one.
pub(crate) struct Idempotency(pub(crate) Option<IdempotencyKey>);

impl FromRequest for Idempotency {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(idempotency_key(request).map(Self))
    }
}

impl IntoParams for Idempotency {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let header = ParameterBuilder::new()
            .name(IDEMPOTENCY_KEY)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some("1–64 letters, digits, _ and -"))
            .schema(Some(Schema::Object(Object::with_type(Type::String))));
        vec![header.build()]
    }
}

/// Parses the idempotency key of a request, if it has one.
///
/// # Errors
/// If the key is malformed.
pub(crate) fn idempotency_key(request: &HttpRequest) -> Result<Option<IdempotencyKey>, ApiError> {
    let Some(value) = request.headers().get(IDEMPOTENCY_KEY) else {
        return Ok(None);
    };
    // A header that is not text is not a key.
    let text = value.to_str().unwrap_or_default();
    Ok(Some(IdempotencyKey::parse(text)?))
}
