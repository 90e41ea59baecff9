//! Paging through a player's rows.

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::sql_types::Bool;
use glasshouse_domain::UserId;

/// The condition for a player's rows with a lower ID than `before`, for a list in the order
/// `player_id DESC, id DESC`. Only an index on both columns has that order. With `player_id = …`
/// the index on the ID alone would have it too, and PostgreSQL would use that to read the rows of
/// all players when it expects few rows.
pub(crate) fn rows_before(player: UserId, before: i64) -> SqlLiteral<Bool> {
    let player = player.get();
    sql(&format!(
        "(player_id, id) < ({player}, {before}) AND player_id >= {player}"
    ))
}
