//! For whoever watches the server.

use std::sync::LazyLock;

use actix_web::dev::ResourceDef;
use actix_web::{HttpRequest, HttpResponse, get, web};

use crate::error::{ApiError, Outage};
use crate::router::openapi;
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

/// The methods of each path, as the document has them.
static METHODS: LazyLock<Vec<(ResourceDef, String)>> = LazyLock::new(|| {
    let paths = openapi().paths.paths.into_iter();
    paths
        .map(|(path, item)| {
            let methods = [(item.get.is_some(), "GET"), (item.post.is_some(), "POST")];
            let methods = methods.iter().filter(|(is_there, _)| *is_there);
            let names: Vec<_> = methods.map(|(_, name)| *name).collect();
            (ResourceDef::new(path), names.join(", "))
        })
        .collect()
});

/// Any other path under `/api`, and any other method.
pub(crate) async fn unknown_call(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let known = METHODS
        .iter()
        .find(|(path, _)| path.is_match(request.path()));
    Err(match known {
        Some((_, methods)) => ApiError::OtherMethod(methods),
        None => ApiError::UnknownCall,
    })
}
