//! Queries for open rounds.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text};
use glasshouse_domain::{Game, RoundId, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::error::DatabaseError;
use crate::rounds::is_open::IsOpen;
use crate::rounds::round::{Round, RoundRow, parse_game};
use crate::schema::rounds;

/// An open round that will end by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueRound {
    /// The round's ID.
    pub id: RoundId,
    /// The player's ID.
    pub player: UserId,
    /// The game.
    pub game: Game,
    /// When it ends.
    pub due_at: Timestamp,
}

impl DueRound {
    /// The due time of a round, if it ends by itself.
    #[must_use]
    pub fn of(round: &Round) -> Option<Self> {
        Some(Self {
            id: round.id,
            player: round.player,
            game: round.game,
            due_at: round.due_at?,
        })
    }
}

/// A player has at most one open round of a game.
pub(crate) type PlayerGame = (UserId, Game);

/// Looks up each player and game in the index of open rounds, like the lookup of idempotency keys.
const OPEN_ROUND_OF_EACH: &str = "SELECT found.*
     FROM unnest(?, ?) AS wanted (player_id, game)
     CROSS JOIN LATERAL (
        SELECT * FROM rounds
        WHERE rounds.player_id = wanted.player_id AND rounds.game = wanted.game
            AND rounds.state = 'open'
        LIMIT 1
     ) found";

/// Finds the open rounds of these players in these games, with one query on PostgreSQL.
pub(crate) fn open_rounds_of(
    connection: &mut AnyConnection,
    pairs: &[PlayerGame],
) -> Result<Vec<Round>, DatabaseError> {
    let rows: Vec<RoundRow> = match connection {
        AnyConnection::Sqlite(sqlite) => {
            let mut rows = Vec::new();
            for (player, game) in pairs {
                rows.extend(
                    rounds::table
                        .filter(rounds::player_id.eq(player.get()))
                        .filter(rounds::game.eq(game.as_str()))
                        .filter(IsOpen)
                        .select(RoundRow::as_select())
                        .get_result(sqlite)
                        .optional()?,
                );
            }
            rows
        }
        AnyConnection::Postgres(postgres) => {
            let games: Vec<&str> = pairs.iter().map(|(_, game)| game.as_str()).collect();
            let players: Vec<i64> = pairs.iter().map(|(player, _)| player.get()).collect();
            cached_sql!(OPEN_ROUND_OF_EACH)
                .bind::<Array<BigInt>, _>(players)
                .bind::<Array<Text>, _>(games)
                .load(postgres)?
        }
    };
    rows.into_iter().map(Round::try_from).collect()
}

/// All open rounds of a player, at most one per game, in the order of their IDs.
///
/// # Errors
/// If the database fails.
pub fn open_rounds(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<Vec<Round>, DatabaseError> {
    let rows: Vec<RoundRow> = rounds::table
        .filter(rounds::player_id.eq(player.get()))
        .filter(IsOpen)
        .select(RoundRow::as_select())
        .load(connection)?;
    let open: Result<Vec<Round>, DatabaseError> = rows.into_iter().map(Round::try_from).collect();
    let mut open = open?;
    open.sort_unstable_by_key(|round| round.id);
    Ok(open)
}

/// Reads a page of the open rounds that end by themselves, in the order of their due times: those
/// after `after` and due no later than `until`.
///
/// # Errors
/// If the database fails.
pub fn due_rounds(
    connection: &mut AnyConnection,
    after: Option<DueRound>,
    until: Timestamp,
    limit: i64,
) -> Result<Vec<DueRound>, DatabaseError> {
    let (after_due, after_id) = after.map_or((i64::MIN, i64::MIN), |round| {
        (round.due_at.as_micros(), round.id.get())
    });
    let rows: Vec<(i64, i64, String, Option<i64>)> = rounds::table
        .filter(IsOpen)
        .filter(rounds::due_at_micros.ge(after_due))
        .filter(rounds::due_at_micros.le(until.as_micros()))
        .filter(
            rounds::due_at_micros
                .gt(after_due)
                .or(rounds::id.gt(after_id)),
        )
        .order((rounds::due_at_micros, rounds::id))
        .limit(limit)
        .select((
            rounds::id,
            rounds::player_id,
            rounds::game,
            rounds::due_at_micros,
        ))
        .load(connection)?;
    rows.into_iter()
        .filter_map(|(id, player, game, due_at)| Some((id, player, game, due_at?)))
        .map(|(id, player, game, due_at)| {
            Ok(DueRound {
                id: RoundId::new(id),
                player: UserId::new(player),
                game: parse_game(&game)?,
                due_at: Timestamp::from_micros(due_at),
            })
        })
        .collect()
}

/// Writes the stored details of an open round.
pub(crate) fn write_details(
    connection: &mut AnyConnection,
    round: &Round,
) -> Result<(), DatabaseError> {
    diesel::update(rounds::table.find(round.id.get()))
        .set(rounds::details.eq(&round.details))
        .execute(connection)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use diesel::debug_query;
    use diesel::sqlite::Sqlite;

    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn open_rounds_are_found_without_reading_the_history() {
        let of_player = rounds::table
            .filter(rounds::player_id.eq(1_i64))
            .filter(rounds::game.eq("crash"))
            .filter(IsOpen)
            .select(rounds::id);
        let found = plan(&debug_query::<Sqlite, _>(&of_player).to_string());
        assert!(found.contains("INDEX rounds_one_open"), "{found}");
        let all = rounds::table
            .filter(rounds::player_id.eq(1_i64))
            .filter(IsOpen)
            .select(rounds::id);
        let found = plan(&debug_query::<Sqlite, _>(&all).to_string());
        assert!(found.contains("INDEX rounds_one_open"), "{found}");
        let due = rounds::table
            .filter(IsOpen)
            .filter(rounds::due_at_micros.ge(0_i64))
            .filter(rounds::due_at_micros.le(9_i64))
            .order((rounds::due_at_micros, rounds::id))
            .limit(10)
            .select(rounds::id);
        let found = plan(&debug_query::<Sqlite, _>(&due).to_string());
        assert!(found.contains("INDEX rounds_due"), "{found}");
    }
}
