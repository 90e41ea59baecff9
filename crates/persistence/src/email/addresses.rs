//! Users' verified addresses.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{EmailAddress, Exclusion, ExclusionDuration, Timestamp, UserId};

use crate::accounts::users::{User, UserRow};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{email_addresses, users};

/// A user's verified address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedAddress {
    /// The address.
    pub address: EmailAddress,
    /// When it was verified.
    pub verified_at: Timestamp,
}

/// Reads a user's verified address.
///
/// # Errors
/// If the database fails.
pub fn verified_address(
    connection: &mut AnyConnection,
    user: UserId,
) -> Result<Option<VerifiedAddress>, DatabaseError> {
    let row: Option<(String, i64)> = email_addresses::table
        .filter(email_addresses::user_id.eq(user.get()))
        .filter(email_addresses::removed_at_micros.is_null())
        .select((
            email_addresses::address,
            email_addresses::verified_at_micros,
        ))
        .first(connection)
        .optional()?;
    row.map(|(address, verified_at)| {
        Ok(VerifiedAddress {
            address: stored_address(&address)?,
            verified_at: Timestamp::from_micros(verified_at),
        })
    })
    .transpose()
}

pub(crate) fn stored_address(text: &str) -> Result<EmailAddress, DatabaseError> {
    EmailAddress::parse(text).map_err(|_| DatabaseError::corrupt("a stored e-mail address"))
}

#[derive(QueryableByName)]
struct ExclusionRow {
    #[diesel(sql_type = Text)]
    duration: String,
    #[diesel(sql_type = BigInt)]
    since_micros: i64,
    #[diesel(sql_type = BigInt)]
    until_micros: i64,
}

impl Transaction<'_, '_> {
    /// The user who has verified an address with this key, and the address as that user wrote it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn owner_of_address(
        &mut self,
        key: &str,
    ) -> Result<Option<(User, EmailAddress)>, DatabaseError> {
        self.execute(|connection| {
            let found: Option<(i64, String)> = email_addresses::table
                .filter(email_addresses::address_key.eq(key))
                .filter(email_addresses::removed_at_micros.is_null())
                .select((email_addresses::user_id, email_addresses::address))
                .first(connection)
                .optional()?;
            let Some((user, address)) = found else {
                return Ok(None);
            };
            let row: UserRow = users::table
                .find(user)
                .select(UserRow::as_select())
                .get_result(connection)?;
            Ok(Some((row.try_into()?, stored_address(&address)?)))
        })
    }

    /// A user's verified address.
    ///
    /// # Errors
    /// If the database fails.
    pub fn verified_address(
        &mut self,
        user: UserId,
    ) -> Result<Option<VerifiedAddress>, DatabaseError> {
        self.execute(|connection| verified_address(connection, user))
    }

    /// The exclusion that ends last among those in force of other users who have, or had, an address
    /// with this key.
    ///
    /// # Errors
    /// If the database fails.
    pub fn exclusion_by_address(
        &mut self,
        key: &str,
        except: UserId,
        now: Timestamp,
    ) -> Result<Option<Exclusion>, DatabaseError> {
        self.execute(|connection| {
            let row: Option<ExclusionRow> = diesel::sql_query(
                "SELECT e.duration, e.since_micros, e.until_micros
                 FROM email_addresses a JOIN exclusions e ON e.player_id = a.user_id
                 WHERE a.address_key = $1 AND a.user_id <> $2 AND e.until_micros > $3
                 ORDER BY e.until_micros DESC LIMIT 1",
            )
            .bind::<Text, _>(key)
            .bind::<BigInt, _>(except.get())
            .bind::<BigInt, _>(now.as_micros())
            .get_result(connection)
            .optional()?;
            row.map(|row| {
                let duration = ExclusionDuration::parse(&row.duration)
                    .ok_or_else(|| DatabaseError::corrupt("the duration of an exclusion"))?;
                Ok(Exclusion {
                    duration,
                    since: Timestamp::from_micros(row.since_micros),
                    until: Timestamp::from_micros(row.until_micros),
                })
            })
            .transpose()
        })
    }

    /// Gives a user a verified address. Returns `false` if another user has the mailbox. An earlier
    /// address of the user must have been removed.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_verified_address(
        &mut self,
        user: UserId,
        address: &EmailAddress,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let added = diesel::sql_query(
                "INSERT INTO email_addresses (user_id, address, address_key, verified_at_micros)
                 VALUES ($1, $2, $3, $4)
                 ON CONFLICT DO NOTHING",
            )
            .bind::<BigInt, _>(user.get())
            .bind::<Text, _>(address.as_str())
            .bind::<Text, _>(address.key())
            .bind::<BigInt, _>(at.as_micros())
            .execute(connection)?;
            Ok(added > 0)
        })
    }

    /// Removes a user's verified address. Returns whether there was one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_verified_address(
        &mut self,
        user: UserId,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let current = email_addresses::table
                .filter(email_addresses::user_id.eq(user.get()))
                .filter(email_addresses::removed_at_micros.is_null());
            let removed = diesel::update(current)
                .set(email_addresses::removed_at_micros.eq(at.as_micros()))
                .execute(connection)?;
            Ok(removed > 0)
        })
    }

    /// Deletes up to `limit` addresses that were removed before `before`, except those of users who are
    /// excluded, and returns their number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn purge_addresses(
        &mut self,
        before: Timestamp,
        now: Timestamp,
        limit: i64,
    ) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let purged = diesel::sql_query(
                "DELETE FROM email_addresses WHERE id IN (
                    SELECT a.id FROM email_addresses a
                    WHERE a.removed_at_micros < $1 AND NOT EXISTS (
                        SELECT 1 FROM exclusions e
                        WHERE e.player_id = a.user_id AND e.until_micros > $2)
                    ORDER BY a.removed_at_micros LIMIT $3)",
            )
            .bind::<BigInt, _>(before.as_micros())
            .bind::<BigInt, _>(now.as_micros())
            .bind::<BigInt, _>(limit)
            .execute(connection)?;
            Ok(purged)
        })
    }
}
