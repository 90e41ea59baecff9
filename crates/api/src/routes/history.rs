//! A player's history and statistics.

pub(crate) mod entry;
pub(crate) mod profit;

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::play::{HistoryRequest, ListedStatistics, read_history, read_statistics};
use glasshouse_casino::{CasinoError, HistoryCursor, Round};
use glasshouse_domain::{Money, RoundId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use self::entry::GameHistoryEntry;
use crate::error::ApiError;
use crate::http::pagination::{MAXIMUM_PAGE, page, parse_cursor, parse_limit, parse_search};
use crate::http::responses::{Malformed, PlayersOnly};
use crate::routes::games::wire::GameType;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::multiplier::MultiplierNumber;
use crate::wire::time::iso;

/// Selects a page of the history.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryParameters {
    /// The page size, from 1 to 100; the default is 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// The `Next-Cursor` header of the previous page.
    #[param(pattern = "^[0-9]{1,18}-[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
    /// Only rounds of this game.
    #[param(inline)]
    game_type: Option<GameType>,
    /// Words that an entry must all contain, such as `win`, an amount or a date.
    search: Option<String>,
}

impl HistoryParameters {
    fn parse(self) -> Result<HistoryRequest, ApiError> {
        let limit = parse_limit(self.limit, MAXIMUM_PAGE, MAXIMUM_PAGE)?;
        let after = parse_cursor(self.cursor, parse_history_cursor)?;
        Ok(HistoryRequest {
            games: self.game_type.map(GameType::games).unwrap_or_default(),
            after,
            limit,
            search: parse_search(self.search)?,
        })
    }
}

/// Formats a history cursor for `Next-Cursor`.
pub(crate) fn cursor_text(HistoryCursor { ended_at, id }: HistoryCursor) -> String {
    format!("{}-{id}", ended_at.as_micros())
}

pub(crate) fn parse_history_cursor(text: &str) -> Option<HistoryCursor> {
    let (micros, id) = text.split_once('-')?;
    let ended_at = Timestamp::from_micros(micros.parse().ok()?);
    Some(HistoryCursor {
        ended_at,
        id: id.parse::<RoundId>().ok()?,
    })
}

/// The player's settled rounds, newest first. If there may be more, the `Next-Cursor` header
/// contains the cursor of the next page. A search covers a limited part of the history at a time,
/// so its page can be short or even empty and still have a next page.
#[utoipa::path(
    tag = "history",
    params(HistoryParameters),
    responses(
        (status = 200, body = Vec<GameHistoryEntry>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/game-history")]
pub(crate) async fn game_history(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<HistoryParameters>,
) -> Result<HttpResponse, ApiError> {
    let request = parameters.into_inner().parse()?;
    let history = read_history(&application.house, user.id, request).await?;
    let entries: Result<Vec<GameHistoryEntry>, CasinoError> =
        history.entries.into_iter().map(TryInto::try_into).collect();
    Ok(page(&entries?, history.next.map(cursor_text)))
}

/// A player's totals over all settled rounds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayerStatistics {
    total_games: u64,
    wins: u64,
    losses: u64,
    #[schema(example = "120.00")]
    total_wagered: String,
    #[schema(example = "118.80")]
    total_won: String,
    biggest_win: Option<BiggestWin>,
    /// One entry for each game that the player has played.
    games: Vec<PlayerGameStatistics>,
}

/// The winning round with the highest payout.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BiggestWin {
    round_id: i64,
    game_type: GameType,
    #[schema(format = "date-time")]
    created_at: String,
    win_amount: String,
    bet_amount: String,
}

/// A player's totals in one game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GameStatistics)]
pub(crate) struct PlayerGameStatistics {
    game_type: GameType,
    games_played: u64,
    wins: u64,
    total_wagered: String,
    total_won: String,
    /// Total payout less total stake; negative for a loss.
    #[schema(example = "-1.20")]
    profit: String,
    /// The mean cash-out multiplier, in games with a cash-out.
    #[schema(value_type = Option<f64>)]
    average_multiplier: Option<MultiplierNumber>,
    /// The highest cash-out multiplier.
    #[schema(value_type = Option<f64>)]
    best_multiplier: Option<MultiplierNumber>,
}

fn total(amounts: impl Iterator<Item = Money>) -> Money {
    // The stored sums are far below the maximum, so this does not saturate.
    Money::from_cents(amounts.map(Money::cents).fold(0, i64::saturating_add))
}

impl From<Vec<ListedStatistics>> for PlayerStatistics {
    fn from(games: Vec<ListedStatistics>) -> Self {
        let total_games: u64 = games.iter().map(|game| game.rounds).sum();
        let wins: u64 = games.iter().map(|game| game.wins).sum();
        let biggest = games
            .iter()
            .filter_map(|game| game.biggest_win.as_ref())
            .max_by_key(|round| round.payout);
        Self {
            total_games,
            wins,
            losses: total_games.saturating_sub(wins),
            total_wagered: total(games.iter().map(|game| game.staked)).to_string(),
            total_won: total(games.iter().map(|game| game.paid)).to_string(),
            biggest_win: biggest.map(BiggestWin::from),
            games: games.iter().map(PlayerGameStatistics::from).collect(),
        }
    }
}

impl From<&Round> for BiggestWin {
    fn from(round: &Round) -> Self {
        Self {
            round_id: round.id.get(),
            game_type: GameType::of(round.game),
            created_at: iso(round.settled_at()),
            win_amount: round.payout.to_string(),
            bet_amount: round.stake.to_string(),
        }
    }
}

impl From<&ListedStatistics> for PlayerGameStatistics {
    fn from(game: &ListedStatistics) -> Self {
        let profit = game.paid.cents().saturating_sub(game.staked.cents());
        Self {
            game_type: GameType::listed(game.listed_name),
            games_played: game.rounds,
            wins: game.wins,
            total_wagered: game.staked.to_string(),
            total_won: game.paid.to_string(),
            profit: Money::from_cents(profit).to_string(),
            average_multiplier: game.average_multiplier.map(MultiplierNumber),
            best_multiplier: game.best_multiplier.map(MultiplierNumber),
        }
    }
}

/// The player's totals over all settled rounds, and by game.
#[utoipa::path(
    tag = "history",
    responses((status = 200, body = PlayerStatistics), PlayersOnly)
)]
#[get("/api/statistics")]
pub(crate) async fn statistics(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
) -> Result<web::Json<PlayerStatistics>, ApiError> {
    let games = read_statistics(&application.house, user.id).await?;
    Ok(web::Json(games.into()))
}
