//! Totals of all settled rounds, one row per day, game and writer, so that the cost of the house's
//! report does not depend on the number of rounds.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Double, Text};
use glasshouse_domain::{Game, Money, Spread};

use crate::accounts::account::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::round::{Round, parse_game};

/// The totals of a game for a day.
#[derive(Debug, Clone, Copy)]
pub struct HouseTotals {
    /// The day on which the rounds ended, as days since 1970-01-01 in UTC.
    pub day: i64,
    /// The game.
    pub game: Game,
    /// The number of settled rounds.
    pub rounds: u64,
    /// The number of rounds won.
    pub wins: u64,
    /// The sum of the stakes.
    pub staked: Money,
    /// The sum of the payouts.
    pub paid: Money,
    /// The expected payout and its variance.
    pub spread: Spread,
}

/// Sums the rows of all writers, grouped by the given columns.
macro_rules! totals_query {
    ($day:literal, $apart:literal) => {
        concat!(
            "SELECT ",
            $day,
            " AS day, game,
                CAST(SUM(rounds) AS BIGINT) AS rounds, CAST(SUM(wins) AS BIGINT) AS wins,
                CAST(SUM(staked_cents) AS BIGINT) AS staked_cents,
                CAST(SUM(paid_cents) AS BIGINT) AS paid_cents,
                SUM(expected_cents) AS expected_cents, SUM(variance) AS variance
             FROM house_totals WHERE day BETWEEN $1 AND $2
             GROUP BY ",
            $apart,
            " ORDER BY ",
            $apart
        )
    };
}

#[derive(QueryableByName)]
struct TotalsRow {
    #[diesel(sql_type = BigInt)]
    day: i64,
    #[diesel(sql_type = Text)]
    game: String,
    #[diesel(sql_type = BigInt)]
    rounds: i64,
    #[diesel(sql_type = BigInt)]
    wins: i64,
    #[diesel(sql_type = BigInt)]
    staked_cents: i64,
    #[diesel(sql_type = BigInt)]
    paid_cents: i64,
    #[diesel(sql_type = Double)]
    expected_cents: f64,
    #[diesel(sql_type = Double)]
    variance: f64,
}

impl TryFrom<TotalsRow> for HouseTotals {
    type Error = DatabaseError;

    fn try_from(row: TotalsRow) -> Result<Self, DatabaseError> {
        Ok(Self {
            day: row.day,
            game: parse_game(&row.game)?,
            rounds: unsigned(row.rounds, "count of rounds")?,
            wins: unsigned(row.wins, "count of wins")?,
            staked: Money::from_cents(row.staked_cents),
            paid: Money::from_cents(row.paid_cents),
            spread: Spread {
                expected_cents: row.expected_cents,
                variance: row.variance,
            },
        })
    }
}

/// Reads the totals for the days from `first_day` to `last_day`, in the order of the days: one
/// entry for each game and day on which it was played.
///
/// # Errors
/// If the database fails.
pub fn house_totals(
    connection: &mut AnyConnection,
    first_day: i64,
    last_day: i64,
) -> Result<Vec<HouseTotals>, DatabaseError> {
    let rows: Vec<TotalsRow> = diesel::sql_query(totals_query!("day", "day, game"))
        .bind::<BigInt, _>(first_day)
        .bind::<BigInt, _>(last_day)
        .load(connection)?;
    rows.into_iter().map(HouseTotals::try_from).collect()
}

/// Reads the totals of all days, one entry per game. Its day is the first on which the game was
/// played.
///
/// # Errors
/// If the database fails.
pub fn house_totals_of_all_days(
    connection: &mut AnyConnection,
) -> Result<Vec<HouseTotals>, DatabaseError> {
    let rows: Vec<TotalsRow> = diesel::sql_query(totals_query!("MIN(day)", "game"))
        .bind::<BigInt, _>(0)
        .bind::<BigInt, _>(i64::MAX)
        .load(connection)?;
    rows.into_iter().map(HouseTotals::try_from).collect()
}

/// The key of a row, apart from the writer. Its order is the one in which all writers lock the
/// rows, so that they cannot deadlock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TotalsKey {
    pub(crate) day: i64,
    pub(crate) game: &'static str,
}

/// The change of a row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct HouseDelta {
    pub(crate) rounds: i64,
    pub(crate) wins: i64,
    pub(crate) staked_cents: i64,
    pub(crate) paid_cents: i64,
    pub(crate) spread: Spread,
}

impl HouseDelta {
    fn of(round: &Round, spread: Spread) -> Self {
        Self {
            rounds: 1,
            wins: i64::from(round.is_win()),
            staked_cents: round.stake.cents(),
            paid_cents: round.payout.cents(),
            spread,
        }
    }

    fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.wins += other.wins;
        self.staked_cents = self.staked_cents.saturating_add(other.staked_cents);
        self.paid_cents = self.paid_cents.saturating_add(other.paid_cents);
        self.spread = self.spread.plus(other.spread);
    }
}

/// The changes of the house's totals by the rounds of a batch.
#[derive(Debug, Default)]
pub(crate) struct HouseDeltas(BTreeMap<TotalsKey, HouseDelta>);

impl HouseDeltas {
    /// Adds settled rounds. Open rounds are skipped; they count on the day on which they are
    /// settled.
    pub(crate) fn add<'r>(&mut self, rounds: impl Iterator<Item = (&'r Round, Spread)>) {
        for (round, spread) in rounds {
            let Some(ended_at) = round.ended_at else {
                continue;
            };
            let key = TotalsKey {
                day: ended_at.day(),
                game: round.game.as_str(),
            };
            self.0
                .entry(key)
                .or_default()
                .add(&HouseDelta::of(round, spread));
        }
    }

    /// Adds the changes of another job.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (key, delta) in other.0 {
            self.0.entry(key).or_default().add(&delta);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The changes in the order in which the rows are locked.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&TotalsKey, &HouseDelta)> {
        self.0.iter()
    }
}
