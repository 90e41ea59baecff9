//! The endpoint for CSV exports.

use actix_web::{HttpRequest, HttpResponse, get, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::administration::record_export;

use crate::error::ApiError;
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::LISTS;
use crate::routes::admin::context::AdminContext;
use crate::routes::admin::figures::{self, export_figures};
use crate::session::Export;
use crate::state::Application;

/// A list as CSV: the newest hundred thousand rows, with the same filters as the list. `figures` are the days of the
/// house's figures.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("export"))),
    params(("list" = String, Path, description = "The list's name in its own path, such as `users`")),
    responses(
        (status = 200, content_type = "text/csv", body = String),
        Malformed,
        AdministratorsOnly,
        NotFound,
    )
)]
#[get("/api/admin/export/{list}.csv")]
pub(crate) async fn export(
    application: web::Data<Application>,
    request: HttpRequest,
    AdminContext(context, _): AdminContext<Export>,
    path: web::Path<String>,
) -> Result<HttpResponse, actix_web::Error> {
    let name = path.into_inner();
    let file = if name == figures::EXPORT {
        // Every role that may export may also read the figures; a test says so.
        export_figures(&application.house, &request).await?
    } else {
        let registration = LISTS.iter().find(|list| list.name == name);
        let registration = registration.ok_or(ApiError::from(Refusal::NotFound))?;
        (registration.export)(application.house.clone(), &request)?
    };
    // Nothing has been sent yet: the file is only sent once the export has been recorded.
    record_export(&application.house, context, &name, request.query_string())
        .await
        .map_err(ApiError::from)?;
    Ok(file)
}
