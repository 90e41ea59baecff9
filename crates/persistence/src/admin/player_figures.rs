//! The figures that sum up one player, for administrators.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable};
use glasshouse_domain::{Money, Timestamp, UserId};

use crate::accounts::account::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::money::withdrawal_risk::{PlayerTotals, totals_of_players};

/// The figures that sum up one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerFigures {
    /// What the player has moved so far.
    pub totals: PlayerTotals,
    /// The number of withdrawals that wait for a decision.
    pub pending_withdrawals: u64,
    /// Their amounts together.
    pub pending_amount: Money,
    /// The last sign-in that is still stored.
    pub last_sign_in_at: Option<Timestamp>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    pending: i64,
    #[diesel(sql_type = BigInt)]
    pending_cents: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    last_sign_in_at: Option<i64>,
}

/// The conditions are literally those of partial indexes.
const FIGURES: &str = "SELECT COUNT(*) AS pending,
        CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) AS pending_cents,
        (SELECT MAX(created_at_micros) FROM security_events WHERE user_id = $1 AND kind = 'signed_in')
            AS last_sign_in_at
    FROM withdrawals WHERE player_id = $2 AND status = 'pending'";

/// Reads the figures of a player.
///
/// # Errors
/// If the database fails.
pub fn player_figures(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<PlayerFigures, DatabaseError> {
    let mut totals = totals_of_players(connection, &[player])?;
    let row: Row = diesel::sql_query(FIGURES)
        .bind::<BigInt, _>(player.get())
        .bind::<BigInt, _>(player.get())
        .get_result(connection)?;
    Ok(PlayerFigures {
        totals: totals.remove(&player).unwrap_or_default(),
        pending_withdrawals: unsigned(row.pending, "count of withdrawals")?,
        pending_amount: Money::from_cents(row.pending_cents),
        last_sign_in_at: row.last_sign_in_at.map(Timestamp::from_micros),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn only_pending_withdrawals_and_one_sign_in_are_read() {
        let found = plan(&FIGURES.replace("$1", "1").replace("$2", "1"));
        for step in [
            "withdrawals USING COVERING INDEX withdrawals_pending_of_player",
            "security_events USING COVERING INDEX security_events_sign_ins",
        ] {
            assert!(found.contains(step), "{step}: {found}");
        }
    }
}
