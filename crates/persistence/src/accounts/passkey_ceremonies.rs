//! What passkeys were asked to sign. Each ceremony is completed at most once.

use diesel::prelude::*;
use glasshouse_domain::{PasskeyPurpose, Timestamp, UserId};

use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::passkey_ceremonies;

/// What a device was asked to sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyCeremony {
    /// What for.
    pub purpose: PasskeyPurpose,
    /// Who is to sign it; `None` for signing in, where the signature tells.
    pub user: Option<UserId>,
    /// What the answer is checked against.
    pub state: String,
}

impl Transaction<'_, '_> {
    /// Stores a ceremony under the hash of its key.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_passkey_ceremony(
        &mut self,
        key_hash: &str,
        ceremony: &PasskeyCeremony,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::insert_into(passkey_ceremonies::table)
                .values((
                    passkey_ceremonies::key_hash.eq(key_hash),
                    passkey_ceremonies::purpose.eq(ceremony.purpose.as_str()),
                    passkey_ceremonies::user_id.eq(ceremony.user.map(UserId::get)),
                    passkey_ceremonies::state.eq(&ceremony.state),
                    passkey_ceremonies::created_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Removes a ceremony that was begun after `since` and returns it, so that nothing else completes it.
    ///
    /// # Errors
    /// If the database fails or contains invalid data.
    pub fn take_passkey_ceremony(
        &mut self,
        key_hash: &str,
        since: Timestamp,
    ) -> Result<Option<PasskeyCeremony>, DatabaseError> {
        self.execute(|connection| {
            let found: Option<(String, Option<i64>, String)> = passkey_ceremonies::table
                .find(key_hash)
                .filter(passkey_ceremonies::created_at_micros.gt(since.as_micros()))
                .select((
                    passkey_ceremonies::purpose,
                    passkey_ceremonies::user_id,
                    passkey_ceremonies::state,
                ))
                .first(connection)
                .optional()?;
            // Of several requests at the same time, only one removes the row.
            let removed =
                diesel::delete(passkey_ceremonies::table.find(key_hash)).execute(connection)?;
            let Some((purpose, user, state)) = found.filter(|_| removed == 1) else {
                return Ok(None);
            };
            Ok(Some(PasskeyCeremony {
                purpose: PasskeyPurpose::parse(&purpose).ok_or_else(|| {
                    DatabaseError::corrupt(format!("passkey ceremony for {purpose}"))
                })?,
                user: user.map(UserId::new),
                state,
            }))
        })
    }

    /// Removes ceremonies that were begun before `before`, at most `limit`, and returns how many.
    ///
    /// # Errors
    /// If the database fails.
    pub fn purge_passkey_ceremonies(
        &mut self,
        before: Timestamp,
        limit: i64,
    ) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let old: Vec<String> = passkey_ceremonies::table
                .filter(passkey_ceremonies::created_at_micros.lt(before.as_micros()))
                .order(passkey_ceremonies::created_at_micros)
                .limit(limit)
                .select(passkey_ceremonies::key_hash)
                .load(connection)?;
            let old = passkey_ceremonies::table.filter(passkey_ceremonies::key_hash.eq_any(old));
            Ok(diesel::delete(old).execute(connection)?)
        })
    }
}
