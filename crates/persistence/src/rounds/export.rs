//! A player's settled rounds with their seeds, oldest first, in pages, for the player's own records.

use diesel::prelude::*;
use glasshouse_domain::{Game, RoundId, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::hourly_statistics::{ProfitQuery, profit_buckets};
use crate::rounds::round::{Round, RoundRow};
use crate::schema::{rounds, seed_pairs};
use crate::seeds::stored::active_client_seed;

/// A settled round with its seeds, as far as its player may know them.
#[derive(Debug, Clone)]
pub struct ExportedRound {
    /// The round.
    pub round: Round,
    /// The hash that was published before the round.
    pub server_seed_hash: String,
    /// The server seed once it is revealed.
    pub server_seed: Option<String>,
    /// The client seed.
    pub client_seed: String,
}

impl ExportedRound {
    /// The position after this round.
    #[must_use]
    pub fn position(&self) -> ExportPosition {
        ExportPosition {
            ended_at: self.round.settled_at(),
            id: self.round.id,
        }
    }
}

/// A position in the list, after which the rounds are newer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExportPosition {
    /// When the round before this position ended.
    pub ended_at: Timestamp,
    /// The ID of that round.
    pub id: RoundId,
}

/// Selects a player's settled rounds.
#[derive(Debug, Clone)]
pub struct ExportQuery {
    /// The player's ID.
    pub player: UserId,
    /// The games to include; all if empty.
    pub games: Vec<Game>,
    /// The position to continue from.
    pub after: ExportPosition,
    /// Only rounds that ended before this moment.
    pub until: Timestamp,
    /// The maximum number of rounds.
    pub limit: usize,
}

type Row = (RoundRow, String, Option<String>, Option<String>);

/// One range of an index of the history, as a macro so that both ranges select the same columns.
macro_rules! range {
    ($query:expr, $connection:expr $(, $game:expr)?) => {{
        let (ended_at, id) = ($query.after.ended_at.as_micros(), $query.after.id.get());
        rounds::table
            .inner_join(seed_pairs::table)
            .filter(rounds::player_id.eq($query.player.get()))
            $(.filter(rounds::game.eq($game.as_str())))?
            .filter(rounds::ended_at_micros.ge(ended_at))
            .filter(rounds::ended_at_micros.lt($query.until.as_micros()))
            .filter(rounds::ended_at_micros.gt(ended_at).or(rounds::id.gt(id)))
            .order((rounds::ended_at_micros, rounds::id))
            .limit(i64::try_from($query.limit).unwrap_or(i64::MAX))
            .select((
                RoundRow::as_select(),
                seed_pairs::server_seed_hash,
                seed_pairs::server_seed,
                seed_pairs::client_seed,
            ))
            .load::<Row>($connection)?
    }};
}

/// Reads a page of a player's settled rounds, oldest first.
///
/// # Errors
/// If the database fails.
pub fn exported_rounds(
    connection: &mut AnyConnection,
    query: &ExportQuery,
) -> Result<Vec<ExportedRound>, DatabaseError> {
    let mut rows: Vec<Row> = Vec::new();
    if query.games.is_empty() {
        rows = range!(query, connection);
    }
    for game in &query.games {
        rows.extend(range!(query, connection, game));
    }
    let mut found = rows
        .into_iter()
        .map(|(round, server_seed_hash, server_seed, client_seed)| {
            Ok(ExportedRound {
                round: round.try_into()?,
                server_seed_hash,
                server_seed,
                client_seed: active_client_seed(client_seed)?,
            })
        })
        .collect::<Result<Vec<_>, DatabaseError>>()?;
    if query.games.len() > 1 {
        found.sort_unstable_by_key(ExportedRound::position);
        found.truncate(query.limit);
    }
    Ok(found)
}

/// Counts a player's rounds that ended from `first_day` to `last_day`. Reads the totals by hour.
///
/// # Errors
/// If the database fails.
pub fn rounds_to_export(
    connection: &mut AnyConnection,
    player: UserId,
    games: &[Game],
    (first_day, last_day): (i64, i64),
) -> Result<u64, DatabaseError> {
    let buckets = profit_buckets(
        connection,
        &ProfitQuery {
            player,
            games: games.to_vec(),
            first_hour: first_day.saturating_mul(24),
            last_hour: last_day.saturating_mul(24).saturating_add(23),
            hours_per_bucket: i64::MAX,
        },
    )?;
    Ok(buckets.iter().map(|bucket| bucket.rounds).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plans_of;

    fn query(games: &[Game]) -> ExportQuery {
        ExportQuery {
            player: UserId::new(1),
            games: games.to_vec(),
            after: ExportPosition {
                ended_at: Timestamp::from_micros(0),
                id: RoundId::new(0),
            },
            until: Timestamp::from_micros(9),
            limit: 10,
        }
    }

    #[test]
    fn a_page_is_one_range_per_game_and_sorts_nothing() {
        let cases = [
            (&[][..], "rounds_history (player_id=?"),
            (
                &[Game::Dice][..],
                "rounds_history_of_game (player_id=? AND game=?",
            ),
        ];
        for (games, index) in cases {
            let plans = plans_of(|connection| {
                exported_rounds(connection, &query(games)).unwrap();
            });
            let found = plans.join("; ");
            assert!(
                found.starts_with(&format!("SEARCH rounds USING INDEX {index}")),
                "{found}"
            );
            assert!(!found.contains("TEMP B-TREE"), "{found}");
        }
    }
}
