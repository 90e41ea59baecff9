//! The house's figures: liabilities, flows and revenues.

use actix_web::{HttpRequest, HttpResponse, get, web};
use glasshouse_casino::House;
use glasshouse_casino::books::{
    FiguresDay, FiguresPeriod, Flows, HouseFigures, Liabilities, Turnover,
    owed_for_approved_withdrawals, owed_in_balances, read_figures,
};
use glasshouse_domain::Game;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, malformed_query};
use crate::http::responses::{AdministratorsOnly, Malformed};
use crate::routes::admin::csv::csv_attachment;
use crate::routes::admin::malformed;
use crate::routes::admin::reports::{DEFAULT_DAYS, HouseGame, MAXIMUM_DAYS};
use crate::routes::csv_lines::{csv_header, csv_lines};
use crate::routes::games::wire::HouseGameName;
use crate::session::{Permitted, ReadFigures};
use crate::state::Application;
use crate::wire::time::{iso, iso_day, parse_day};

/// The name of the CSV export.
pub(crate) const EXPORT: &str = "figures";

/// Selects the days.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct FiguresParameters {
    /// The number of days up to today, from 1 to 366; not together with `from` and `to`. The default is 30.
    #[param(minimum = 1, maximum = 366)]
    days: Option<u16>,
    /// The first day in UTC; with `to`.
    #[param(format = "date")]
    from: Option<String>,
    /// The last day in UTC, at most 366 days in all. Days after today are left out.
    #[param(format = "date")]
    to: Option<String>,
}

impl TryFrom<FiguresParameters> for FiguresPeriod {
    type Error = ApiError;

    fn try_from(parameters: FiguresParameters) -> Result<Self, ApiError> {
        let day = |text: &str| parse_day(text).ok_or_else(|| malformed("a day is like 2026-11-22"));
        match (parameters.days, parameters.from, parameters.to) {
            (days, None, None) => match days.unwrap_or(DEFAULT_DAYS) {
                days @ 1..=MAXIMUM_DAYS => Ok(Self::Last(days)),
                _ => Err(malformed("days must be from 1 to 366")),
            },
            (None, Some(from), Some(to)) => {
                let (from, to) = (day(&from)?, day(&to)?);
                match to.checked_sub(from) {
                    Some(0..=LONGEST) => Ok(Self::Between(from, to)),
                    Some(longer) if longer > LONGEST => {
                        Err(malformed("there can be at most 366 days"))
                    }
                    _ => Err(malformed("to is before from")),
                }
            }
            (Some(_), ..) => Err(malformed("days cannot be combined with from and to")),
            _ => Err(malformed("from and to are used together")),
        }
    }
}

/// The greatest difference between the last and the first day.
const LONGEST: i64 = MAXIMUM_DAYS as i64 - 1;

/// The house's figures over some days in UTC.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminFigures {
    /// When they were read.
    #[schema(format = "date-time")]
    generated_at: String,
    liabilities: HouseLiabilities,
    /// What the house owed when the first day began.
    #[schema(example = "10000.00")]
    liabilities_before: String,
    /// What it owed when the last day ended, or owes now if that is today.
    #[schema(example = "12000.00")]
    liabilities_after: String,
    total: HouseFlows,
    /// All days, oldest first, including those on which nothing moved.
    days: Vec<FiguresOfDay>,
    /// All games over these days, including those without rounds.
    games: Vec<HouseGame>,
}

/// What the house owes its players now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HouseLiabilities {
    #[schema(example = "12000.00")]
    total: String,
    /// All balances.
    #[schema(example = "11500.00")]
    balances: String,
    /// The stakes of rounds in play.
    #[schema(example = "50.00")]
    open_stakes: String,
    /// Withdrawals that wait for a decision.
    #[schema(example = "250.00")]
    pending_withdrawals: String,
    /// Approved withdrawals whose payment has not arrived, also if it has failed and was not returned yet.
    #[schema(example = "200.00")]
    approved_withdrawals: String,
}

/// Money that moved.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HouseFlows {
    /// Credited deposits.
    #[schema(example = "500.00")]
    deposited: String,
    /// Withdrawals whose payment arrived, with the house's fee.
    #[schema(example = "200.00")]
    withdrawn: String,
    /// The house's fees in these withdrawals.
    #[schema(example = "2.00")]
    withdrawal_fees: String,
    /// Deposits less withdrawals.
    #[schema(example = "300.00")]
    net_deposits: String,
    /// The number of rounds that ended.
    rounds: u64,
    /// Their stakes.
    #[schema(example = "120.00")]
    staked: String,
    /// Their payouts.
    #[schema(example = "118.80")]
    paid: String,
    /// The gross gaming revenue: stakes less payouts.
    #[schema(example = "1.20")]
    ggr: String,
    /// Adjustments by administrators and the remainders of closed accounts; negative if they lowered the
    /// balances.
    #[schema(example = "0.50")]
    adjusted: String,
    /// The net gaming revenue: the gross one less the adjustments.
    #[schema(example = "0.70")]
    ngr: String,
}

