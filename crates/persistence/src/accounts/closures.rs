//! Closes accounts and opens them again, and finds what they still have to settle.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use glasshouse_domain::{Timestamp, UserId};

use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::users;

/// What an account still has to settle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, QueryableByName)]
pub struct OpenBusiness {
    /// Whether a round is in play.
    #[diesel(sql_type = Bool)]
    pub has_open_round: bool,
    /// Whether a withdrawal waits for its decision.
    #[diesel(sql_type = Bool)]
    pub has_pending_withdrawal: bool,
    /// Whether an invoice can still be paid, or is being requested.
    #[diesel(sql_type = Bool)]
    pub has_payable_invoice: bool,
}

/// The conditions are literally those of partial indexes.
const OPEN_BUSINESS: &str = "SELECT
    EXISTS (SELECT 1 FROM rounds WHERE player_id = $1 AND state = 'open') AS has_open_round,
    EXISTS (SELECT 1 FROM withdrawals w LEFT JOIN payouts p ON p.withdrawal_id = w.id
        WHERE w.player_id = $1 AND (w.status = 'pending' OR p.state IN ('claimed', 'sent', 'failed')))
        AS has_pending_withdrawal,
    EXISTS (SELECT 1 FROM deposits WHERE player_id = $1 AND status IN ('requested', 'pending'))
        AS has_payable_invoice";

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    value: bool,
}

impl Transaction<'_, '_> {
    /// What the account still has to settle. Its row must be locked, so that nothing is added.
    ///
    /// # Errors
    /// If the database fails.
    pub fn open_business(&mut self, player: UserId) -> Result<OpenBusiness, DatabaseError> {
        self.execute(|connection| {
            Ok(diesel::sql_query(OPEN_BUSINESS)
                .bind::<BigInt, _>(player.get())
                .get_result(connection)?)
        })
    }

    /// Whether there is an owner besides this one. The audit log must be locked, so that two do not
    /// leave at the same time.
    ///
    /// # Errors
    /// If the database fails.
    pub fn has_other_owner(&mut self, id: UserId) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let found: Found = diesel::sql_query(
                "SELECT EXISTS (SELECT 1 FROM users WHERE role = 'owner' AND id <> $1
                    AND closed_at_micros IS NULL) AS value",
            )
            .bind::<BigInt, _>(id.get())
            .get_result(connection)?;
            Ok(found.value)
        })
    }

    /// Closes the account of a locked user, and hides the name from other players.
    ///
    /// # Errors
    /// If the database fails.
    pub fn close_user(&mut self, id: UserId, at: Timestamp) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(users::table.find(id.get()))
                .set((
                    users::closed_at_micros.eq(at.as_micros()),
                    users::shows_name.eq(0),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Opens the account of a locked user again.
    ///
    /// # Errors
    /// If the database fails.
    pub fn reopen_user(&mut self, id: UserId) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(users::table.find(id.get()))
                .set(users::closed_at_micros.eq(None::<i64>))
                .execute(connection)?;
            Ok(())
        })
    }
}
