//! Opening, pausing and announcing a game.

use actix_web::{post, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::administration::set_game_status;
use glasshouse_games::registry::of_wire_name;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::routes::admin::context::AdminContext;
use crate::routes::games::statuses::{GameStatusName, GameWithStatus, with_statuses};
use crate::session::ChangeGames;
use crate::state::Application;

/// A new status for a game, with the reason.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameStatusChange {
    status: GameStatusName,
    /// The reason, recorded in the audit log. At most 500 characters.
    #[schema(max_length = 500)]
    reason: String,
}

/// Opens, pauses or announces a game on all servers, with an audit record. Rounds in play are
/// finished in any case. Returns all games.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("change_games"))),
    params(
        ("name" = String, Path, description = "The game, such as `headsUp`"),
        Idempotency
    ),
    responses(
        (status = 200, body = Vec<GameWithStatus>),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, or the password must be entered again", body = ErrorBody),
        (status = 404, description = "Unknown game", body = ErrorBody),
        (status = 409, description = "The key was used for a different request", body = ErrorBody),
    )
)]
#[post("/api/admin/games/{name}/status")]
pub(crate) async fn change_game_status(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<ChangeGames>,
    path: web::Path<String>,
    Json(change): Json<GameStatusChange>,
) -> Result<web::Json<Vec<GameWithStatus>>, ApiError> {
    let game = of_wire_name(&path).ok_or(Refusal::NotFound)?;
    let status_and_reason = (change.status.into(), change.reason.as_str());
    set_game_status(&application.house, context, game, status_and_reason).await?;
    Ok(web::Json(with_statuses(&application).await?))
}
