//! Telemetry: the request ID for the database and on every response, and request durations by route and status.

use std::time::Instant;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::HeaderValue;
use actix_web::middleware::Next;
use glasshouse_casino::for_request;

use crate::http::request_id::{self, REQUEST_ID};

/// Middleware: records the duration of the request, does its work under its ID, and adds that to the
/// response.
///
/// # Errors
/// Errors of the inner service.
pub async fn observe<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let started = Instant::now();
    let id = request_id::of(&request);
    let answering = next.call(request);
    let mut response = match id {
        Some(id) => for_request(id, answering).await?,
        None => answering.await?,
    };
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
        response.headers_mut().insert(REQUEST_ID, id);
    }
    Ok(response)
}
