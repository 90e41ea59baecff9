//! The largest wins of the last days, of all players.

use std::ops::RangeInclusive;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::{Game, Money, RoundId};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::rounds::all_bets::{PublicRound, PublicRow, union_of_games, with_names};

/// A position in the list of the largest wins, after which the profits are smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HighWinCursor {
    /// The profit of the round before this position.
    pub profit: Money,
    /// The ID of that round, because several rounds can have the same profit.
    pub id: RoundId,
}

impl HighWinCursor {
    fn of(bet: &PublicRound) -> Self {
        Self {
            profit: bet.round.profit(),
            id: bet.round.id,
        }
    }
}

const LARGEST_FIRST: &str = "payout_cents - stake_cents DESC, id DESC";

/// The conditions are literally those of the index `rounds_high_wins`, which contains profits of 5.00
/// and more.
fn high_wins_sql(games: &[Game], days: RangeInclusive<i64>) -> String {
    let ranges = union_of_games(games, |game| {
        let of_days: Vec<String> = days.clone().map(|day| range_of(game, day)).collect();
        of_days.join(" UNION ALL ")
    });
    let largest = format!("SELECT * FROM ({ranges}) AS wins ORDER BY {LARGEST_FIRST} LIMIT $3");
    with_names(&largest, LARGEST_FIRST)
}

fn range_of(game: &str, day: i64) -> String {
    format!(
        "SELECT * FROM (
            SELECT * FROM rounds
            WHERE state = 'settled' AND game = '{game}' AND ended_at_micros / 86400000000 = {day}
                AND payout_cents - stake_cents >= 500 AND payout_cents - stake_cents <= $1
                AND (payout_cents - stake_cents < $1 OR id < $2)
            ORDER BY {LARGEST_FIRST} LIMIT $3
         ) AS of_{game}_{day}"
    )
}

/// Reads a page of the rounds with a profit of at least 5.00 that ended on one of these days, largest
/// profit first: one range of an index per game and day, merged in one statement.
///
/// # Errors
/// If the database fails.
pub fn high_wins(
    connection: &mut AnyConnection,
    games: &[Game],
    days: RangeInclusive<i64>,
    after: Option<HighWinCursor>,
    limit: usize,
) -> Result<Page<PublicRound, HighWinCursor>, DatabaseError> {
    let (profit, id) = after.map_or((i64::MAX, i64::MAX), |cursor| {
        (cursor.profit.cents(), cursor.id.get())
    });
    let rows: Vec<PublicRow> = diesel::sql_query(high_wins_sql(games, days))
        .bind::<BigInt, _>(profit)
        .bind::<BigInt, _>(id)
        .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX))
        .load(connection)?;
    Page::of(rows, limit, HighWinCursor::of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn a_page_reads_one_range_per_game_and_day() {
        const INDEX: &str = "SEARCH rounds USING INDEX rounds_high_wins (game=? AND <expr>=?";
        for (games, ranges) in [(&[Game::Dice][..], 7), (&[], 7 * Game::ALL.len())] {
            let found = plan(&high_wins_sql(games, 20_000..=20_006));
            assert_eq!(found.matches(INDEX).count(), ranges, "{found}");
            assert_eq!(
                found.matches("SEARCH rounds").count(),
                ranges,
                "each search is one of the index: {found}"
            );
            assert!(!found.contains("SCAN rounds"), "{found}");
        }
    }
}
