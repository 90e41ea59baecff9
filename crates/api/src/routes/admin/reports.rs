//! The house's summary and report for administrators.

use actix_web::{get, web};
use glasshouse_casino::books::{
    HouseDay as DayOfReport, HouseGame as GameOfReport, HouseReport as Report, HouseSummary,
    MeasuredReturn, Sides, read_house_report, read_summary,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::games::wire::{GameType, HouseGameName};
use crate::session::Administrator;
use crate::state::Application;
use crate::wire::ratio::Ratio;
use crate::wire::time::iso_day;

/// The maximum number of days in a report.
pub(crate) const MAXIMUM_DAYS: u16 = 366;
/// The default number of days in a report.
pub(crate) const DEFAULT_DAYS: u16 = 30;

/// Key figures of the house.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminSummary {
    users: u64,
    banned_users: u64,
    total_games: u64,
    wins: u64,
    losses: u64,
    /// Total stake less total payout; negative for a loss of the house.
    #[schema(example = "12.00")]
    house_profit: String,
    pending_withdrawals: u64,
    #[schema(example = "250.00")]
    pending_withdrawal_amount: String,
    /// Payments that need manual review.
    open_reviews: u64,
    /// All games, including those without rounds.
    games: Vec<GameShare>,
}

/// A game's share of all rounds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameShare {
    game_type: GameType,
    count: u64,
    /// The percentage of all rounds, to one decimal.
    #[schema(value_type = f64, example = 33.3)]
    percent: Ratio,
}

impl From<HouseSummary> for AdminSummary {
    fn from(summary: HouseSummary) -> Self {
        let counts = summary.counts;
        Self {
            users: counts.users,
            banned_users: counts.banned_users,
            total_games: summary.rounds,
            wins: summary.wins,
            losses: summary.rounds.saturating_sub(summary.wins),
            house_profit: summary.profit.to_string(),
            pending_withdrawals: counts.pending_withdrawals,
            pending_withdrawal_amount: counts.pending_withdrawal_total.to_string(),
            open_reviews: counts.open_reviews,
            games: summary
                .games
                .iter()
                .map(|share| GameShare {
                    game_type: GameType::listed(share.listed_name),
                    count: share.rounds,
                    percent: Ratio::new(i128::from(share.tenths_of_percent), 10),
                })
                .collect(),
        }
    }
}

/// Key figures about users, games and pending administrative work.
#[utoipa::path(
    tag = "administration",
    responses(
        (status = 200, body = AdminSummary),
        AdministratorsOnly,
    )
)]
#[get("/api/admin/summary")]
pub(crate) async fn house_summary(
    application: web::Data<Application>,
    _: Administrator,
) -> Result<web::Json<AdminSummary>, ApiError> {
    let summary = read_summary(&application.house).await?;
    Ok(web::Json(summary.into()))
}

/// Selects the reported days.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct HouseParameters {
    /// The number of days up to today, from 1 to 366; the default is 30.
    #[param(minimum = 1, maximum = 366)]
    days: Option<u16>,
}

/// The house's profit and loss by day, and the return of each game.
#[derive(Serialize, ToSchema)]
pub(crate) struct HouseReport {
    /// All days in UTC, oldest first, including those without rounds.
    days: Vec<HouseDay>,
    /// All games over these days, including those without rounds.
    games: Vec<HouseGame>,
}

/// Stakes and payouts of the rounds that ended on a day.
#[derive(Serialize, ToSchema)]
pub(crate) struct HouseDay {
    #[schema(format = "date", example = "2026-11-21")]
    day: String,
    #[schema(example = "120.00")]
    staked: String,
    #[schema(example = "118.80")]
    paid: String,
    /// Total stake less total payout; negative for a loss of the house.
    #[schema(example = "1.20")]
    profit: String,
    rounds: u64,
}

/// A game's measured return, compared to its exact return by the rules.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HouseGame {
    game: HouseGameName,
    rounds: u64,
    #[schema(example = "120.00")]
    staked: String,
    #[schema(example = "118.80")]
    paid: String,
    /// Total stake less total payout; negative for a loss of the house.
    #[schema(example = "1.20")]
    profit: String,
    /// The exact RTP by the rules: for both kinds of poker with optimal play, for video poker at
    /// the maximum bet.
    #[schema(example = "99.00")]
    exact_rtp_percent: String,
    /// Total payout divided by total stake; null if nothing was staked.
    #[schema(example = "98.31")]
    measured_rtp_percent: Option<String>,
    /// The lower bound of the 95 % confidence interval of the measured RTP, based on the variance
    /// that the rules give; null for fewer than 30 rounds.
    #[schema(example = "91.20")]
    low_percent: Option<String>,
    /// The upper bound of that interval.
    #[schema(example = "105.42")]
    high_percent: Option<String>,
    /// The probability that chance alone moves the measured RTP at least as far from the exact one;
    /// null if there is no interval.
    #[schema(minimum = 0, maximum = 1, example = 0.0455)]
    p_value: Option<f64>,
    /// Whether only higher returns count as unusual, because players do not always play optimally.
    is_one_sided: bool,
}

impl From<&DayOfReport> for HouseDay {
    fn from(DayOfReport { day, turnover }: &DayOfReport) -> Self {
        Self {
            day: iso_day(*day),
            staked: turnover.staked.to_string(),
            paid: turnover.paid.to_string(),
            profit: turnover.profit().to_string(),
            rounds: turnover.rounds,
        }
    }
}

impl From<GameOfReport> for HouseGame {
    fn from(game: GameOfReport) -> Self {
        let turnover = game.turnover;
        let measured = turnover.return_hundredths_of_percent();
        let comparison = game.measured.as_ref();
        let bound = |bound: fn(&MeasuredReturn) -> f64| comparison.map(bound).map(percent);
        Self {
            game: game.game.into(),
            rounds: turnover.rounds,
            staked: turnover.staked.to_string(),
            paid: turnover.paid.to_string(),
            profit: turnover.profit().to_string(),
            measured_rtp_percent: measured
                .map(|value| format!("{}.{:02}", value / 100, value % 100)),
            low_percent: bound(|measured| measured.low),
            high_percent: bound(|measured| measured.high),
            p_value: comparison.map(|measured| measured.p_value),
            is_one_sided: game.sides == Sides::Above,
            exact_rtp_percent: game.exact_rtp_percent.to_owned(),
        }
    }
}

#[expect(clippy::float_arithmetic, reason = "statistics, not money")]
fn percent(fraction: f64) -> String {
    format!("{:.2}", fraction * 100.0)
}

impl From<Report> for HouseReport {
    fn from(report: Report) -> Self {
        Self {
            days: report.days.iter().map(HouseDay::from).collect(),
            games: report.games.into_iter().map(HouseGame::from).collect(),
        }
    }
}

/// The house's profit and loss by day, and the return of each game.
#[utoipa::path(
    tag = "administration",
    params(HouseParameters),
    responses(
        (status = 200, body = HouseReport),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/house")]
pub(crate) async fn house_report(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<HouseParameters>,
) -> Result<web::Json<HouseReport>, ApiError> {
    let days = parameters.days.unwrap_or(DEFAULT_DAYS);
    if !(1..=MAXIMUM_DAYS).contains(&days) {
        let message = format!("days must be from 1 to {MAXIMUM_DAYS}");
        return Err(ApiError::Malformed(message));
    }
    let report = read_house_report(&application.house, days).await?;
    Ok(web::Json(report.into()))
}
