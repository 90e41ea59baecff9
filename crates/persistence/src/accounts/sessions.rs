//! Sessions, found by the hash of a key that only the browser has.

use diesel::prelude::*;
use glasshouse_domain::{Timestamp, UserId};

use crate::accounts::security_events::RequestOrigin;
use crate::connection::AnyConnection;
use crate::engine::notifications::notify_sessions_ended;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{sessions, users};

/// The sessions that are valid: active after `idle_since`, created after `old_since`, and of users
/// who are not banned.
///
/// # Errors
/// If the database fails.
pub fn live_sessions(
    connection: &mut AnyConnection,
    key_hashes: &[String],
    idle_since: Timestamp,
    old_since: Timestamp,
) -> Result<Vec<String>, DatabaseError> {
    Ok(sessions::table
        .inner_join(users::table)
        .filter(sessions::key_hash.eq_any(key_hashes))
        .filter(sessions::last_active_at_micros.gt(idle_since.as_micros()))
        .filter(sessions::created_at_micros.gt(old_since.as_micros()))
        .filter(users::ban_reason.is_null())
        .select(sessions::key_hash)
        .load(connection)?)
}

/// A session as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    /// The hash of the session's key.
    pub key_hash: String,
    /// The browser and operating system that signed in, if they are known.
    pub device: Option<String>,
    /// The network address that signed in, if it is known.
    pub address: Option<String>,
    /// When the user signed in.
    pub created_at: Timestamp,
    /// When the user was last active, to the minute.
    pub last_active_at: Timestamp,
}

/// A user's sessions that were active after `idle_since` and created after `old_since`, the one that
/// was last active first; at most `limit`.
///
/// # Errors
/// If the database fails.
pub fn open_sessions_of(
    connection: &mut AnyConnection,
    user: UserId,
    (idle_since, old_since): (Timestamp, Timestamp),
    limit: i64,
) -> Result<Vec<OpenSession>, DatabaseError> {
    type Row = (String, Option<String>, Option<String>, i64, i64);
    let rows: Vec<Row> = sessions::table
        .filter(sessions::user_id.eq(user.get()))
        .filter(sessions::last_active_at_micros.gt(idle_since.as_micros()))
        .filter(sessions::created_at_micros.gt(old_since.as_micros()))
        .order((
            sessions::last_active_at_micros.desc(),
            sessions::created_at_micros.desc(),
        ))
        .limit(limit)
        .select((
            sessions::key_hash,
            sessions::device,
            sessions::address,
            sessions::created_at_micros,
            sessions::last_active_at_micros,
        ))
        .load(connection)?;
    let sessions = rows.into_iter().map(
        |(key_hash, device, address, created_at_micros, last_active_at_micros)| OpenSession {
            key_hash,
            device,
            address,
            created_at: Timestamp::from_micros(created_at_micros),
            last_active_at: Timestamp::from_micros(last_active_at_micros),
        },
    );
    Ok(sessions.collect())
}

impl Transaction<'_, '_> {
    /// Adds a session.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_session(
        &mut self,
        key_hash: &str,
        user: UserId,
        origin: &RequestOrigin,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::insert_into(sessions::table)
                .values((
                    sessions::key_hash.eq(key_hash),
                    sessions::user_id.eq(user.get()),
                    sessions::created_at_micros.eq(at.as_micros()),
                    sessions::last_active_at_micros.eq(at.as_micros()),
                    sessions::confirmed_at_micros.eq(at.as_micros()),
                    sessions::device.eq(&origin.device),
                    sessions::address.eq(&origin.address),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Records that the user has confirmed the session. Returns `false` if the session no longer
    /// exists.
    ///
    /// # Errors
    /// If the database fails.
    pub fn confirm_session(
        &mut self,
        key_hash: &str,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let confirmed = diesel::update(sessions::table.find(key_hash))
                .set((
                    sessions::confirmed_at_micros.eq(at.as_micros()),
                    sessions::refused_confirmations.eq(0),
                ))
                .execute(connection)?;
            Ok(confirmed > 0)
        })
    }

