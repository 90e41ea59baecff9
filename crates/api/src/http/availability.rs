//! Fails API calls early while the database is down, without querying it.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::COOKIE;
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};

use crate::error::{ApiError, Outage};
use crate::state::Application;

/// Middleware outside the session middleware: while the database is down, every API call gets a 503
/// at once, for signed-in users too. Pages and files are still served. Health checks need no
/// session, so their cookie is removed and no session is loaded.
///
/// # Errors
/// Errors of the inner service.
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

/// Whether the path is an API call, as opposed to a page of the API's documentation.
fn is_call(path: &str) -> bool {
    path.starts_with("/api/")
        && !path.starts_with("/api/docs")
        && !path.starts_with("/api/openapi.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn api_calls_are_distinguished_from_pages() {
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
