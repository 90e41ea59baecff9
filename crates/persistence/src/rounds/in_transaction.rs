//! Queries for single rounds within a transaction.

use diesel::prelude::*;
use glasshouse_domain::{RoundId, UserId};

use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::rounds::open_rounds::open_rounds;
use crate::rounds::round::{Round, RoundRow};
use crate::schema::rounds;

impl Transaction<'_, '_> {
    /// Reads a round of the player, open or settled.
    ///
    /// # Errors
    /// If the database fails.
    pub fn round(&mut self, player: UserId, id: RoundId) -> Result<Option<Round>, DatabaseError> {
        self.execute(|connection| {
            let row: Option<RoundRow> = rounds::table
                .find(id.get())
                .select(RoundRow::as_select())
                .get_result(connection)
                .optional()?;
            let round = row.map(Round::try_from).transpose()?;
            Ok(round.filter(|round| round.player == player))
        })
    }

    /// One of the player's open rounds, in any game.
    ///
    /// # Errors
    /// If the database fails.
    pub fn any_open_round(&mut self, player: UserId) -> Result<Option<RoundId>, DatabaseError> {
        self.execute(|connection| {
            let open = open_rounds(connection, player)?;
            Ok(open.first().map(|round| round.id))
        })
    }
}
