//! A player's profit over time.

use glasshouse_domain::{Game, Timestamp, UserId};
use glasshouse_persistence::rounds::{ProfitBucket, ProfitQuery};
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::CasinoError;
use crate::house::House;

const HOURS_PER_DAY: i64 = 24;

/// The time over which a profit is shown, up to now. Days begin at midnight in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProfitRange {
    /// The current hour and the 23 before it, by hour.
    Day,
    /// The current hour and the 167 before it, by hour.
    Week,
    /// Today and the 29 days before, by day.
    Month,
    /// Today and the 364 days before, by day.
    Year,
    /// Since the first round, by day.
    All,
}

impl ProfitRange {
    const fn hours_per_bucket(self) -> i64 {
        match self {
            Self::Day | Self::Week => 1,
            Self::Month | Self::Year | Self::All => HOURS_PER_DAY,
        }
    }

    /// The first hour, if it does not depend on the rounds.
    const fn first_hour(self, now: Timestamp) -> Option<i64> {
        match self {
            Self::Day => Some(now.hour() - (HOURS_PER_DAY - 1)),
            Self::Week => Some(now.hour() - (7 * HOURS_PER_DAY - 1)),
            Self::Month => Some((now.day() - 29) * HOURS_PER_DAY),
            Self::Year => Some((now.day() - 364) * HOURS_PER_DAY),
            Self::All => None,
        }
    }
}

/// A player's totals over time.
#[derive(Debug, Clone)]
pub struct Profit {
    /// The start of the range; without rounds since ever, the start of today.
    pub from: Timestamp,
    /// The end of the range: now.
    pub to: Timestamp,
    /// The totals, oldest first, without the hours or days that have no rounds.
    pub buckets: Vec<ProfitBucket>,
}

/// Reads a player's totals over time, of all games if none is given. The cost depends on the number of
/// hours in which the player played, not on the number of rounds.
///
/// # Errors
/// On a fault.
pub async fn read_profit(
    house: &House,
    player: UserId,
    games: Vec<Game>,
    range: ProfitRange,
) -> Result<Profit, CasinoError> {
    let now = house.now();
    let first_hour = range.first_hour(now);
    let query = ProfitQuery {
        player,
        games,
        first_hour: first_hour.unwrap_or(0),
        // Not limited: rounds can be settled by a server whose clock is slightly ahead.
        last_hour: i64::MAX,
        hours_per_bucket: range.hours_per_bucket(),
    };
    let buckets: Vec<ProfitBucket> = house
        .database
        .read::<_, DatabaseError, _>(move |connection| queries::profit_buckets(connection, &query))
        .await?;
    let first_played = buckets.first().map(|bucket| bucket.first_hour);
    let first_hour = first_hour.or(first_played);
    Ok(Profit {
        from: Timestamp::start_of_hour(first_hour.unwrap_or(now.day() * HOURS_PER_DAY)),
        to: now,
        buckets,
    })
}
