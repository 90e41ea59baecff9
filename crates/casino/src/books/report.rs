//! An administrator sees how the house does: day by day, and what each game returned beside what
//! it must return.

use glasshouse_domain::{Game, Spread};
use glasshouse_games::game_round::ReturnOf;
use glasshouse_games::registry::info;
use glasshouse_persistence::books::HouseTotals;
use glasshouse_persistence::{DatabaseError, queries};

use crate::books::return_test::{MeasuredReturn, Sides, measured_return};
use crate::books::turnover::Turnover;
use crate::error::CasinoError;
use crate::house::House;

/// A day of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HouseDay {
    /// Days since 1970-01-01, UTC.
    pub day: i64,
    /// Of the rounds that were settled on it.
    pub turnover: Turnover,
}

/// A game of the report.
#[derive(Debug, Clone)]
pub struct HouseGame {
    /// Which game; heads-up hold'em apart from video poker.
    pub game: Game,
    /// Of its rounds.
    pub turnover: Turnover,
    /// What it returns by its rules, in percent, in decimals.
    pub exact_rtp_percent: &'static str,
    /// Which returns would be unusual.
    pub sides: Sides,
    /// How what was measured compares with that, if there is enough of it.
    pub measured: Option<MeasuredReturn>,
}

/// How the house did on some days up to today.
#[derive(Debug, Clone)]
pub struct HouseReport {
    /// Every day, the oldest first, whether or not there were rounds.
    pub days: Vec<HouseDay>,
    /// Every game over all of these days, played or not.
    pub games: Vec<HouseGame>,
}

/// Reads the report of the last `days` days, today included, in one query.
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

/// Over how many days the metrics publish what the games returned.
const WATCHED_DAYS: u16 = 30;
/// A return that chance alone brings about less often than this is an alarm: so rarely that a house in
/// order hardly ever sees one, though five games are looked at again and again.
const ALARMING_P_VALUE: f64 = 1e-5;

/// Tells the metrics what each game returned over the last month and how probable that is by the
/// rules, and the log where it is too improbable to be chance.
///
/// # Errors
/// On a fault.
pub async fn publish_returns(house: &House) -> Result<(), CasinoError> {
    for game in read_house_report(house, WATCHED_DAYS).await?.games {
        let Some(measured) = game.measured else {
            continue;
        };
        let name = game.game.as_str();
        metrics::gauge!("glasshouse_measured_return_ratio", "game" => name).set(measured.ratio);
        metrics::gauge!("glasshouse_return_p_value", "game" => name).set(measured.p_value);
        if measured.p_value < ALARMING_P_VALUE {
            tracing::error!(
                game = name,
                returned = measured.ratio,
                p_value = measured.p_value,
                "a game does not return what its rules say: look for a fault or fraud"
            );
        }
    }
    Ok(())
}

fn of_day(day: i64, totals: &[HouseTotals]) -> HouseDay {
    // They come in the order of the days.
    let begin = totals.partition_point(|totals| totals.day < day);
    let since = totals.get(begin..).unwrap_or_default();
    HouseDay {
        day,
        turnover: Turnover::of(since.iter().take_while(|totals| totals.day == day)),
    }
}

fn of_game(game: Game, totals: &[HouseTotals]) -> HouseGame {
    let mut turnover = Turnover::default();
    let mut spread = Spread::default();
    for totals in totals.iter().filter(|totals| totals.game == game) {
        turnover.add(totals);
        spread = spread.plus(totals.spread);
    }
    HouseGame {
        game,
        exact_rtp_percent: info(game).rtp_percent,
        sides: sides(game),
        measured: measured_return(&turnover, spread, sides(game)),
        turnover,
    }
}

const fn sides(game: Game) -> Sides {
    match info(game).return_of {
        ReturnOf::EveryStrategy => Sides::Both,
        ReturnOf::BestPlay => Sides::Above,
    }
}

#[cfg(test)]
mod tests {
    use glasshouse_domain::Money;

    use super::*;

    #[test]
    fn the_measured_return_is_rounded_to_the_nearest_hundredth() {
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
