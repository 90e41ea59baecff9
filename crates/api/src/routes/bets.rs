//! The settled bets of all players, and the crash points of their rounds.

use std::borrow::Cow;

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::play::{
    CrashPoints as Points, Reached, SettledCrash, outcome_text, read_crash_points, read_high_wins,
    read_newest_bets,
};
use glasshouse_casino::{CasinoError, HighWinCursor, Page, PublicRound, Round};
use glasshouse_domain::{Game, Money, Multiplier, RoundId};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::error::ApiError;
use crate::http::pagination::{MAXIMUM_PAGE, page, parse_cursor, parse_limit};
use crate::http::responses::{Malformed, PlayersOnly};
use crate::routes::games::wire::{GameType, listed_game_types};
use crate::routes::history::entry::HistoryResults;
use crate::routes::history::{cursor_text, parse_history_cursor};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::time::iso;

const DEFAULT_PAGE: usize = 20;
const DEFAULT_POINTS: usize = 50;
const MAXIMUM_POINTS: usize = 200;
const ALL_GAMES: &str = "all";

/// The games whose bets are requested.
#[derive(Clone, Copy)]
pub(crate) enum BetsOf {
    AllGames,
    Game(GameType),
}

impl BetsOf {
    /// The games; all if empty.
    pub(crate) fn games(self) -> Vec<Game> {
        match self {
            Self::AllGames => Vec::new(),
            Self::Game(game) => game.games(),
        }
    }
}

impl<'de> Deserialize<'de> for BetsOf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        if text == ALL_GAMES {
            return Ok(Self::AllGames);
        }
        let unknown = || D::Error::custom("must be all or the name of a game");
        GameType::parse(&text).map(Self::Game).ok_or_else(unknown)
    }
}

impl PartialSchema for BetsOf {
    fn schema() -> RefOr<Schema> {
        let mut names = vec![ALL_GAMES];
        names.extend(listed_game_types());
        let object = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .enum_values(Some(names));
        RefOr::T(object.build().into())
    }
}

impl ToSchema for BetsOf {}

/// A list of bets.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BetsView {
    /// Newest first.
    All,
    /// Profits of at least 5.00 of today and the six days before, in UTC; largest profit first.
    High,
}

/// Selects a page of bets.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BetsParameters {
    /// `all`: newest first. `high`: profits of at least 5.00 of today and the six days before, in UTC,
    /// largest profit first.
    #[param(inline)]
    view: BetsView,
    /// Only rounds of this game.
    #[param(inline)]
    game_type: Option<GameType>,
    /// The page size, from 1 to 100; the default is 20.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// The `Next-Cursor` header of the previous page of the same view.
    #[param(pattern = "^[0-9]{1,18}-[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

/// A settled round of any player.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublicBet {
    id: i64,
    game_type: GameType,
    /// The player's username; null if the player hides it.
    player: Option<String>,
    #[schema(example = "10.00")]
    bet_amount: String,
    /// The multiplier that was paid, rounded down to two decimals; null if nothing was paid. Without a
    /// cash-out, it is the payout divided by the stake.
    #[schema(example = "1.98")]
    multiplier: Option<String>,
    #[schema(example = "19.80")]
    win_amount: String,
    /// Payout less stake; negative for a loss.
    #[schema(example = "9.80")]
    profit: String,
    /// Starts with `win` for wins, as in the history.
    #[schema(example = "win")]
    outcome: String,
    #[schema(format = "date-time")]
    ended_at: String,
    result: HistoryResults,
}

impl TryFrom<PublicRound> for PublicBet {
    type Error = CasinoError;

    fn try_from(bet: PublicRound) -> Result<Self, CasinoError> {
        let round = bet.round;
        Ok(Self {
            id: round.id.get(),
            game_type: GameType::of(round.game),
            player: bet.player_name,
            bet_amount: round.stake.to_string(),
            multiplier: paid_multiplier(&round),
            win_amount: round.payout.to_string(),
            profit: round.profit().to_string(),
            outcome: outcome_text(&round),
            ended_at: iso(round.settled_at()),
            result: HistoryResults::try_from(&round)?,
        })
    }
}

/// The multiplier that was paid; `None` if nothing was paid.
pub(crate) fn paid_multiplier(round: &Round) -> Option<String> {
    if !round.payout.is_positive() {
        return None;
    }
    if let Some(multiplier) = round.multiplier {
        return Some(multiplier.to_string());
    }
    let hundredths = (round.payout.cents().checked_mul(100)?).checked_div(round.stake.cents())?;
    let hundredths = u32::try_from(hundredths).ok()?;
    Some(Multiplier::from_hundredths(hundredths).to_string())
}

fn high_win_cursor_text(HighWinCursor { profit, id }: HighWinCursor) -> String {
    format!("{}-{id}", profit.cents())
}

