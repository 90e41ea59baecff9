//! A player's history, newest first, in pages.

use std::cmp::Reverse;

use diesel::prelude::*;
use glasshouse_domain::{Game, RoundId, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::rounds::round::{Round, RoundRow};
use crate::schema::rounds;

/// The number of rounds that a search reads before it returns what it has found. This limits the
/// cost of a search in a long history.
const SEARCH_WINDOW: usize = 5_000;
/// The number of rounds read at a time.
const SEARCH_CHUNK: i64 = 1_000;

/// A position in a history, after which the rounds are older.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryCursor {
    /// When the round before this position ended.
    pub ended_at: Timestamp,
    /// The ID of that round, because several rounds can end in the same microsecond.
    pub id: RoundId,
}

impl HistoryCursor {
    /// The position after a settled round.
    pub(crate) fn of(round: &Round) -> Option<Self> {
        round.ended_at.map(|ended_at| Self {
            ended_at,
            id: round.id,
        })
    }

    /// The exclusive upper bounds for the rounds after a position, as stored; without a position,
    /// bounds that include all rounds.
    pub(crate) fn bounds(cursor: Option<Self>) -> (i64, i64) {
        cursor.map_or((i64::MAX, i64::MAX), |cursor| {
            (cursor.ended_at.as_micros(), cursor.id.get())
        })
    }
}

/// A page of a player's history.
pub struct HistoryQuery<'q> {
    /// The player's ID.
    pub player: UserId,
    /// The games to include; all if empty.
    pub games: &'q [Game],
    /// The position to continue from; the newest round if `None`.
    pub after: Option<HistoryCursor>,
    /// The maximum number of rounds.
    pub limit: usize,
    /// A search filter. A search may return fewer than `limit` rounds although it can be continued.
    pub matches: Option<&'q dyn Fn(&Round) -> bool>,
}

/// Reads a page.
///
/// # Errors
/// If the database fails.
pub fn history_page(
    connection: &mut AnyConnection,
    query: &HistoryQuery<'_>,
) -> Result<Page<Round, HistoryCursor>, DatabaseError> {
    let older = |after, limit| OlderRounds {
        player: query.player,
        games: query.games,
        found: None,
        after,
        limit,
    };
    let Some(matches) = query.matches else {
        let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
        let entries = older_rounds(connection, &older(query.after, limit))?;
        let next = if entries.len() < query.limit {
            None
        } else {
            entries.last().and_then(HistoryCursor::of)
        };
        return Ok(Page { entries, next });
    };
    let mut entries = Vec::new();
    let mut searched = 0;
    let mut cursor = query.after;
    loop {
        let chunk = older_rounds(connection, &older(cursor, SEARCH_CHUNK))?;
        let is_last = i64::try_from(chunk.len()).unwrap_or(i64::MAX) < SEARCH_CHUNK;
        searched += chunk.len();
        for round in chunk {
            cursor = HistoryCursor::of(&round);
            if matches(&round) {
                entries.push(round);
                if entries.len() == query.limit {
                    return Ok(Page {
                        entries,
                        next: cursor,
                    });
                }
            }
        }
        if is_last {
            return Ok(Page {
                entries,
                next: None,
            });
        }
        if searched >= SEARCH_WINDOW {
            return Ok(Page {
                entries,
                next: cursor,
            });
        }
    }
}

/// Rounds that an administrator searches for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundRounds {
    /// When the oldest of them may have ended, in microseconds.
    pub(crate) ended_from: i64,
    /// The smallest and the largest stake, in US cents.
    pub(crate) stakes: (i64, i64),
}

/// A range of a player's history.
pub(crate) struct OlderRounds<'q> {
    pub(crate) player: UserId,
    pub(crate) games: &'q [Game],
    pub(crate) found: Option<FoundRounds>,
    pub(crate) after: Option<HistoryCursor>,
    pub(crate) limit: i64,
}

/// Reads one index range per game and merges them, or a single range for all games.
pub(crate) fn older_rounds(
    connection: &mut AnyConnection,
    query: &OlderRounds<'_>,
) -> Result<Vec<Round>, DatabaseError> {
    let rows = if query.games.is_empty() {
        older_rows(connection, query, None)?
    } else {
        let mut rows = Vec::new();
        for game in query.games {
            rows.extend(older_rows(connection, query, Some(*game))?);
        }
        rows
    };
    let rounds: Result<Vec<Round>, _> = rows.into_iter().map(Round::try_from).collect();
    let mut rounds = rounds?;
    if query.games.len() > 1 {
        rounds.sort_unstable_by_key(|round| Reverse((round.ended_at, round.id)));
        rounds.truncate(usize::try_from(query.limit).unwrap_or(usize::MAX));
    }
    Ok(rounds)
}

/// Reads one index range. The first condition is the bound of the range; the second one
/// distinguishes rounds of the same microsecond.
fn older_rows(
    connection: &mut AnyConnection,
    query: &OlderRounds<'_>,
    game: Option<Game>,
) -> Result<Vec<RoundRow>, DatabaseError> {
    let (ended_at, id) = HistoryCursor::bounds(query.after);
    let older = rounds::ended_at_micros
        .le(ended_at)
        .and(rounds::ended_at_micros.lt(ended_at).or(rounds::id.lt(id)));
    let newest_first = (rounds::ended_at_micros.desc(), rounds::id.desc());
    let of_player = rounds::table.filter(rounds::player_id.eq(query.player.get()));
    // A search has statements of its own: with more conditions, PostgreSQL expects so few rows that the
    // game's index looks no better to it than that of all games.
    if let Some(found) = query.found {
        let (least, most) = found.stakes;
        let mut search = of_player
            .filter(older)
            .filter(rounds::ended_at_micros.ge(found.ended_from))
            .filter(rounds::stake_cents.between(least, most))
            .order(newest_first)
            .limit(query.limit)
            .select(RoundRow::as_select())
            .into_boxed();
        if let Some(game) = game {
            search = search.filter(rounds::game.eq(game.as_str()));
        }
        return Ok(search.load(connection)?);
    }
    Ok(match game {
        Some(game) => of_player
            .filter(rounds::game.eq(game.as_str()))
            .filter(older)
            .order(newest_first)
            .limit(query.limit)
            .select(RoundRow::as_select())
            .load(connection)?,
        None => of_player
            .filter(older)
            .order(newest_first)
            .limit(query.limit)
            .select(RoundRow::as_select())
            .load(connection)?,
    })
}
