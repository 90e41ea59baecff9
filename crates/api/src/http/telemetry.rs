//! Telemetry: a request ID on every response, and request durations by route and status.

use std::time::Instant;

use actix_web::Error;
use actix_web::HttpMessage;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use tracing_actix_web::RequestId;

/// Middleware: records the duration of the request and adds the request ID to the response.
///
/// # Errors
/// Errors of the inner service.
pub async fn observe<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let started = Instant::now();
    let id = request.extensions().get::<RequestId>().copied();
    let mut response = next.call(request).await?;
    // The route pattern, not the path, because a metric label must have few distinct values.
    let route = response
        .request()
        .match_pattern()
        .unwrap_or_else(|| "other".to_owned());
    metrics::histogram!(
        "glasshouse_http_request_seconds",
        "route" => route,
        "status" => response.status().as_u16().to_string(),
    )
    .record(started.elapsed());
    tracing::debug!(status = response.status().as_u16(), "responded");
    if let Some(id) = id.and_then(|id| HeaderValue::from_str(&id.to_string()).ok()) {
        response
            .headers_mut()
            .insert(HeaderName::from_static("x-request-id"), id);
    }
    Ok(response)
}