fn parse_high_win_cursor(text: &str) -> Option<HighWinCursor> {
    let (profit_cents, id) = text.split_once('-')?;
    Some(HighWinCursor {
        profit: Money::from_cents(profit_cents.parse().ok()?),
        id: id.parse::<RoundId>().ok()?,
    })
}

/// Leaves out and logs what cannot be read: a list for everybody must not fail because of one corrupt
/// round.
fn bets_page<C>(
    found: Page<PublicRound, C>,
    cursor_text: impl FnOnce(C) -> String,
) -> HttpResponse {
    let bets: Vec<PublicBet> = found.entries.into_iter().filter_map(listed).collect();
    page(&bets, found.next.map(cursor_text))
}

/// The bet as it is listed; `None`, and a line in the log, if it cannot be read.
pub(crate) fn listed(round: PublicRound) -> Option<PublicBet> {
    PublicBet::try_from(round)
        .inspect_err(|error| tracing::error!(%error, "a bet could not be listed"))
        .ok()
}

/// The settled rounds of all players. If there may be more, the `Next-Cursor` header contains the
/// cursor of the next page.
#[utoipa::path(
    tag = "bets",
    params(BetsParameters),
    responses(
        (status = 200, body = Vec<PublicBet>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/bets")]
pub(crate) async fn all_bets(
    application: web::Data<Application>,
    _: SignedIn,
    parameters: web::Query<BetsParameters>,
) -> Result<HttpResponse, ApiError> {
    let parameters = parameters.into_inner();
    let limit = parse_limit(parameters.limit, DEFAULT_PAGE, MAXIMUM_PAGE)?;
    let games = parameters
        .game_type
        .map(GameType::games)
        .unwrap_or_default();
    let (house, cursor) = (&application.house, parameters.cursor);
    Ok(match parameters.view {
        BetsView::All => {
            let after = parse_cursor(cursor, parse_history_cursor)?;
            let found = read_newest_bets(house, games, after, limit).await?;
            bets_page(found, cursor_text)
        }
        BetsView::High => {
            let after = parse_cursor(cursor, parse_high_win_cursor)?;
            let found = read_high_wins(house, games, after, limit).await?;
            bets_page(found, high_win_cursor_text)
        }
    })
}

/// Selects crash points.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CrashPointsParameters {
    /// The number of rounds, from 1 to 200; the default is 50.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

/// The crash points of the newest settled rounds of all players.
#[derive(Serialize, ToSchema)]
pub(crate) struct CrashPoints {
    /// Newest first.
    points: Vec<PublicCrashPoint>,
    statistics: CrashPointStatistics,
}

/// The crash point of a settled round, even if its player cashed out first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublicCrashPoint {
    id: i64,
    #[schema(example = "1.23")]
    crash_point: String,
    #[schema(format = "date-time")]
    ended_at: String,
}

/// The distribution of the crash points in the same response.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CrashPointStatistics {
    rounds: usize,
    /// The mean, rounded down to two decimals; null without rounds.
    #[schema(example = "4.56")]
    average_of_last: Option<String>,
    shares: Vec<CrashPointShare>,
}

/// How many of the rounds reached a multiplier.
#[derive(Serialize, ToSchema)]
pub(crate) struct CrashPointShare {
    #[schema(example = "2.00")]
    multiplier: String,
    /// The number of rounds with at least this crash point.
    reached: usize,
}

impl From<&SettledCrash> for PublicCrashPoint {
    fn from(round: &SettledCrash) -> Self {
        Self {
            id: round.id.get(),
            crash_point: round.crash_point.to_string(),
            ended_at: iso(round.ended_at),
        }
    }
}

impl From<Reached> for CrashPointShare {
    fn from(reached: Reached) -> Self {
        Self {
            multiplier: reached.multiplier.to_string(),
            reached: reached.rounds,
        }
    }
}

impl From<&Points> for CrashPoints {
    fn from(points: &Points) -> Self {
        Self {
            points: points.rounds.iter().map(PublicCrashPoint::from).collect(),
            statistics: CrashPointStatistics {
                rounds: points.rounds.len(),
                average_of_last: points.mean().map(|mean| mean.to_string()),
                shares: points.reached().into_iter().map(Into::into).collect(),
            },
        }
    }
}

/// The crash points of the newest settled rounds of all players, and how many of these reached certain
/// multipliers.
#[utoipa::path(
    tag = "bets",
    params(CrashPointsParameters),
    responses((status = 200, body = CrashPoints), Malformed, PlayersOnly)
)]
#[get("/api/crash/points")]
pub(crate) async fn crash_points(
    application: web::Data<Application>,
    _: SignedIn,
    parameters: web::Query<CrashPointsParameters>,
) -> Result<web::Json<CrashPoints>, ApiError> {
    let limit = parse_limit(parameters.limit, DEFAULT_POINTS, MAXIMUM_POINTS)?;
    let points = read_crash_points(&application.house, limit).await?;
    Ok(web::Json((&points).into()))
}
