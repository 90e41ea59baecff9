//! The settled rounds of all players as other players may see them: with the player's name only if
//! that player shows it.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{Game, Timestamp};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::rounds::history::HistoryCursor;
use crate::rounds::is_open::IsSettled;
use crate::rounds::round::{Round, RoundRow};
use crate::schema::rounds;

/// A settled round, and what other players may know of its player.
#[derive(Debug, Clone)]
pub struct PublicRound {
    /// The round.
    pub round: Round,
    /// The player's name; `None` if the player does not show it.
    pub player_name: Option<String>,
}

#[derive(QueryableByName)]
pub(crate) struct PublicRow {
    #[diesel(embed)]
    round: RoundRow,
    #[diesel(sql_type = Nullable<Text>)]
    player_name: Option<String>,
}

impl TryFrom<PublicRow> for PublicRound {
    type Error = DatabaseError;

    fn try_from(row: PublicRow) -> Result<Self, DatabaseError> {
        Ok(Self {
            round: row.round.try_into()?,
            player_name: row.player_name,
        })
    }
}

/// Adds the shown names to the rows of a query for rounds. The rows are joined after their number has
/// been limited.
pub(crate) fn with_names(rounds: &str, order: &str) -> String {
    format!(
        "SELECT page.*, CASE WHEN users.shows_name = 1 THEN users.username END AS player_name
         FROM ({rounds}) page JOIN users ON users.id = page.player_id
         ORDER BY {order}"
    )
}

/// Joins the ranges of the games, or of all games if none is given. The names of the games are this
/// program's own.
pub(crate) fn union_of_games(games: &[Game], range: impl Fn(&str) -> String) -> String {
    let games = if games.is_empty() { Game::ALL } else { games };
    let ranges: Vec<String> = games.iter().map(|game| range(game.as_str())).collect();
    ranges.join(" UNION ALL ")
}

const NEWEST_FIRST: &str = "ended_at_micros DESC, id DESC";

fn newest_sql(games: &[Game]) -> String {
    let ranges = union_of_games(games, |game| {
        format!(
            "SELECT * FROM (
                SELECT * FROM rounds
                WHERE game = '{game}' AND state = 'settled' AND ended_at_micros <= $1
                    AND (ended_at_micros < $1 OR id < $2)
                ORDER BY {NEWEST_FIRST} LIMIT $3
             ) AS of_{game}"
        )
    });
    with_names(
        &format!("{ranges} ORDER BY {NEWEST_FIRST} LIMIT $3"),
        NEWEST_FIRST,
    )
}

/// Reads a page of all players' settled rounds, newest first: one range of an index per game, merged in
/// one statement.
///
/// # Errors
/// If the database fails.
pub fn newest_bets(
    connection: &mut AnyConnection,
    games: &[Game],
    after: Option<HistoryCursor>,
    limit: usize,
) -> Result<Page<PublicRound, HistoryCursor>, DatabaseError> {
    let (ended_at, id) = HistoryCursor::bounds(after);
    let rows: Vec<PublicRow> = diesel::sql_query(newest_sql(games))
        .bind::<BigInt, _>(ended_at)
        .bind::<BigInt, _>(id)
        .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX))
        .load(connection)?;
    Page::of(rows, limit, |bet: &PublicRound| HistoryCursor {
        ended_at: bet.round.settled_at(),
        id: bet.round.id,
    })
}

fn latest_sql() -> String {
    let ranges = union_of_games(&[], |game| {
        format!(
            "SELECT * FROM (
                SELECT * FROM rounds
                WHERE game = '{game}' AND state = 'settled' AND ended_at_micros >= $1
                ORDER BY {NEWEST_FIRST} LIMIT $2
             ) AS of_{game}"
        )
    });
    with_names(&ranges, NEWEST_FIRST)
}

/// Reads the newest rounds of each game that ended at `since` or later, newest first, at most
/// `limit_per_game` of each.
///
/// # Errors
/// If the database fails.
pub fn latest_bets(
    connection: &mut AnyConnection,
    since: Timestamp,
    limit_per_game: usize,
) -> Result<Vec<PublicRound>, DatabaseError> {
    let rows: Vec<PublicRow> = diesel::sql_query(latest_sql())
        .bind::<BigInt, _>(since.as_micros())
        .bind::<BigInt, _>(i64::try_from(limit_per_game).unwrap_or(i64::MAX))
        .load(connection)?;
    rows.into_iter().map(PublicRound::try_from).collect()
}

/// Reads the newest settled rounds of a game, newest first.
///
/// # Errors
/// If the database fails.
pub fn newest_rounds_of(
    connection: &mut AnyConnection,
    game: Game,
    limit: usize,
) -> Result<Vec<Round>, DatabaseError> {
    let rows: Vec<RoundRow> = rounds::table
        .filter(rounds::game.eq(game.as_str()))
        .filter(IsSettled)
        // All of them; the condition is that of SQLite's index.
        .filter(rounds::ended_at_micros.is_not_null())
        .order((rounds::ended_at_micros.desc(), rounds::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(RoundRow::as_select())
        .load(connection)?;
    rows.into_iter().map(Round::try_from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::{plan, plans_of};

    /// One range of the index for each game, without reading other rounds.
    fn assert_ranges(found: &str, index: &str, ranges: usize) {
        assert_eq!(found.matches(index).count(), ranges, "{found}");
        assert_eq!(
            found.matches("SEARCH rounds").count(),
            ranges,
            "each search is one of the index: {found}"
        );
        assert!(!found.contains("SCAN rounds"), "{found}");
        assert!(
            found.contains("SEARCH users USING INTEGER PRIMARY KEY"),
            "{found}"
        );
    }

    #[test]
    fn a_page_reads_one_range_per_game() {
        const INDEX: &str = "SEARCH rounds USING INDEX rounds_of_game";
        assert_ranges(&plan(&newest_sql(&[Game::Dice])), INDEX, 1);
        assert_ranges(&plan(&newest_sql(&[])), INDEX, Game::ALL.len());
        assert_ranges(&plan(&latest_sql()), INDEX, Game::ALL.len());
    }

    #[test]
    fn crash_points_are_one_range_and_sort_nothing() {
        let found = plans_of(|connection| {
            newest_rounds_of(connection, Game::Crash, 10).unwrap();
        });
        let found = found.join("; ");
        assert!(
            found.starts_with("SEARCH rounds USING INDEX rounds_of_game"),
            "{found}"
        );
        assert!(!found.contains("TEMP B-TREE"), "{found}");
    }
}
