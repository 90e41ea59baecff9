//! Health checks for load balancers and monitoring.

use actix_web::{HttpResponse, get, web};

use crate::error::{ApiError, Outage};
use crate::state::Application;

/// Liveness: the process is running. Checks nothing else.
#[get("/healthz")]
pub(crate) async fn alive() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body("ok\n")
}

/// Readiness: the server has not been asked to stop, and the database responded within the last second.
#[get("/readyz")]
pub(crate) async fn ready(application: web::Data<Application>) -> Result<HttpResponse, ApiError> {
    if application.stopping.has_begun() {
        return Ok(HttpResponse::ServiceUnavailable()
            .content_type("text/plain")
            .body("stopping\n"));
    }
    if !application.house.is_ready() {
        return Err(ApiError::Outage(Outage::DatabaseDown));
    }
    Ok(HttpResponse::Ok()
        .content_type("text/plain")
        .body("ready\n"))
}
