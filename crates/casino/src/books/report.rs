//! The house report for administrators: the turnover per day, and the measured and exact return per
//! game.

use glasshouse_domain::Game;
use glasshouse_persistence::books::HouseTotals;
use glasshouse_persistence::{DatabaseError, Scope, queries};

use crate::alerts::facts::Facts;
use crate::alerts::raise::raise;
use crate::books::house_game::{HouseGame, of_game};
use crate::books::return_test::MeasuredReturn;
use crate::books::turnover::Turnover;
use crate::clock::date_of;
use crate::error::CasinoError;
use crate::house::House;

/// One day of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HouseDay {
    /// Days since 1970-01-01, UTC.
    pub day: i64,
    /// The turnover of the rounds settled on that day.
    pub turnover: Turnover,
}

/// The report over the days up to today.
#[derive(Debug, Clone)]
pub struct HouseReport {
    /// All days, oldest first, including days without rounds.
    pub days: Vec<HouseDay>,
    /// All games over these days, including games that were not played.
    pub games: Vec<HouseGame>,
}

/// Reads the report of the last `days` days, including today, with one query.
///
/// # Errors
/// On a fault.
pub async fn read_house_report(house: &House, days: u16) -> Result<HouseReport, CasinoError> {
    let today = house.now().day();
    let first = today.saturating_sub(i64::from(days).saturating_sub(1));
    let totals = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::house_totals(connection, first, today)
        })
        .await?;
    Ok(HouseReport {
        days: (first..=today).map(|day| of_day(day, &totals)).collect(),
        games: Game::ALL
            .iter()
            .map(|game| of_game(*game, &totals))
            .collect(),
    })
}

/// Reads the turnover and the return of each game over all days, with one query.
///
/// # Errors
/// On a fault.
pub(crate) async fn read_returns_of_all_days(house: &House) -> Result<Vec<HouseGame>, CasinoError> {
    let totals = house
        .database
        .read::<_, DatabaseError, _>(queries::house_totals_of_all_days)
        .await?;
    let games = Game::ALL.iter();
    Ok(games.map(|game| of_game(*game, &totals)).collect())
}

/// The number of days over which the metrics report the measured returns.
const METRICS_DAYS: u16 = 30;
/// A p-value below this raises an alert. It is so low that a healthy house hardly ever sees one,
/// although five games are tested again and again.
const ALERT_P_VALUE: f64 = 1e-5;

/// Publishes each game's measured return over the last 30 days and its p-value as metrics, and logs
/// an error and raises an alert if chance is too improbable an explanation.
///
/// # Errors
/// On a fault.
pub async fn publish_returns(house: &House) -> Result<(), CasinoError> {
    for game in read_house_report(house, METRICS_DAYS).await?.games {
        let Some(measured) = game.measured else {
            continue;
        };
        let name = game.game.as_str();
        metrics::gauge!("glasshouse_measured_return_ratio", "game" => name).set(measured.ratio);
        metrics::gauge!("glasshouse_return_p_value", "game" => name).set(measured.p_value);
        if measured.p_value < ALERT_P_VALUE {
            tracing::error!(
                game = name,
                returned = measured.ratio,
                p_value = measured.p_value,
                "a game's measured return does not match its rules: check for a fault or fraud"
            );
            alert(house, &game, &measured).await?;
        }
    }
    Ok(())
}

/// Raises an alert about a game, once a day.
async fn alert(
    house: &House,
    game: &HouseGame,
    measured: &MeasuredReturn,
) -> Result<(), CasinoError> {
    let now = house.now();
    let facts = Facts::Rtp {
        game: game.game.as_str().to_owned(),
        date: date_of(now).to_string(),
        days: METRICS_DAYS,
        measured_percent: format!("{:.2}", measured.percent()),
        exact_percent: game.exact_rtp_percent.to_owned(),
        p_value: format!("{:.1e}", measured.p_value),
    };
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            raise(transaction, &facts, None, now).map(drop)
        })
        .await
}

fn of_day(day: i64, totals: &[HouseTotals]) -> HouseDay {
    // The totals are ordered by day.
    let start = totals.partition_point(|totals| totals.day < day);
    let from_day = totals.get(start..).unwrap_or_default();
    HouseDay {
        day,
        turnover: Turnover::of(from_day.iter().take_while(|totals| totals.day == day)),
    }
}

#[cfg(test)]
mod tests {
    use glasshouse_domain::Money;

    use super::*;

    #[test]
    fn measured_return_is_rounded_to_the_nearest_hundredth_of_a_percent() {
        let check = |staked, paid, expected| {
            let turnover = Turnover {
                rounds: 1,
                staked: Money::from_cents(staked),
                paid: Money::from_cents(paid),
            };
            assert_eq!(turnover.return_hundredths_of_percent(), expected);
        };
        check(0, 0, None);
        check(100, 0, Some(0));
        check(100, 99, Some(9_900));
        check(3, 1, Some(3_333));
        check(3, 2, Some(6_667));
        check(20_000, 1, Some(1));
        check(20_001, 1, Some(0));
        check(1, i64::MAX, Some(i128::from(i64::MAX) * 10_000));
    }
}
