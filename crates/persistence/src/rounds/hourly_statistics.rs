//! Totals of a player's settled rounds by hour and game, updated with each round, so that the cost of
//! a plot of the profit does not depend on the number of rounds.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::{Game, Money, UserId};

use crate::accounts::account::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::round::Round;

/// Selects a player's totals.
#[derive(Debug, Clone)]
pub struct ProfitQuery {
    /// The player's ID.
    pub player: UserId,
    /// The games to include; all if empty.
    pub games: Vec<Game>,
    /// The first hour, as hours since 1970-01-01 in UTC.
    pub first_hour: i64,
    /// The last hour.
    pub last_hour: i64,
    /// The number of hours that are added up; the hours of a bucket are numbered from a multiple of it.
    pub hours_per_bucket: i64,
}

/// The totals of the rounds that ended within some hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfitBucket {
    /// The first hour of the bucket, as hours since 1970-01-01 in UTC.
    pub first_hour: i64,
    /// The number of settled rounds.
    pub rounds: u64,
    /// The sum of the stakes.
    pub staked: Money,
    /// The sum of the payouts.
    pub paid: Money,
}

#[derive(QueryableByName)]
struct BucketRow {
    #[diesel(sql_type = BigInt)]
    bucket: i64,
    #[diesel(sql_type = BigInt)]
    rounds: i64,
    #[diesel(sql_type = BigInt)]
    staked_cents: i64,
    #[diesel(sql_type = BigInt)]
    paid_cents: i64,
}

/// One range of the primary key, whose rows of other games are skipped. The names of the games are
/// this program's own.
fn buckets_sql(games: &[Game]) -> String {
    let names: Vec<String> = games
        .iter()
        .map(|game| format!("'{}'", game.as_str()))
        .collect();
    let of_games = if names.is_empty() {
        String::new()
    } else {
        format!("AND game IN ({})", names.join(", "))
    };
    format!(
        "SELECT hour / $1 AS bucket, CAST(SUM(rounds) AS BIGINT) AS rounds,
            CAST(SUM(staked_cents) AS BIGINT) AS staked_cents,
            CAST(SUM(paid_cents) AS BIGINT) AS paid_cents
         FROM hourly_statistics
         WHERE player_id = $2 AND hour BETWEEN $3 AND $4 {of_games}
         GROUP BY 1 ORDER BY 1"
    )
}

/// Reads a player's totals, oldest first: one entry for each bucket with rounds.
///
/// # Errors
/// If the database fails.
pub fn profit_buckets(
    connection: &mut AnyConnection,
    query: &ProfitQuery,
) -> Result<Vec<ProfitBucket>, DatabaseError> {
    let rows: Vec<BucketRow> = diesel::sql_query(buckets_sql(&query.games))
        .bind::<BigInt, _>(query.hours_per_bucket)
        .bind::<BigInt, _>(query.player.get())
        .bind::<BigInt, _>(query.first_hour)
        .bind::<BigInt, _>(query.last_hour)
        .load(connection)?;
    rows.into_iter()
        .map(|row| {
            Ok(ProfitBucket {
                first_hour: row.bucket.saturating_mul(query.hours_per_bucket),
                rounds: unsigned(row.rounds, "count of rounds")?,
                staked: Money::from_cents(row.staked_cents),
                paid: Money::from_cents(row.paid_cents),
            })
        })
        .collect()
}

/// The key of a row. Its order is that of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HourKey {
    pub(crate) player: UserId,
    pub(crate) hour: i64,
    pub(crate) game: Game,
}

impl HourKey {
    /// The row that a settled round counts in; `None` while the round is open.
    pub(crate) fn of(round: &Round) -> Option<Self> {
        Some(Self {
            player: round.player,
            hour: round.ended_at?.hour(),
            game: round.game,
        })
    }
}

/// The changes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct HourDelta {
    pub(crate) rounds: i64,
    pub(crate) staked_cents: i64,
    pub(crate) paid_cents: i64,
}

impl HourDelta {
    /// Adds a settled round.
    pub(crate) fn add(&mut self, round: &Round) {
        self.rounds += 1;
        self.staked_cents = self.staked_cents.saturating_add(round.stake.cents());
        self.paid_cents = self.paid_cents.saturating_add(round.payout.cents());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn buckets_are_one_range_of_the_primary_key() {
        for games in [&[][..], &[Game::Dice], &[Game::VideoPoker, Game::HeadsUp]] {
            let found = plan(&buckets_sql(games));
            assert!(
                found.starts_with(
                    "SEARCH hourly_statistics USING PRIMARY KEY (player_id=? AND hour>? AND hour<?)"
                ),
                "{found}"
            );
        }
    }
}