/// The figures of a day.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FiguresOfDay {
    #[schema(format = "date", example = "2026-11-21")]
    day: String,
    #[serde(flatten)]
    flows: HouseFlows,
    /// What the house owed when the day ended, or owes now if that is today.
    #[schema(example = "12000.00")]
    liabilities: String,
    /// The games that were played.
    games: Vec<GameOfDay>,
}

/// A game's rounds that ended on a day.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameOfDay {
    game: HouseGameName,
    rounds: u64,
    #[schema(example = "120.00")]
    staked: String,
    #[schema(example = "118.80")]
    paid: String,
    /// The gross gaming revenue: stakes less payouts.
    #[schema(example = "1.20")]
    ggr: String,
}

impl From<&Liabilities> for HouseLiabilities {
    fn from(liabilities: &Liabilities) -> Self {
        Self {
            total: liabilities.total.to_string(),
            balances: owed_in_balances(liabilities).to_string(),
            open_stakes: liabilities.open_stakes.to_string(),
            pending_withdrawals: liabilities.pending_withdrawals.to_string(),
            approved_withdrawals: owed_for_approved_withdrawals(liabilities).to_string(),
        }
    }
}

impl From<&Flows> for HouseFlows {
    fn from(flows: &Flows) -> Self {
        Self {
            deposited: flows.deposited.to_string(),
            withdrawn: flows.withdrawn.to_string(),
            withdrawal_fees: flows.withdrawal_fees.to_string(),
            net_deposits: flows.net_deposits().to_string(),
            rounds: flows.turnover.rounds,
            staked: flows.turnover.staked.to_string(),
            paid: flows.turnover.paid.to_string(),
            ggr: flows.ggr().to_string(),
            adjusted: flows.adjusted.to_string(),
            ngr: flows.ngr().to_string(),
        }
    }
}

impl From<&(Game, Turnover)> for GameOfDay {
    fn from((game, turnover): &(Game, Turnover)) -> Self {
        Self {
            game: (*game).into(),
            rounds: turnover.rounds,
            staked: turnover.staked.to_string(),
            paid: turnover.paid.to_string(),
            ggr: turnover.profit().to_string(),
        }
    }
}

impl From<&FiguresDay> for FiguresOfDay {
    fn from(of_day: &FiguresDay) -> Self {
        Self {
            day: iso_day(of_day.day),
            flows: (&of_day.flows).into(),
            liabilities: of_day.owed.to_string(),
            games: of_day.games.iter().map(GameOfDay::from).collect(),
        }
    }
}

impl From<HouseFigures> for AdminFigures {
    fn from(figures: HouseFigures) -> Self {
        Self {
            generated_at: iso(figures.at),
            liabilities: (&figures.liabilities).into(),
            liabilities_before: figures.owed_before.to_string(),
            liabilities_after: figures.owed_after().to_string(),
            total: (&figures.total).into(),
            days: figures.days.iter().map(FiguresOfDay::from).collect(),
            games: figures.games.into_iter().map(HouseGame::from).collect(),
        }
    }
}

async fn read(house: &House, parameters: FiguresParameters) -> Result<HouseFigures, ApiError> {
    let figures = read_figures(house, parameters.try_into()?).await?;
    figures.ok_or_else(|| malformed("the first day is after today"))
}

/// What the house owes, and what came in, went out and was won by day and game.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("read_figures"))),
    params(FiguresParameters),
    responses(
        (status = 200, body = AdminFigures),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/figures")]
pub(crate) async fn house_figures(
    application: web::Data<Application>,
    _: Permitted<ReadFigures>,
    parameters: web::Query<FiguresParameters>,
) -> Result<web::Json<AdminFigures>, ApiError> {
    let figures = read(&application.house, parameters.into_inner()).await?;
    Ok(web::Json(figures.into()))
}

/// A line of the CSV export.
#[derive(Serialize, Default)]
struct Line {
    day: String,
    deposited: String,
    withdrawn: String,
    withdrawal_fees: String,
    net_deposits: String,
    rounds: u64,
    staked: String,
    paid: String,
    ggr: String,
    adjusted: String,
    ngr: String,
    liabilities: String,
}

impl From<&FiguresDay> for Line {
    fn from(of_day: &FiguresDay) -> Self {
        let flows = HouseFlows::from(&of_day.flows);
        Self {
            day: iso_day(of_day.day),
            deposited: flows.deposited,
            withdrawn: flows.withdrawn,
            withdrawal_fees: flows.withdrawal_fees,
            net_deposits: flows.net_deposits,
            rounds: flows.rounds,
            staked: flows.staked,
            paid: flows.paid,
            ggr: flows.ggr,
            adjusted: flows.adjusted,
            ngr: flows.ngr,
            liabilities: of_day.owed.to_string(),
        }
    }
}

/// The days as a CSV file.
pub(crate) async fn export_figures(
    house: &House,
    request: &HttpRequest,
) -> Result<HttpResponse, actix_web::Error> {
    let parameters = web::Query::<FiguresParameters>::from_query(request.query_string())
        .map_err(|error| malformed_query(error, request))?;
    let figures = read(house, parameters.into_inner()).await?;
    let mut lines = csv_header::<Line>()?;
    lines.extend(csv_lines(figures.days.iter().map(Line::from), false)?);
    Ok(csv_attachment(EXPORT).body(lines))
}
