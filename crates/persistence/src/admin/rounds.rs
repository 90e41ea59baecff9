//! The settled rounds of all players, newest first, a page at a time.
//!
//! By the moment of their ends rather than by their numbers: the writers of PostgreSQL take numbers
//! in blocks, so that a number says little about when.

use std::cmp::Reverse;

use diesel::prelude::*;
use glasshouse_domain::{Game, RoundId, UserId};

use crate::accounts::users::user;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::history::{HistoryCursor, OlderRounds, older_rounds};
use crate::rounds::is_open::IsSettled;
use crate::rounds::round::{Round, RoundRow};
use crate::schema::{rounds, users};

/// Which page of the rounds.
#[derive(Debug, Clone)]
pub struct AllRoundsQuery {
    /// Only these games, or all where there are none.
    pub games: Vec<Game>,
    /// Only this player's, or everybody's.
    pub player: Option<UserId>,
    /// Only the round with this number.
    pub id: Option<RoundId>,
    /// Only rounds after this place, or from the newest on.
    pub after: Option<HistoryCursor>,
    /// How many at the most.
    pub limit: usize,
}

/// A settled round and who played it.
#[derive(Debug, Clone)]
pub struct PlayedRound {
    /// The round.
    pub round: Round,
    /// The player's name.
    pub username: String,
}

/// Reads a page, and the place where the next one begins if there is more: one query for each of
/// the games at the most.
///
/// # Errors
/// If the database fails.
pub fn all_rounds_page(
    connection: &mut AnyConnection,
    query: &AllRoundsQuery,
) -> Result<(Vec<PlayedRound>, Option<HistoryCursor>), DatabaseError> {
    if let Some(id) = query.id {
        let is_wanted = |played: &PlayedRound| {
            let Round { player, game, .. } = played.round;
            query.player.is_none_or(|wanted| wanted == player)
                && (query.games.is_empty() || query.games.contains(&game))
        };
        let found = settled_round(connection, id)?.filter(is_wanted);
        return Ok((found.into_iter().collect(), None));
    }
    // One more than wanted tells whether there is more.
    let limit = i64::try_from(query.limit)
        .unwrap_or(i64::MAX)
        .saturating_add(1);
    let mut page = match query.player {
        Some(player) => rounds_of_player(connection, player, query, limit)?,
        None => rounds_of_everybody(connection, query, limit)?,
    };
    let has_more = page.len() > query.limit;
    page.truncate(query.limit);
    let next = page
        .last()
        .filter(|_| has_more)
        .and_then(|last| HistoryCursor::of(&last.round));
    Ok((page, next))
}

/// The round with that number, if it has ended.
fn settled_round(
    connection: &mut AnyConnection,
    id: RoundId,
) -> Result<Option<PlayedRound>, DatabaseError> {
    let row: Option<(RoundRow, String)> = rounds::table
        .inner_join(users::table.on(users::id.eq(rounds::player_id)))
        .filter(rounds::id.eq(id.get()))
        .filter(rounds::ended_at_micros.is_not_null())
        .select((RoundRow::as_select(), users::username))
        .first(connection)
        .optional()?;
    row.map(|(row, username)| {
        Ok(PlayedRound {
            round: row.try_into()?,
            username,
        })
    })
    .transpose()
}

fn rounds_of_player(
    connection: &mut AnyConnection,
    player: UserId,
    query: &AllRoundsQuery,
    limit: i64,
) -> Result<Vec<PlayedRound>, DatabaseError> {
    let Some(user) = user(connection, player)? else {
        return Ok(Vec::new());
    };
    let older = OlderRounds {
        player,
        games: &query.games,
        after: query.after,
        limit,
    };
    let rounds = older_rounds(connection, &older)?.into_iter();
    Ok(rounds
        .map(|round| PlayedRound {
            round,
            username: user.username.clone(),
        })
        .collect())
}

/// The newest of each game, put together: so one index serves all games as well as one.
fn rounds_of_everybody(
    connection: &mut AnyConnection,
    query: &AllRoundsQuery,
    limit: i64,
) -> Result<Vec<PlayedRound>, DatabaseError> {
    let games = if query.games.is_empty() {
        Game::ALL
    } else {
        &query.games
    };
    let mut found = Vec::new();
    for game in games {
        found.extend(rounds_of_game(connection, *game, query.after, limit)?);
    }
    found.sort_unstable_by_key(|played: &PlayedRound| {
        Reverse((played.round.ended_at, played.round.id))
    });
    Ok(found)
}

/// One range of the index `rounds_of_game`, as a query whose plan a test can look at.
macro_rules! older_rounds_of_game {
    ($game:expr, $bounds:expr, $limit:expr) => {{
        let (ended_at, id) = $bounds;
        rounds::table
            .inner_join(users::table.on(users::id.eq(rounds::player_id)))
            .filter(rounds::game.eq($game.as_str()))
            .filter(IsSettled)
            .filter(rounds::ended_at_micros.le(ended_at))
            .filter(rounds::ended_at_micros.lt(ended_at).or(rounds::id.lt(id)))
            .order((rounds::ended_at_micros.desc(), rounds::id.desc()))
            .limit($limit)
            .select((RoundRow::as_select(), users::username))
    }};
}

fn rounds_of_game(
    connection: &mut AnyConnection,
    game: Game,
    after: Option<HistoryCursor>,
    limit: i64,
) -> Result<Vec<PlayedRound>, DatabaseError> {
    let rows: Vec<(RoundRow, String)> =
        older_rounds_of_game!(game, HistoryCursor::bounds(after), limit).load(connection)?;
    rows.into_iter()
        .map(|(row, username)| {
            Ok(PlayedRound {
                round: row.try_into()?,
                username,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use diesel::debug_query;
    use diesel::sqlite::Sqlite;

    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn a_page_reads_one_range_and_sorts_nothing() {
        let query = older_rounds_of_game!(Game::Dice, (9_i64, 9_i64), 10_i64);
        let found = plan(&debug_query::<Sqlite, _>(&query).to_string());
        assert!(
            found.starts_with("SEARCH rounds USING INDEX rounds_of_game"),
            "{found}"
        );
        assert!(
            found.contains("SEARCH users USING INTEGER PRIMARY KEY"),
            "{found}"
        );
        assert!(!found.contains("TEMP B-TREE"), "{found}");
    }
}