    /// Records a wrong password or code in the session. Ends the session after `limit` of them in a row
    /// and then returns `true`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn refuse_confirmation(
        &mut self,
        key_hash: &str,
        limit: i64,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            diesel::update(sessions::table.find(key_hash))
                .set(sessions::refused_confirmations.eq(sessions::refused_confirmations + 1))
                .execute(connection)?;
            let exhausted: Option<String> = sessions::table
                .find(key_hash)
                .filter(sessions::refused_confirmations.ge(limit))
                .select(sessions::key_hash)
                .get_result(connection)
                .optional()?;
            match exhausted {
                Some(key_hash) => delete_session(connection, &key_hash).map(|_| true),
                None => Ok(false),
            }
        })
    }

    /// Notifies all servers to close the event streams of a user's sessions. The sessions are kept,
    /// so that further requests can be answered with the reason.
    ///
    /// # Errors
    /// If the database fails.
    pub fn refuse_sessions_of(&mut self, user: UserId) -> Result<(), DatabaseError> {
        self.execute(|connection| notify_sessions_ended(connection, user))
    }

    /// Ends all sessions of a user.
    ///
    /// # Errors
    /// If the database fails.
    pub fn end_sessions_of(&mut self, user: UserId) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let of_user = sessions::table.filter(sessions::user_id.eq(user.get()));
            let ended = diesel::delete(of_user).execute(connection)?;
            notify_sessions_ended(connection, user)?;
            Ok(ended)
        })
    }

    /// Gives a session another key; the old one is worth nothing from then on.
    ///
    /// # Errors
    /// If the database fails.
    pub fn change_session_key(
        &mut self,
        old_hash: &str,
        new_hash: &str,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(sessions::table.find(old_hash))
                .set(sessions::key_hash.eq(new_hash))
                .execute(connection)?;
            Ok(())
        })
    }

    /// The hashes of the keys of a user's sessions that were active after `idle_since` and created
    /// after `old_since`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn session_keys_of(
        &mut self,
        user: UserId,
        (idle_since, old_since): (Timestamp, Timestamp),
    ) -> Result<Vec<String>, DatabaseError> {
        self.execute(|connection| {
            Ok(sessions::table
                .filter(sessions::user_id.eq(user.get()))
                .filter(sessions::last_active_at_micros.gt(idle_since.as_micros()))
                .filter(sessions::created_at_micros.gt(old_since.as_micros()))
                .select(sessions::key_hash)
                .load(connection)?)
        })
    }

    /// Ends all sessions of a user except one, and returns the hashes of their keys. The user is locked,
    /// so that no session begins meanwhile.
    ///
    /// # Errors
    /// If the database fails.
    pub fn end_other_sessions(
        &mut self,
        user: UserId,
        kept: &str,
    ) -> Result<Vec<String>, DatabaseError> {
        self.execute(|connection| {
            let others = sessions::table
                .filter(sessions::user_id.eq(user.get()))
                .filter(sessions::key_hash.ne(kept));
            let ended: Vec<String> = others.select(sessions::key_hash).load(connection)?;
            if ended.is_empty() {
                return Ok(ended);
            }
            diesel::delete(others).execute(connection)?;
            notify_sessions_ended(connection, user)?;
            Ok(ended)
        })
    }

    /// Records activity of the user. Returns `false` if the session no longer exists; it is not
    /// recreated.
    ///
    /// # Errors
    /// If the database fails.
    pub fn touch_session(&mut self, key_hash: &str, at: Timestamp) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let touched = diesel::update(sessions::table.find(key_hash))
                .set(sessions::last_active_at_micros.eq(at.as_micros()))
                .execute(connection)?;
            Ok(touched > 0)
        })
    }

    /// Ends a session, if it exists, and returns its user.
    ///
    /// # Errors
    /// If the database fails.
    pub fn end_session(&mut self, key_hash: &str) -> Result<Option<UserId>, DatabaseError> {
        self.execute(|connection| delete_session(connection, key_hash))
    }

    /// Deletes up to `limit` sessions that were last active before `idle_since`, and returns their
    /// number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn purge_sessions(
        &mut self,
        idle_since: Timestamp,
        limit: i64,
    ) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let old: Vec<String> = sessions::table
                .filter(sessions::last_active_at_micros.lt(idle_since.as_micros()))
                .order(sessions::last_active_at_micros)
                .limit(limit)
                .select(sessions::key_hash)
                .load(connection)?;
            let mut purged = 0;
            for key_hash in old {
                purged += diesel::delete(sessions::table.find(key_hash)).execute(connection)?;
            }
            Ok(purged)
        })
    }
}

/// Deletes a session, if it exists, and notifies all servers.
fn delete_session(
    connection: &mut AnyConnection,
    key_hash: &str,
) -> Result<Option<UserId>, DatabaseError> {
    let user: Option<i64> = sessions::table
        .find(key_hash)
        .select(sessions::user_id)
        .get_result(connection)
        .optional()?;
    let Some(user) = user.map(UserId::new) else {
        return Ok(None);
    };
    diesel::delete(sessions::table.find(key_hash)).execute(connection)?;
    notify_sessions_ended(connection, user)?;
    Ok(Some(user))
}
