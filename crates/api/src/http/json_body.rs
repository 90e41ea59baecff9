//! JSON request bodies.

use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::http::body::read_body;

/// A parsed JSON body.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let is_json = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split(';').next())
            .is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"));
        let body = read_body(request, payload);
        Box::pin(async move {
            if !is_json {
                return Err(ApiError::NotJson);
            }
            parse(&body.await?).map(Json)
        })
    }
}

/// The error message contains the position but not serde's text, which quotes names of unknown
/// fields that the client chose.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|error| {
        let position = format!("line {}, column {}", error.line(), error.column());
        let problem = match error.classify() {
            serde_json::error::Category::Data => "does not have the expected fields",
            _ => "is not valid JSON",
        };
        ApiError::Malformed(format!("The body {problem} ({position})"))
    })
}
