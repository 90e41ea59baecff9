//! The statuses of the games.

use actix_web::{get, web};
use glasshouse_casino::operating::game_statuses;
use glasshouse_domain::{Game, GameStatus};
use glasshouse_games::registry::info;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::state::Application;

/// The status of a game. Paused games are shown, but no new rounds can be started; announced games
/// are shown as coming soon.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = GameStatus)]
pub(crate) enum GameStatusName {
    Open,
    Paused,
    Announced,
}

impl From<GameStatus> for GameStatusName {
    fn from(status: GameStatus) -> Self {
        match status {
            GameStatus::Open => Self::Open,
            GameStatus::Paused => Self::Paused,
            GameStatus::Announced => Self::Announced,
        }
    }
}

impl From<GameStatusName> for GameStatus {
    fn from(status: GameStatusName) -> Self {
        match status {
            GameStatusName::Open => Self::Open,
            GameStatusName::Paused => Self::Paused,
            GameStatusName::Announced => Self::Announced,
        }
    }
}

/// A game and its status.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameWithStatus {
    /// The game's name in the rest of the API, such as `headsUp`.
    #[schema(example = "dice")]
    name: &'static str,
    status: GameStatusName,
}

/// The games with their statuses, in display order.
#[utoipa::path(tag = "games", responses((status = 200, body = Vec<GameWithStatus>)))]
#[get("/api/games")]
pub(crate) async fn games(
    application: web::Data<Application>,
) -> Result<web::Json<Vec<GameWithStatus>>, ApiError> {
    Ok(web::Json(with_statuses(&application).await?))
}

pub(crate) async fn with_statuses(
    application: &Application,
) -> Result<Vec<GameWithStatus>, ApiError> {
    let statuses = game_statuses(&application.house).await?;
    let with_status = |game: &Game| GameWithStatus {
        name: info(*game).wire_name,
        status: statuses
            .get(game)
            .map_or(GameStatusName::Announced, |status| (*status).into()),
    };
    Ok(Game::ALL.iter().map(with_status).collect())
}
