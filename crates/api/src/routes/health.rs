//! For whoever watches the server.

use actix_web::{HttpResponse, get, web};

use crate::application::Application;
use crate::error::ApiError;

/// The process runs.
#[get("/healthz")]
pub(crate) async fn alive() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body("ok\n")
}

/// The database answers.
#[get("/readyz")]
pub(crate) async fn ready(application: web::Data<Application>) -> HttpResponse {
    match application.house.is_ready().await {
        Ok(()) => HttpResponse::Ok()
            .content_type("text/plain")
            .body("ready\n"),
        Err(error) => {
            tracing::error!(%error, "the server is not ready");
            HttpResponse::ServiceUnavailable()
                .content_type("text/plain")
                .body("not ready\n")
        }
    }
}

/// Any other path under `/api`, and any other method.
pub(crate) async fn unknown_call() -> Result<HttpResponse, ApiError> {
    Err(ApiError::UnknownCall)
}
