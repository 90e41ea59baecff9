//! The beginning of another log on the same database.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::public_log::books::LoggedTotals;

/// A log that follows another one.
#[derive(Debug, Clone)]
pub struct NewLog {
    /// The number of the log.
    pub id: i64,
    /// The name of the log.
    pub origin: String,
    /// The last checkpoint of the log that it follows.
    pub follows: String,
    /// The totals of the rounds that it will not contain.
    pub opening: Vec<LoggedTotals>,
}

impl Transaction<'_, '_> {
    /// Adds a log without entries. From now on it is the one that is written.
    ///
    /// # Errors
    /// If the database fails, or a log of that name exists.
    pub fn add_log(&mut self, new: &NewLog) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO log_state (id, origin, size, checkpoint, keys, rules_hash, follows)
                 VALUES ($1, $2, 0, '', '', '', $3)",
            )
            .bind::<BigInt, _>(new.id)
            .bind::<Text, _>(&new.origin)
            .bind::<Text, _>(&new.follows)
            .execute(connection)?;
            for total in &new.opening {
                diesel::sql_query(
                    "INSERT INTO log_opening_totals
                        (log_id, game, rounds, staked_cents, paid_cents)
                     VALUES ($1, $2, $3, $4, $5)",
                )
                .bind::<BigInt, _>(new.id)
                .bind::<Text, _>(&total.game)
                .bind::<BigInt, _>(total.rounds)
                .bind::<BigInt, _>(total.staked_cents)
                .bind::<BigInt, _>(total.paid_cents)
                .execute(connection)?;
            }
            Ok(())
        })
    }
}
