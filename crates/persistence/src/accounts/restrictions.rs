//! What players are restricted from, in the rows of the users. The account's row repeats it for bets.

use diesel::prelude::*;
use glasshouse_domain::{Restriction, Restrictions, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::users;

/// The columns of [`Restrictions`].
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = users)]
pub(crate) struct RestrictionsRow {
    betting_block_reason: Option<String>,
    withdrawing_block_reason: Option<String>,
}

impl From<RestrictionsRow> for Restrictions {
    fn from(row: RestrictionsRow) -> Self {
        Self {
            betting: row.betting_block_reason,
            withdrawing: row.withdrawing_block_reason,
        }
    }
}

/// A user's restrictions.
pub(crate) fn restrictions_of(
    connection: &mut AnyConnection,
    user: UserId,
) -> Result<Restrictions, DatabaseError> {
    let row = users::table
        .find(user.get())
        .select(RestrictionsRow::as_select())
        .get_result(connection)?;
    Ok(row.into())
}

impl Transaction<'_, '_> {
    /// A user's restrictions.
    ///
    /// # Errors
    /// If the database fails.
    pub fn restrictions_of(&mut self, user: UserId) -> Result<Restrictions, DatabaseError> {
        self.execute(|connection| restrictions_of(connection, user))
    }

    /// Restricts a user with a reason, or lifts the restriction if the reason is `None`. The copy in the
    /// account's row is written by the caller.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_restriction(
        &mut self,
        user: UserId,
        restriction: Restriction,
        reason: Option<&str>,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let user = users::table.find(user.get());
            match restriction {
                Restriction::Betting => diesel::update(user)
                    .set(users::betting_block_reason.eq(reason))
                    .execute(connection)?,
                Restriction::Withdrawing => diesel::update(user)
                    .set(users::withdrawing_block_reason.eq(reason))
                    .execute(connection)?,
            };
            Ok(())
        })
    }
}
