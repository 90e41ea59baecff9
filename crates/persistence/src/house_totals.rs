//! Totals of all settled rounds, one row a day, game and writer: what the house's report is read
//! from, however many rounds there are.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Double, Text};
use glasshouse_domain::{Game, Money};

use crate::accounts::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::{Round, restore_game};

/// The totals of a game on a day.
#[derive(Debug, Clone, Copy)]
pub struct HouseTotals {
    /// Days since 1970-01-01, UTC, of the rounds' ends.
    pub day: i64,
    /// Which game.
    pub game: Game,
    /// Settled rounds.
    pub rounds: u64,
    /// Rounds that were won.
    pub wins: u64,
    /// The sum of the stakes.
    pub staked: Money,
    /// The sum of the payouts.
    pub paid: Money,
    /// What the confidence interval of the measured return is computed from.
    pub moments: Moments,
}

/// Sums of products over rounds, in cents. Statistics, not money: they may be rounded.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    /// Of what was staked, squared.
    pub staked_squares: f64,
    /// Of what was paid, squared.
    pub paid_squares: f64,
    /// Of what was staked times what was paid.
    pub cross_products: f64,
}

impl Moments {
    /// Those of both together.
    #[must_use]
    #[expect(clippy::float_arithmetic, reason = "statistics, not money")]
    pub fn plus(self, other: Self) -> Self {
        Self {
            staked_squares: self.staked_squares + other.staked_squares,
            paid_squares: self.paid_squares + other.paid_squares,
            cross_products: self.cross_products + other.cross_products,
        }
    }
}

/// Adds up the rows of the writers, and of whatever else is not told apart.
macro_rules! totals_query {
    ($day:literal, $apart:literal) => {
        concat!(
            "SELECT ",
            $day,
            " AS day, game, variant,
                CAST(SUM(rounds) AS BIGINT) AS rounds, CAST(SUM(wins) AS BIGINT) AS wins,
                CAST(SUM(staked_cents) AS BIGINT) AS staked_cents,
                CAST(SUM(paid_cents) AS BIGINT) AS paid_cents,
                SUM(staked_squares) AS staked_squares, SUM(paid_squares) AS paid_squares,
                SUM(cross_products) AS cross_products
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
    #[diesel(sql_type = Text)]
    variant: String,
    #[diesel(sql_type = BigInt)]
    rounds: i64,
    #[diesel(sql_type = BigInt)]
    wins: i64,
    #[diesel(sql_type = BigInt)]
    staked_cents: i64,
    #[diesel(sql_type = BigInt)]
    paid_cents: i64,
    #[diesel(sql_type = Double)]
    staked_squares: f64,
    #[diesel(sql_type = Double)]
    paid_squares: f64,
    #[diesel(sql_type = Double)]
    cross_products: f64,
}

impl TryFrom<TotalsRow> for HouseTotals {
    type Error = DatabaseError;

    fn try_from(row: TotalsRow) -> Result<Self, DatabaseError> {
        Ok(Self {
            day: row.day,
            game: restore_game(&row.game, &row.variant)?,
            rounds: unsigned(row.rounds, "count of rounds")?,
            wins: unsigned(row.wins, "count of wins")?,
            staked: Money::from_cents(row.staked_cents),
            paid: Money::from_cents(row.paid_cents),
            moments: Moments {
                staked_squares: row.staked_squares,
                paid_squares: row.paid_squares,
                cross_products: row.cross_products,
            },
        })
    }
}

/// Reads the totals of the days from `first_day` to `last_day`, one entry for each game and day on
/// which it was played, in the order of the days.
///
/// # Errors
/// If the database fails.
pub fn house_totals(
    connection: &mut AnyConnection,
    first_day: i64,
    last_day: i64,
) -> Result<Vec<HouseTotals>, DatabaseError> {
    let rows: Vec<TotalsRow> = diesel::sql_query(totals_query!("day", "day, game, variant"))
        .bind::<BigInt, _>(first_day)
        .bind::<BigInt, _>(last_day)
        .load(connection)?;
    rows.into_iter().map(HouseTotals::try_from).collect()
}

/// Reads the totals of all days, one entry for each game; its day is the first on which the game
/// was played.
///
/// # Errors
/// If the database fails.
pub fn house_totals_of_all_days(
    connection: &mut AnyConnection,
) -> Result<Vec<HouseTotals>, DatabaseError> {
    let rows: Vec<TotalsRow> = diesel::sql_query(totals_query!("MIN(day)", "game, variant"))
        .bind::<BigInt, _>(0)
        .bind::<BigInt, _>(i64::MAX)
        .load(connection)?;
    rows.into_iter().map(HouseTotals::try_from).collect()
}

/// A row of the table, but for the writer it belongs to. In the order in which all writers lock
/// them, so that none waits for another in a circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TotalsKey {
    pub(crate) day: i64,
    pub(crate) game: &'static str,
    pub(crate) variant: &'static str,
}

/// What rounds add to a row. The products are exact until they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct HouseDelta {
    pub(crate) rounds: i64,
    pub(crate) wins: i64,
    pub(crate) staked_cents: i64,
    pub(crate) paid_cents: i64,
    staked_squares: i128,
    paid_squares: i128,
    cross_products: i128,
}

impl HouseDelta {
    fn of(round: &Round) -> Self {
        let (staked_cents, paid_cents) = (round.stake.cents(), round.payout.cents());
        let (staked, paid) = (i128::from(staked_cents), i128::from(paid_cents));
        Self {
            rounds: 1,
            wins: i64::from(round.is_win()),
            staked_cents,
            paid_cents,
            // The product of two 64-bit numbers fits.
            staked_squares: staked * staked,
            paid_squares: paid * paid,
            cross_products: staked * paid,
        }
    }

    fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.wins += other.wins;
        self.staked_cents = self.staked_cents.saturating_add(other.staked_cents);
        self.paid_cents = self.paid_cents.saturating_add(other.paid_cents);
        self.staked_squares = self.staked_squares.saturating_add(other.staked_squares);
        self.paid_squares = self.paid_squares.saturating_add(other.paid_squares);
        self.cross_products = self.cross_products.saturating_add(other.cross_products);
    }

    pub(crate) fn moments(&self) -> Moments {
        Moments {
            staked_squares: rounded(self.staked_squares),
            paid_squares: rounded(self.paid_squares),
            cross_products: rounded(self.cross_products),
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "statistics, to fifteen digits: no money is computed from them"
)]
const fn rounded(sum: i128) -> f64 {
    sum as f64
}

/// What the rounds of a batch add to the house's totals.
#[derive(Debug, Default)]
pub(crate) struct HouseDeltas(BTreeMap<TotalsKey, HouseDelta>);

impl HouseDeltas {
    /// Adds settled rounds; open ones count on the day on which they are settled.
    pub(crate) fn add<'r>(&mut self, rounds: impl Iterator<Item = &'r Round>) {
        for round in rounds {
            let Some(ended_at) = round.ended_at else {
                continue;
            };
            let key = TotalsKey {
                day: ended_at.day(),
                game: round.game.as_str(),
                variant: round.game.variant(),
            };
            self.0.entry(key).or_default().add(&HouseDelta::of(round));
        }
    }

    /// Takes over what another has counted.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (key, delta) in other.0 {
            self.0.entry(key).or_default().add(&delta);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In the order in which the rows are locked.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&TotalsKey, &HouseDelta)> {
        self.0.iter()
    }
}
