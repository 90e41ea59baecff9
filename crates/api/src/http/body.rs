//! Request bodies, read completely: at most 16 KiB, within a time limit.

use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};

use crate::error::ApiError;
use crate::state::Application;

/// The maximum size of a body, in bytes.
pub(crate) const MAXIMUM_BODY_BYTES: usize = 16 * 1024;
/// The default time limit for receiving a body.
pub const USUAL_BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// A body of any content type, as raw bytes.
pub(crate) struct Body(pub(crate) web::Bytes);

impl FromRequest for Body {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = read_body(request, payload);
        Box::pin(async move { body.await.map(Self) })
    }
}

/// Reads the body. The time limit keeps a client that sends it byte by byte from holding the
/// connection indefinitely.
pub(crate) fn read_body(
    request: &HttpRequest,
    payload: &mut Payload,
) -> impl Future<Output = Result<web::Bytes, ApiError>> + 'static {
    let limit = request
        .app_data::<web::Data<Application>>()
        .map_or(USUAL_BODY_TIMEOUT, |application| {
            application.settings.body_timeout
        });
    let body = web::Bytes::from_request(request, payload);
    async move {
        let body = tokio::time::timeout(limit, body)
            .await
            .map_err(|_| ApiError::BodyTimeout)?;
        body.map_err(|error| {
            if error.as_response_error().status_code().as_u16() == 413 {
                ApiError::BodyTooLarge
            } else {
                ApiError::Malformed("The body could not be read".to_owned())
            }
        })
    }
}
