//! Paging through the rows of a player or user.

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::sql_types::Bool;
use glasshouse_domain::UserId;

/// The condition for the rows of a player with a lower ID than `before`, for a list in the order
/// `owner DESC, id DESC`, where `owner` is the column with the player's ID. Only an index on both
/// columns has that order. With `owner = …` the index on the ID alone would have it too, and PostgreSQL
/// would use that to read the rows of all players when it expects few rows.
pub(crate) fn rows_before(owner: &'static str, player: UserId, before: i64) -> SqlLiteral<Bool> {
    let player = player.get();
    sql(&format!(
        "({owner}, id) < ({player}, {before}) AND {owner} >= {player}"
    ))
}
