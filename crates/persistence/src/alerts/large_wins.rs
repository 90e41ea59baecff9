//! Rounds with a large profit, noted with the batch that writes them, so that none is missed however late
//! it is settled, and a bet without a large profit costs nothing.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{Money, RoundId, UserId};

use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;

/// A round with a large profit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeWin {
    /// The round.
    pub round: RoundId,
    /// Who played it.
    pub player: UserId,
    /// The game's name.
    pub game: String,
    /// The stake.
    pub stake: Money,
    /// The payout.
    pub payout: Money,
}

impl LargeWin {
    /// The payout less the stake.
    #[must_use]
    pub const fn profit(&self) -> Money {
        Money::from_cents(self.payout.cents().saturating_sub(self.stake.cents()))
    }
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    player_id: i64,
    #[diesel(sql_type = Text)]
    game: String,
    #[diesel(sql_type = BigInt)]
    stake_cents: i64,
    #[diesel(sql_type = BigInt)]
    payout_cents: i64,
}

impl Transaction<'_, '_> {
    /// Takes up to `limit` of the noted rounds, which are then not noted any more.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_large_wins(&mut self, limit: i64) -> Result<Vec<LargeWin>, DatabaseError> {
        self.execute(|connection| {
            let rows: Vec<Row> = diesel::sql_query(
                "SELECT id, player_id, game, stake_cents, payout_cents FROM rounds
                 WHERE id IN (SELECT round_id FROM large_wins ORDER BY round_id LIMIT $1)
                 ORDER BY id",
            )
            .bind::<BigInt, _>(limit)
            .load(connection)?;
            for row in &rows {
                diesel::sql_query("DELETE FROM large_wins WHERE round_id = $1")
                    .bind::<BigInt, _>(row.id)
                    .execute(connection)?;
            }
            let win = |row: Row| LargeWin {
                round: RoundId::new(row.id),
                player: UserId::new(row.player_id),
                game: row.game,
                stake: Money::from_cents(row.stake_cents),
                payout: Money::from_cents(row.payout_cents),
            };
            Ok(rows.into_iter().map(win).collect())
        })
    }
}
