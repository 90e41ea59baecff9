//! Links with which users choose a new password.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{password_recoveries, users};

/// A link with which a user can choose a new password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingRecovery {
    /// The user.
    pub user: UserId,
    /// When the link was requested.
    pub requested_at: Timestamp,
}

/// Finds the user of a link, by the hash of its token.
///
/// # Errors
/// If the database fails.
pub fn recovery_by_token(
    connection: &mut AnyConnection,
    token_hash: &str,
) -> Result<Option<PendingRecovery>, DatabaseError> {
    let row: Option<(i64, i64)> = password_recoveries::table
        .filter(password_recoveries::token_hash.eq(token_hash))
        .select((
            password_recoveries::user_id,
            password_recoveries::requested_at_micros,
        ))
        .first(connection)
        .optional()?;
    Ok(row.map(|(user, requested_at)| PendingRecovery {
        user: UserId::new(user),
        requested_at: Timestamp::from_micros(requested_at),
    }))
}

impl Transaction<'_, '_> {
    /// Stores a link of a user. It replaces an earlier one, which is worth nothing from then on.
    ///
    /// # Errors
    /// If the database fails.
    pub fn request_recovery(
        &mut self,
        new: &PendingRecovery,
        token_hash: &str,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO password_recoveries (user_id, token_hash, requested_at_micros)
                 VALUES ($1, $2, $3)
                 ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash,
                    requested_at_micros = excluded.requested_at_micros",
            )
            .bind::<BigInt, _>(new.user.get())
            .bind::<Text, _>(token_hash)
            .bind::<BigInt, _>(new.requested_at.as_micros())
            .execute(connection)?;
            Ok(())
        })
    }

    /// Uses up the link with this token. Returns `false` if it was used or replaced meanwhile.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_recovery(&mut self, user: UserId, token_hash: &str) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let link = password_recoveries::table
                .find(user.get())
                .filter(password_recoveries::token_hash.eq(token_hash));
            Ok(diesel::delete(link).execute(connection)? > 0)
        })
    }

    /// Withdraws the link of a user, if there is one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn withdraw_recovery(&mut self, user: UserId) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::delete(password_recoveries::table.find(user.get())).execute(connection)?;
            Ok(())
        })
    }

    /// When a user's password was last changed. A link that is no newer is worth nothing.
    ///
    /// # Errors
    /// If the database fails.
    pub fn password_changed_at(
        &mut self,
        user: UserId,
    ) -> Result<Option<Timestamp>, DatabaseError> {
        self.execute(|connection| {
            let changed: Option<Option<i64>> = users::table
                .find(user.get())
                .select(users::password_changed_at_micros)
                .first(connection)
                .optional()?;
            Ok(changed.flatten().map(Timestamp::from_micros))
        })
    }

    /// Deletes up to `limit` links that were requested before `before`, and returns their number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn purge_recoveries(
        &mut self,
        before: Timestamp,
        limit: i64,
    ) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let old: Vec<i64> = password_recoveries::table
                .filter(password_recoveries::requested_at_micros.lt(before.as_micros()))
                .order(password_recoveries::requested_at_micros)
                .limit(limit)
                .select(password_recoveries::user_id)
                .load(connection)?;
            let links = password_recoveries::table
                .filter(password_recoveries::user_id.eq_any(old))
                .filter(password_recoveries::requested_at_micros.lt(before.as_micros()));
            Ok(diesel::delete(links).execute(connection)?)
        })
    }
}
