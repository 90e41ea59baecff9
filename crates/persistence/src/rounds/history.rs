//! A player's history, newest first, a page at a time.

use std::cmp::Reverse;

use diesel::prelude::*;
use glasshouse_domain::{Game, RoundId, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::round::{Round, RoundRow};
use crate::schema::rounds;

/// How many rounds a search looks at before it answers with what it has: the bound that makes a
/// search in a million rounds cost no more than one in a few thousand.
const SEARCH_WINDOW: usize = 5_000;
/// How many of them are read at once.
const SEARCH_CHUNK: i64 = 1_000;

/// A place in a history: the rounds after it are older.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryCursor {
    /// When the last round seen ended.
    pub ended_at: Timestamp,
    /// Its number, because several rounds can end in the same microsecond.
    pub id: RoundId,
}

impl HistoryCursor {
    /// The place of a settled round.
    pub(crate) fn of(round: &Round) -> Option<Self> {
        round.ended_at.map(|ended_at| Self {
            ended_at,
            id: round.id,
        })
    }

    /// What the rounds after a place are below, as stored; without a place, what all are below.
    pub(crate) fn bounds(place: Option<Self>) -> (i64, i64) {
        place.map_or((i64::MAX, i64::MAX), |place| {
            (place.ended_at.as_micros(), place.id.get())
        })
    }
}

/// Which page of whose history.
pub struct HistoryQuery<'q> {
    /// Whose.
    pub player: UserId,
    /// Only these games, or all where there are none.
    pub games: &'q [Game],
    /// Only rounds after this place, or from the newest on.
    pub after: Option<HistoryCursor>,
    /// How many at the most.
    pub limit: usize,
    /// Only rounds that a search finds. A search may answer fewer than `limit` rounds and still
    /// have a place to go on from.
    pub matches: Option<&'q dyn Fn(&Round) -> bool>,
}

/// Reads a page, and the place where the next one begins if there may be more.
///
/// # Errors
/// If the database fails.
pub fn history_page(
    connection: &mut AnyConnection,
    query: &HistoryQuery<'_>,
) -> Result<(Vec<Round>, Option<HistoryCursor>), DatabaseError> {
    let older = |after, limit| OlderRounds {
        player: query.player,
        games: query.games,
        after,
        limit,
    };
    let Some(matches) = query.matches else {
        let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
        let page = older_rounds(connection, &older(query.after, limit))?;
        let next = if page.len() < query.limit {
            None
        } else {
            page.last().and_then(HistoryCursor::of)
        };
        return Ok((page, next));
    };
    let mut found = Vec::new();
    let mut looked_at = 0;
    let mut place = query.after;
    loop {
        let chunk = older_rounds(connection, &older(place, SEARCH_CHUNK))?;
        let is_last = i64::try_from(chunk.len()).unwrap_or(i64::MAX) < SEARCH_CHUNK;
        looked_at += chunk.len();
        for round in chunk {
            place = HistoryCursor::of(&round);
            if matches(&round) {
                found.push(round);
                if found.len() == query.limit {
                    return Ok((found, place));
                }
            }
        }
        if is_last {
            return Ok((found, None));
        }
        if looked_at >= SEARCH_WINDOW {
            return Ok((found, place));
        }
    }
}

/// Which stretch of a player's history.
pub(crate) struct OlderRounds<'q> {
    pub(crate) player: UserId,
    pub(crate) games: &'q [Game],
    pub(crate) after: Option<HistoryCursor>,
    pub(crate) limit: i64,
}

/// One range of an index for each game, put together, or one for all of them.
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

/// One range of an index. The first bound is what the index is entered by; the second tells rounds
/// of the same microsecond apart.
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
