//! For whoever watches the server.

use actix_web::{HttpResponse, get, web};

use crate::error::{ApiError, Outage};
use crate::state::Application;

/// The process runs: nothing else is asked.
#[get("/healthz")]
pub(crate) async fn alive() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body("ok\n")
}

/// The database answers, or did so a second ago.
#[get("/readyz")]
pub(crate) async fn ready(application: web::Data<Application>) -> Result<HttpResponse, ApiError> {
    if !application.house.is_ready() {
        return Err(ApiError::Outage(Outage::DatabaseDown));
    }
    Ok(HttpResponse::Ok()
        .content_type("text/plain")
        .body("ready\n"))
}
