//! What is answered while the database is down, and what never asks it.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::COOKIE;
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};

use crate::error::{ApiError, Outage};
use crate::state::Application;

/// Middleware outside that of the sessions: while the database is down every call is a 503, at once
/// and whoever calls. A page or a file is no call, and a question about the server's health is nobody's:
/// its session is not looked up.
///
/// # Errors
/// What the inner service fails with.
pub async fn refuse_without_database<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    if matches!(request.path(), "/healthz" | "/readyz") {
        request.headers_mut().remove(COOKIE);
    }
    if !is_call(request.path()) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let is_ready = request
        .app_data::<web::Data<Application>>()
        .is_none_or(|application| application.house.is_ready());
    if is_ready {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let response = ApiError::Outage(Outage::DatabaseDown).error_response();
    Ok(request.into_response(response).map_into_right_body())
}

/// Whether it is a call, and no page that describes the calls.
fn is_call(path: &str) -> bool {
    path.starts_with("/api/")
        && !path.starts_with("/api/docs")
        && !path.starts_with("/api/openapi.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_from_pages() {
        for call in ["/api/user", "/api/payments/ipn", "/api/nothing"] {
            assert!(is_call(call), "{call}");
        }
        for page in [
            "/",
            "/dice",
            "/assets/a.js",
            "/healthz",
            "/readyz",
            "/api",
            "/api/docs/",
            "/api/openapi.json",
        ] {
            assert!(!is_call(page), "{page}");
        }
    }
}
