//! The rounds of all players, as administrators list them.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::administration::list_all_rounds;
use glasshouse_casino::play::outcome_text;
use glasshouse_casino::{AllRoundsQuery, PlayedRound};
use glasshouse_domain::{RoundId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::pagination::{page, parse_cursor};
use crate::routes::admin::limit;
use crate::routes::games::wire::GameType;
use crate::routes::history::{parse_place, place_text};
use crate::session::Administrator;
use crate::state::Application;
use crate::wire::time::iso;

/// Which page of the rounds.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct GameParameters {
    /// Only this game; poker is both kinds of it.
    #[param(inline)]
    game_type: Option<GameType>,
    /// Only this player's.
    user_id: Option<i64>,
    /// Only the round with this number.
    id: Option<i64>,
    /// From 1 to 200; 100 unless told otherwise.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
    /// The `Next-Cursor` header of the page before.
    #[param(pattern = "^[0-9]{1,18}-[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl GameParameters {
    pub(in crate::routes) fn parse(self) -> Result<AllRoundsQuery, ApiError> {
        Ok(AllRoundsQuery {
            games: self.game_type.map(GameType::games).unwrap_or_default(),
            player: self.user_id.map(UserId::new),
            id: self.id.map(RoundId::new),
            after: parse_cursor(self.cursor, parse_place)?,
            limit: limit(self.limit)?,
        })
    }
}

/// A settled round as administrators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminGame {
    pub(in crate::routes) id: i64,
    pub(in crate::routes) user_id: i64,
    pub(in crate::routes) username: String,
    pub(in crate::routes) game_type: GameType,
    #[schema(example = "10.00")]
    pub(in crate::routes) bet_amount: String,
    #[schema(example = "19.80")]
    pub(in crate::routes) win_amount: String,
    /// Starts with `win` for wins.
    #[schema(example = "win")]
    pub(in crate::routes) outcome: String,
    /// When it ended.
    #[schema(format = "date-time")]
    pub(in crate::routes) created_at: String,
}

impl From<PlayedRound> for AdminGame {
    fn from(PlayedRound { round, username }: PlayedRound) -> Self {
        Self {
            id: round.id.get(),
            user_id: round.player.get(),
            username,
            game_type: GameType::of(round.game),
            bet_amount: round.stake.to_string(),
            win_amount: round.payout.to_string(),
            created_at: iso(round.ended_at.unwrap_or(round.started_at)),
            outcome: outcome_text(&round),
        }
    }
}

/// The settled rounds of all players, those that ended last first. Where there is more, the header
/// `Next-Cursor` says where to go on.
#[utoipa::path(
    tag = "administration",
    params(GameParameters),
    responses(
        (status = 200, body = Vec<AdminGame>,
            headers(("Next-Cursor" = Option<String>, description = "where to go on"))),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/admin/game-history")]
pub(crate) async fn all_games(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<GameParameters>,
) -> Result<HttpResponse, ApiError> {
    let query = parameters.into_inner().parse()?;
    let found = list_all_rounds(&application.house, query).await?;
    let games: Vec<AdminGame> = found.entries.into_iter().map(Into::into).collect();
    Ok(page(&games, found.next.map(place_text)))
}
