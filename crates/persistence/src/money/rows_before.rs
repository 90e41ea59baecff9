//! Pages of a player's rows.

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::sql_types::Bool;
use glasshouse_domain::UserId;

/// A player's rows with a lower id, for a list in the order of `player_id DESC, id DESC`. Only an index
/// of both has that order. With `player_id = …` the one of the ids alone has it, too, and PostgreSQL
/// reads the rows of all players by it where it knows of few.
pub(crate) fn rows_before(player: UserId, before: i64) -> SqlLiteral<Bool> {
    let player = player.get();
    sql(&format!(
        "(player_id, id) < ({player}, {before}) AND player_id >= {player}"
    ))
}
