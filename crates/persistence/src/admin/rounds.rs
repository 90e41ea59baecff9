//! The settled rounds of all players, newest first, in pages.
//!
//! They are ordered by the time they ended rather than by ID: PostgreSQL's writers reserve IDs in
//! blocks, so IDs are not in the order of time.

use std::cmp::Reverse;

use diesel::prelude::*;
use glasshouse_domain::{Game, RoundId, UserId};

use crate::accounts::users::user;
use crate::admin::listing::{AdminList, PageBounds};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::rounds::history::{HistoryCursor, OlderRounds, older_rounds};
use crate::rounds::is_open::IsSettled;
use crate::rounds::round::{Round, RoundRow};
use crate::schema::{rounds, users};

/// Selects a page of settled rounds.
#[derive(Debug, Clone)]
pub struct AllRoundsQuery {
    /// The games to include; all if empty.
    pub games: Vec<Game>,
    /// Only rounds of this player.
    pub player: Option<UserId>,
    /// Only the round with this ID.
    pub id: Option<RoundId>,
    /// The position to continue from; the newest round if `None`.
    pub after: Option<HistoryCursor>,
    /// The maximum number of rounds.
    pub limit: usize,
}

/// A settled round with the player's name.
#[derive(Debug, Clone)]
pub struct PlayedRound {
    /// The round.
    pub round: Round,
    /// The player's name.
    pub username: String,
}

impl AdminList for AllRoundsQuery {
    type Entry = PlayedRound;
    type Place = HistoryCursor;

    fn bounds(&mut self) -> PageBounds<'_, HistoryCursor> {
        PageBounds {
            after: &mut self.after,
            limit: &mut self.limit,
        }
    }

    /// Makes at most one query per game.
    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<PlayedRound, HistoryCursor>, DatabaseError> {
        if let Some(id) = self.id {
            let matches = |played: &PlayedRound| {
                let Round { player, game, .. } = played.round;
                self.player.is_none_or(|filter| filter == player)
                    && (self.games.is_empty() || self.games.contains(&game))
            };
            let found = settled_round(connection, id)?.filter(matches);
            return Ok(Page {
                entries: found.into_iter().collect(),
                next: None,
            });
        }
        // One more than requested, to determine if there is more.
        let limit = i64::try_from(self.limit)
            .unwrap_or(i64::MAX)
            .saturating_add(1);
        let mut entries = match self.player {
            Some(player) => rounds_of_player(connection, player, self, limit)?,
            None => rounds_of_all_players(connection, self, limit)?,
        };
        let has_more = entries.len() > self.limit;
        entries.truncate(self.limit);
        let next = entries
            .last()
            .filter(|_| has_more)
            .and_then(|last| HistoryCursor::of(&last.round));
        Ok(Page { entries, next })
    }
}

/// The round with an ID, if it has ended.
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

/// Reads the newest rounds of each game and merges them, so that one index serves single games and
/// all games.
fn rounds_of_all_players(
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

/// One range of the index `rounds_of_game`, as a macro so that a test can check its plan.
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
