//! Addresses that users have asked to verify.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{EmailAddress, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::email::addresses::stored_address;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::email_verifications;

/// An address that a user has asked to verify.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingVerification {
    /// The user.
    pub user: UserId,
    /// The address.
    pub address: EmailAddress,
    /// When the user asked.
    pub requested_at: Timestamp,
}

type Row = (i64, String, i64);
const COLUMNS: (
    email_verifications::user_id,
    email_verifications::address,
    email_verifications::requested_at_micros,
) = (
    email_verifications::user_id,
    email_verifications::address,
    email_verifications::requested_at_micros,
);

fn pending((user, address, requested_at): Row) -> Result<PendingVerification, DatabaseError> {
    Ok(PendingVerification {
        user: UserId::new(user),
        address: stored_address(&address)?,
        requested_at: Timestamp::from_micros(requested_at),
    })
}

/// The address that a user has asked to verify.
///
/// # Errors
/// If the database fails.
pub fn verification_of(
    connection: &mut AnyConnection,
    user: UserId,
) -> Result<Option<PendingVerification>, DatabaseError> {
    let row: Option<Row> = email_verifications::table
        .find(user.get())
        .select(COLUMNS)
        .first(connection)
        .optional()?;
    row.map(pending).transpose()
}

/// Finds what a link verifies, by the hash of its token.
///
/// # Errors
/// If the database fails.
pub fn verification_by_token(
    connection: &mut AnyConnection,
    token_hash: &str,
) -> Result<Option<PendingVerification>, DatabaseError> {
    let row: Option<Row> = email_verifications::table
        .filter(email_verifications::token_hash.eq(token_hash))
        .select(COLUMNS)
        .first(connection)
        .optional()?;
    row.map(pending).transpose()
}

impl Transaction<'_, '_> {
    /// Stores the address that a user asks to verify. It replaces an earlier one, whose link is worth
    /// nothing from then on.
    ///
    /// # Errors
    /// If the database fails.
    pub fn request_verification(
        &mut self,
        new: &PendingVerification,
        token_hash: &str,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO email_verifications
                    (user_id, address, address_key, token_hash, requested_at_micros)
                 VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (user_id) DO UPDATE SET address = excluded.address,
                    address_key = excluded.address_key, token_hash = excluded.token_hash,
                    requested_at_micros = excluded.requested_at_micros",
            )
            .bind::<BigInt, _>(new.user.get())
            .bind::<Text, _>(new.address.as_str())
            .bind::<Text, _>(new.address.key())
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
    pub fn take_verification(
        &mut self,
        user: UserId,
        token_hash: &str,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let link = email_verifications::table
                .find(user.get())
                .filter(email_verifications::token_hash.eq(token_hash));
            Ok(diesel::delete(link).execute(connection)? > 0)
        })
    }

    /// Forgets the address that a user has asked to verify. Returns whether there was one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn withdraw_verification(&mut self, user: UserId) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let link = email_verifications::table.find(user.get());
            Ok(diesel::delete(link).execute(connection)? > 0)
        })
    }

    /// Deletes up to `limit` links that were requested before `before`, and returns their number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn purge_verifications(
        &mut self,
        before: Timestamp,
        limit: i64,
    ) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let old: Vec<i64> = email_verifications::table
                .filter(email_verifications::requested_at_micros.lt(before.as_micros()))
                .order(email_verifications::requested_at_micros)
                .limit(limit)
                .select(email_verifications::user_id)
                .load(connection)?;
            let links = email_verifications::table
                .filter(email_verifications::user_id.eq_any(old))
                .filter(email_verifications::requested_at_micros.lt(before.as_micros()));
            Ok(diesel::delete(links).execute(connection)?)
        })
    }
}
