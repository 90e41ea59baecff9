//! Everything that the house has stored about a user, as one zip file.
//!
//! The archive is made while it is sent: a page of rows is read, written and compressed, and dropped, so
//! that neither its size nor a slow reader costs memory or a thread.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, post, web};
use futures_util::StreamExt as _;
use futures_util::stream::{self, Stream};
use glasshouse_casino::privacy::record_data_export;
use glasshouse_casino::{House, User};
use serde::Deserialize;
use utoipa::ToSchema;

use self::archive::{Archive, Step};
use self::files::{FILES, readme};
use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::password_check::require_password;
use crate::http::rate_limit::Limit;
use crate::http::request_origin::origin_of;
use crate::http::responses::{Malformed, RateLimited};
use crate::session::ConfirmedIfProtected;
use crate::state::Application;

mod archive;
mod files;
mod pieces;
mod rows;

/// The user's password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DataExportRequest {
    #[schema(format = "password")]
    password: String,
}

/// A zip file with everything that the house has stored about the user: JSON and CSV files, and a
/// README.txt that explains them. It contains no secrets: no password hash, no session key, and no
/// server seed that is not revealed. Wrong passwords count as failed sign-ins, and users with a second
/// factor must have confirmed the session with it.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 200, content_type = "application/zip", body = String),
        Malformed,
        (status = 401, description = "Not signed in, or the wrong password", body = ErrorBody),
        (status = 403, description = "The user has a second factor and must confirm the session first", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/export")]
pub(crate) async fn export(
    application: web::Data<Application>,
    request: HttpRequest,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
    address: ClientAddress,
    Json(body): Json<DataExportRequest>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::Export(user.id))?;
    require_password(&application, &request, address, &user, body.password).await?;
    let origin = origin_of(&application, &request, &user.username);
    record_data_export(&application.house, user.id, origin).await?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/zip"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((
            CONTENT_DISPOSITION,
            "attachment; filename=\"glasshouse-data.zip\"",
        ))
        .streaming(archive_of(application.house.clone(), user)))
}

/// The bytes of the archive.
fn archive_of(house: House, user: User) -> impl Stream<Item = Result<Bytes, ApiError>> + 'static {
    let readme = readme(&user, house.now());
    let introduction = [Ok(Step::Begin("README.txt")), Ok(Step::Write(readme))];
    let files = stream::iter(FILES).flat_map(move |file| {
        let begin = stream::iter([Ok(Step::Begin(file.name))]);
        let content = (file.content)(house.clone(), user.clone());
        begin.chain(content.map(|piece| piece.map(Step::Write)))
    });
    let steps = stream::iter(introduction)
        .chain(files)
        .chain(stream::iter([Ok(Step::Finish)]));
    stream::try_unfold(
        (Box::pin(steps), Archive::default()),
        |(mut steps, archive)| async move {
            let Some(step) = steps.next().await else {
                return Ok(None);
            };
            let taken = match step {
                Ok(step) => archive.take(step).await,
                Err(error) => Err(error),
            };
            let (archive, bytes) =
                taken.inspect_err(|error| tracing::error!(%error, "a data export was aborted"))?;
            Ok(Some((bytes, (steps, archive))))
        },
    )
}
