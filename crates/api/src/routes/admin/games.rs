//! The list of all players' rounds.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::play::outcome_text;
use glasshouse_casino::{AllRoundsQuery, AmountRange, HistoryCursor, PlayedRound};
use glasshouse_domain::{RoundId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::endpoints::Endpoints;
use crate::error::ApiError;
use crate::http::filters::{parse_amounts, parse_period};
use crate::http::pagination::parse_cursor;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::context::Reader;
use crate::routes::admin::lists::{List, respond};
use crate::routes::admin::{limit, malformed};
use crate::routes::games::wire::GameType;
use crate::routes::history::{cursor_text, parse_history_cursor};
use crate::state::Application;
use crate::wire::cell::Cell;
use crate::wire::time::iso;

/// Filters the rounds and selects a page.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct GameParameters {
    /// Only rounds of this game; `poker` includes both kinds.
    #[param(inline)]
    game_type: Option<GameType>,
    /// Only rounds of this player.
    user_id: Option<i64>,
    /// Only the round with this ID.
    id: Option<i64>,
    /// Only rounds that ended from this time on, such as `2026-11-26T12:00:00Z`.
    #[param(format = "date-time")]
    from: Option<String>,
    /// Only rounds that ended before this time.
    #[param(format = "date-time")]
    to: Option<String>,
    /// Only rounds of at least this stake, in dollars. Stakes need `from`, `userId` or `id`, because no
    /// index finds them.
    #[param(example = "25.00")]
    min_amount: Option<String>,
    /// Only rounds of at most this stake, in dollars.
    #[param(example = "100.00")]
    max_amount: Option<String>,
    /// The page size, from 1 to 200; the default is 100.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
    /// The `Next-Cursor` header of the previous page.
    #[param(pattern = "^[0-9]{1,18}-[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl TryFrom<GameParameters> for AllRoundsQuery {
    type Error = ApiError;

    fn try_from(parameters: GameParameters) -> Result<Self, ApiError> {
        let period = parse_period(parameters.from, parameters.to)?;
        let stakes = parse_amounts(parameters.min_amount, parameters.max_amount)?;
        let is_bounded =
            period.from.is_some() || parameters.user_id.is_some() || parameters.id.is_some();
        if stakes != AmountRange::ANY && !is_bounded {
            return Err(malformed("minAmount and maxAmount need from, userId or id"));
        }
        Ok(Self {
            games: parameters
                .game_type
                .map(GameType::games)
                .unwrap_or_default(),
            player: parameters.user_id.map(UserId::new),
            id: parameters.id.map(RoundId::new),
            period,
            stakes,
            after: parse_cursor(parameters.cursor, parse_history_cursor)?,
            limit: limit(parameters.limit)?,
        })
    }
}

/// A settled round as administrators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminGame {
    id: i64,
    user_id: i64,
    username: String,
    game_type: GameType,
    #[schema(example = "10.00")]
    bet_amount: String,
    #[schema(example = "19.80")]
    win_amount: String,
    /// Starts with `win` for wins.
    #[schema(example = "win")]
    outcome: String,
    /// When the round ended.
    #[schema(format = "date-time")]
    created_at: String,
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
            created_at: iso(round.settled_at()),
            outcome: outcome_text(&round),
        }
    }
}

/// A row of the CSV export.
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

    fn cursor(cursor: HistoryCursor) -> String {
        cursor_text(cursor)
    }

    fn person(&self) -> Option<i64> {
        Some(self.user_id)
    }

    fn register(endpoints: &mut Endpoints<'_>) {
        endpoints.service(all_games);
    }
}

/// The settled rounds of all players, the most recently ended first. If there may be more, the
/// `Next-Cursor` header contains the cursor of the next page.
#[utoipa::path(
    tag = "administration",
    params(GameParameters),
    responses(
        (status = 200, body = Vec<AdminGame>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/game-history")]
pub(crate) async fn all_games(
    application: web::Data<Application>,
    reader: Reader,
    parameters: web::Query<GameParameters>,
) -> Result<HttpResponse, ApiError> {
    respond::<AdminGame>(&application.house, reader, parameters).await
}
