//! The house's figures for administrators: what it owes, what came in and went out, and what it won.

use glasshouse_domain::{Game, Money, Timestamp};
use glasshouse_persistence::books::{FlowsOfDays, HouseFlows, HouseTotals, Liabilities};
use glasshouse_persistence::{DatabaseError, queries};

use crate::books::house_game::{HouseGame, of_game};
use crate::books::turnover::Turnover;
use crate::error::CasinoError;
use crate::house::House;

/// The days that the figures are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FiguresPeriod {
    /// A number of days up to and including today.
    Last(u16),
    /// From a day to a later day or the same, each as days since 1970-01-01 in UTC. The days after today
    /// are left out.
    Between(i64, i64),
}

/// Money that moved, over a day or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flows {
    /// The credited deposits.
    pub deposited: Money,
    /// The withdrawals whose payment arrived, with the house's fee.
    pub withdrawn: Money,
    /// The house's fees in these withdrawals.
    pub withdrawal_fees: Money,
    /// The administrators' adjustments and the remainders of closed accounts; negative if they lowered the
    /// balances.
    pub adjusted: Money,
    /// The settled rounds.
    pub turnover: Turnover,
}

impl Flows {
    /// Deposits less withdrawals.
    #[must_use]
    pub fn net_deposits(&self) -> Money {
        less(self.deposited, self.withdrawn)
    }

    /// The gross gaming revenue: stakes less payouts.
    #[must_use]
    pub fn ggr(&self) -> Money {
        self.turnover.profit()
    }

    /// The net gaming revenue: the gross one less what the house gave away in adjustments.
    #[must_use]
    pub fn ngr(&self) -> Money {
        less(self.ggr(), self.adjusted)
    }

    /// How much more the house owes after these flows than before.
    fn owed(&self) -> Money {
        less(plus(self.net_deposits(), self.adjusted), self.ggr())
    }

    fn of_day(flows: Option<&HouseFlows>, turnover: Turnover) -> Self {
        let found = flows.map_or_else(Self::default, |flows| Self {
            deposited: flows.deposited,
            withdrawn: flows.arrived,
            withdrawal_fees: flows.arrived_fees,
            adjusted: flows.adjusted,
            turnover,
        });
        Self { turnover, ..found }
    }

    fn add(&mut self, other: &Self) {
        self.deposited = plus(self.deposited, other.deposited);
        self.withdrawn = plus(self.withdrawn, other.withdrawn);
        self.withdrawal_fees = plus(self.withdrawal_fees, other.withdrawal_fees);
        self.adjusted = plus(self.adjusted, other.adjusted);
        self.turnover.include(&other.turnover);
    }
}

/// One day of the figures.
#[derive(Debug, Clone)]
pub struct FiguresDay {
    /// Days since 1970-01-01, UTC.
    pub day: i64,
    /// What moved on it.
    pub flows: Flows,
    /// What the house owed when it ended, or owes now if it has not ended.
    pub owed: Money,
    /// The games that were played on it.
    pub games: Vec<(Game, Turnover)>,
}

/// The house's figures over some days.
#[derive(Debug, Clone)]
pub struct HouseFigures {
    /// When they were read.
    pub at: Timestamp,
    /// What the house owes now.
    pub liabilities: Liabilities,
    /// What it owed when the first day began.
    pub owed_before: Money,
    /// All days, oldest first.
    pub days: Vec<FiguresDay>,
    /// What moved in total.
    pub total: Flows,
    /// All games over these days, including games that were not played.
    pub games: Vec<HouseGame>,
}

impl HouseFigures {
    /// What the house owed when the last day ended, or owes now if it has not ended.
    #[must_use]
    pub fn owed_after(&self) -> Money {
        self.days.last().map_or(self.owed_before, |day| day.owed)
    }
}

/// What the house owes its players in their balances.
#[must_use]
pub fn owed_in_balances(liabilities: &Liabilities) -> Money {
    less(
        less(liabilities.total, liabilities.open_stakes),
        liabilities.unpaid_withdrawals,
    )
}

/// What the house owes for approved withdrawals that have neither arrived nor been returned.
#[must_use]
pub fn owed_for_approved_withdrawals(liabilities: &Liabilities) -> Money {
    less(
        liabilities.unpaid_withdrawals,
        liabilities.pending_withdrawals,
    )
}

/// Reads the figures; `None` if the period begins after today. Reads rows for each day, however many ledger
/// entries there are.
///
/// # Errors
/// On a fault.
pub async fn read_figures(
    house: &House,
    period: FiguresPeriod,
) -> Result<Option<HouseFigures>, CasinoError> {
    let at = house.now();
    let today = at.day();
    let (first, last) = match period {
        FiguresPeriod::Last(days) => (today.saturating_sub(i64::from(days.max(1)) - 1), today),
        FiguresPeriod::Between(first, last) => (first, last.min(today)),
    };
    if first > last {
        return Ok(None);
    }
    let found = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::flows_of_days(connection, first, last)
        })
        .await?;
    Ok(Some(figures_of(at, (first, last), &found)))
}

fn figures_of(at: Timestamp, (first, last): (i64, i64), found: &FlowsOfDays) -> HouseFigures {
    let mut total = Flows::default();
    let mut owed = found.owed_before;
    let days = (first..=last).map(|day| {
        let of_day = totals_of(day, &found.totals);
        let flows = found.flows.binary_search_by_key(&day, |flows| flows.day);
        let flows = flows.ok().and_then(|index| found.flows.get(index));
        let flows = Flows::of_day(flows, Turnover::of(of_day));
        owed = plus(owed, flows.owed());
        total.add(&flows);
        let games = of_day
            .iter()
            .map(|of_game| (of_game.game, Turnover::of([of_game])));
        FiguresDay {
            day,
            flows,
            owed,
            games: games.collect(),
        }
    });
    HouseFigures {
        at,
        days: days.collect(),
        liabilities: found.owed,
        owed_before: found.owed_before,
        total,
        games: Game::ALL
            .iter()
            .map(|game| of_game(*game, &found.totals))
            .collect(),
    }
}

/// The totals of a day's games, from totals that are ordered by day.
fn totals_of(day: i64, totals: &[HouseTotals]) -> &[HouseTotals] {
    let start = totals.partition_point(|totals| totals.day < day);
    let end = totals.partition_point(|totals| totals.day <= day);
    totals.get(start..end).unwrap_or_default()
}

const fn plus(one: Money, other: Money) -> Money {
    Money::from_cents(one.cents().saturating_add(other.cents()))
}

const fn less(one: Money, other: Money) -> Money {
    Money::from_cents(one.cents().saturating_sub(other.cents()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revenues_and_liabilities_follow_from_the_flows() {
        let cents = Money::from_cents;
        let flows = Flows {
            deposited: cents(10_000),
            withdrawn: cents(4_000),
            withdrawal_fees: cents(40),
            adjusted: cents(-300),
            turnover: Turnover {
                rounds: 2,
                staked: cents(500),
                paid: cents(700),
            },
        };
        assert_eq!(flows.net_deposits(), cents(6_000));
        assert_eq!(flows.ggr(), cents(-200));
        // What was taken from a balance is no longer owed.
        assert_eq!(flows.ngr(), cents(100));
        assert_eq!(flows.owed(), cents(6_000 - 300 + 200));
        let mut total = flows;
        total.add(&flows);
        assert_eq!(total.owed(), cents(2 * 5_900));
        assert_eq!(total.turnover.rounds, 4);
    }
}
