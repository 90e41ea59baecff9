//! The settled rounds of all players, newest first, in pages.
//!
//! They are ordered by the time they ended rather than by ID: PostgreSQL's writers reserve IDs in
//! blocks, so IDs are not in the order of time.

use std::cmp::Reverse;

use diesel::prelude::*;
use glasshouse_domain::{Game, RoundId, Timestamp, UserId};

use crate::accounts::users::user;
use crate::admin::filters::{AmountRange, Period};
use crate::admin::listing::{AdminList, PageBounds};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::rounds::history::{FoundRounds, HistoryCursor, OlderRounds, older_rounds};
use crate::rounds::is_open::IsSettled;
use crate::rounds::round::{Round, RoundRow};
use crate::schema::{rounds, users};

/// Selects a page of settled rounds.
#[derive(Debug, Clone, Default)]
pub struct AllRoundsQuery {
    /// The games to include; all if empty.
    pub games: Vec<Game>,
    /// Only rounds of this player.
    pub player: Option<UserId>,
    /// Only the round with this ID.
    pub id: Option<RoundId>,
    /// Only rounds that ended in this period.
    pub period: Period,
    /// Only rounds with a stake in this range.
    pub stakes: AmountRange,
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
            let found = settled_round(connection, id)?;
            let found = found.filter(|played| self.selects(&played.round));
            return Ok(Page {
                entries: found.into_iter().collect(),
                next: None,
            });
        }
        // One more than requested, to determine if there is more.
        let limit = i64::try_from(self.limit)
            .unwrap_or(i64::MAX)
            .saturating_add(1);
        let (after, found) = self.range();
        let mut entries = match self.player {
            Some(player) => {
                let is_search = self.period.from.is_some() || self.stakes != AmountRange::ANY;
                let older = OlderRounds {
                    player,
                    games: &self.games,
                    found: is_search.then_some(found),
                    after,
                    limit,
                };
                rounds_of_player(connection, &older)?
            }
            None => rounds_of_all_players(connection, &self.games, (after, found), limit)?,
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

/// The rounds that a page is taken from: those after a place that are searched for.
type Range = (Option<HistoryCursor>, FoundRounds);

impl AllRoundsQuery {
    fn range(&self) -> Range {
        // A round that ended at the end of the period is after the place with that time and the ID 0.
        let end = self.period.to.map(|ended_at| HistoryCursor {
            ended_at,
            id: RoundId::new(0),
        });
        let places = [self.after, end].into_iter().flatten();
        let after = places.min_by_key(|place| (place.ended_at, place.id));
        let found = FoundRounds {
            ended_from: self.period.from.map_or(i64::MIN, Timestamp::as_micros),
            stakes: self.stakes.bounds().unwrap_or((i64::MIN, i64::MAX)),
        };
        (after, found)
    }

    /// Whether a round is one of those selected.
    fn selects(&self, round: &Round) -> bool {
        let (_, found) = self.range();
        let ended_at = round.ended_at.map_or(i64::MAX, Timestamp::as_micros);
        let (least, most) = found.stakes;
        self.player.is_none_or(|player| player == round.player)
            && (self.games.is_empty() || self.games.contains(&round.game))
            && (least..=most).contains(&round.stake.cents())
            && ended_at >= found.ended_from
            && self.period.to.is_none_or(|to| ended_at < to.as_micros())
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
    older: &OlderRounds<'_>,
) -> Result<Vec<PlayedRound>, DatabaseError> {
    let Some(user) = user(connection, older.player)? else {
        return Ok(Vec::new());
    };
    let rounds = older_rounds(connection, older)?.into_iter();
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
    games: &[Game],
    range: Range,
    limit: i64,
) -> Result<Vec<PlayedRound>, DatabaseError> {
    let games = if games.is_empty() { Game::ALL } else { games };
    let mut found = Vec::new();
    for game in games {
        found.extend(rounds_of_game(connection, *game, range, limit)?);
    }
    found.sort_unstable_by_key(|played: &PlayedRound| {
        Reverse((played.round.ended_at, played.round.id))
    });
    Ok(found)
}

/// One range of the index `rounds_of_game`, as a macro so that a test can check its plan.
macro_rules! older_rounds_of_game {
    ($game:expr, $range:expr, $limit:expr) => {{
        let (after, found): Range = $range;
        let (ended_at, id) = HistoryCursor::bounds(after);
        let (least, most) = found.stakes;
        rounds::table
            .inner_join(users::table.on(users::id.eq(rounds::player_id)))
            .filter(rounds::game.eq($game.as_str()))
            .filter(IsSettled)
            .filter(rounds::ended_at_micros.ge(found.ended_from))
            .filter(rounds::ended_at_micros.le(ended_at))
            .filter(rounds::ended_at_micros.lt(ended_at).or(rounds::id.lt(id)))
            .filter(rounds::stake_cents.between(least, most))
            .order((rounds::ended_at_micros.desc(), rounds::id.desc()))
            .limit($limit)
            .select((RoundRow::as_select(), users::username))
    }};
}

fn rounds_of_game(
    connection: &mut AnyConnection,
    game: Game,
    range: Range,
    limit: i64,
) -> Result<Vec<PlayedRound>, DatabaseError> {
    let rows: Vec<(RoundRow, String)> =
        older_rounds_of_game!(game, range, limit).load(connection)?;
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
        let query = older_rounds_of_game!(Game::Dice, AllRoundsQuery::default().range(), 10_i64);
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
