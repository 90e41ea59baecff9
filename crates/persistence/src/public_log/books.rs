//! The totals that the log's entries of the books state.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;

/// The totals of a game's rounds, since a log began or before it.
#[derive(Debug, Clone, PartialEq, Eq, QueryableByName)]
pub struct LoggedTotals {
    /// The game's stored name.
    #[diesel(sql_type = Text)]
    pub game: String,
    /// The number of rounds.
    #[diesel(sql_type = BigInt)]
    pub rounds: i64,
    /// The sum of the stakes.
    #[diesel(sql_type = BigInt)]
    pub staked_cents: i64,
    /// The sum of the payouts.
    #[diesel(sql_type = BigInt)]
    pub paid_cents: i64,
}

/// All balances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, QueryableByName)]
pub struct Balances {
    /// The number of accounts.
    #[diesel(sql_type = BigInt)]
    pub accounts: i64,
    /// The sum of their balances.
    #[diesel(sql_type = BigInt)]
    pub cents: i64,
}

impl Transaction<'_, '_> {
    /// The totals of each game's rounds since a log began, or of all rounds, in the order of the games'
    /// names.
    ///
    /// # Errors
    /// If the database fails.
    pub fn totals_since(&mut self, log: Option<i64>) -> Result<Vec<LoggedTotals>, DatabaseError> {
        self.execute(|connection| {
            Ok(diesel::sql_query(
                "SELECT now.game, now.rounds - COALESCE(opening.rounds, 0) AS rounds,
                    now.staked_cents - COALESCE(opening.staked_cents, 0) AS staked_cents,
                    now.paid_cents - COALESCE(opening.paid_cents, 0) AS paid_cents
                 FROM (
                    SELECT game, CAST(SUM(rounds) AS BIGINT) AS rounds,
                        CAST(SUM(staked_cents) AS BIGINT) AS staked_cents,
                        CAST(SUM(paid_cents) AS BIGINT) AS paid_cents
                    FROM house_totals GROUP BY game
                 ) now
                 LEFT JOIN log_opening_totals opening
                    ON opening.game = now.game AND opening.log_id = $1
                 ORDER BY now.game",
            )
            .bind::<Nullable<BigInt>, _>(log)
            .load(connection)?)
        })
    }

    /// The sum of all balances.
    ///
    /// # Errors
    /// If the database fails.
    pub fn all_balances(&mut self) -> Result<Balances, DatabaseError> {
        self.execute(|connection| {
            Ok(diesel::sql_query(
                "SELECT COUNT(*) AS accounts, CAST(COALESCE(SUM(balance_cents), 0) AS BIGINT) AS cents
                 FROM accounts",
            )
            .get_result(connection)?)
        })
    }
}
