//! The rounds of all players, as administrators list them.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::play::outcome_text;
use glasshouse_casino::{AllRoundsQuery, HistoryCursor, PlayedRound};
use glasshouse_domain::{RoundId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::http::pagination::parse_cursor;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::csv::Cell;
use crate::routes::admin::limit;
use crate::routes::admin::lists::{List, answer};
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

impl TryFrom<GameParameters> for AllRoundsQuery {
    type Error = ApiError;

    fn try_from(wanted: GameParameters) -> Result<Self, ApiError> {
        Ok(Self {
            games: wanted.game_type.map(GameType::games).unwrap_or_default(),
            player: wanted.user_id.map(UserId::new),
            id: wanted.id.map(RoundId::new),
            after: parse_cursor(wanted.cursor, parse_place)?,
            limit: limit(wanted.limit)?,
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

/// A row of their CSV.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameRow {
    id: i64,
    user_id: i64,
    username: Cell,
    game_type: Option<GameType>,
    bet_amount: Cell,
    win_amount: Cell,
    outcome: Cell,
    created_at: Cell,
}

impl From<AdminGame> for GameRow {
    fn from(entry: AdminGame) -> Self {
        Self {
            id: entry.id,
            user_id: entry.user_id,
            username: entry.username.into(),
            game_type: Some(entry.game_type),
            bet_amount: entry.bet_amount.into(),
            win_amount: entry.win_amount.into(),
            outcome: entry.outcome.into(),
            created_at: entry.created_at.into(),
        }
    }
}

impl List for AdminGame {
    const NAME: &'static str = "game-history";
    type Parameters = GameParameters;
    type Query = AllRoundsQuery;
    type Row = GameRow;

    fn cursor(place: HistoryCursor) -> String {
        place_text(place)
    }

    fn register(config: &mut ServiceConfig<'_>) {
        config.service(all_games);
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
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/game-history")]
pub(crate) async fn all_games(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<GameParameters>,
) -> Result<HttpResponse, ApiError> {
    answer::<AdminGame>(&application.house, parameters).await
}
