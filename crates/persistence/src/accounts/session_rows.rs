//! Reads sessions with their users.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text};
use glasshouse_domain::Timestamp;

use crate::accounts::users::{User, UserRow};
use crate::connection::AnyConnection;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::error::DatabaseError;

/// A session and its user's current data.
#[derive(Debug, Clone)]
pub struct SessionRow {
    /// The user with the current role and status, so that bans and revoked roles apply to the next
    /// request.
    pub user: User,
    /// When the user signed in.
    pub created_at: Timestamp,
    /// When the user was last active, to the minute.
    pub last_active_at: Timestamp,
    /// When the user last confirmed the session.
    pub confirmed_at: Timestamp,
}

#[derive(QueryableByName)]
struct JoinedRow {
    #[diesel(sql_type = Text)]
    key_hash: String,
    #[diesel(embed)]
    user: UserRow,
    #[diesel(sql_type = BigInt)]
    signed_in_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    last_active_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    confirmed_at_micros: i64,
}

/// What is read of the session `s` and its user `u`.
macro_rules! of_session_and_user {
    ($key_hash:literal) => {
        concat!(
            "SELECT s.key_hash, u.id, u.username, u.role, u.ban_reason, u.created_at_micros,
                u.one_time_password_until_micros, u.has_second_factor, u.closed_at_micros,
                s.created_at_micros AS signed_in_at_micros, s.last_active_at_micros,
                s.confirmed_at_micros
             FROM sessions s
             JOIN users u ON u.id = (SELECT user_id FROM sessions WHERE key_hash = ",
            $key_hash,
            ") WHERE s.key_hash = ",
            $key_hash
        )
    };
}

/// Looks up each session in the index of their keys, and then its user by the ID that was read: the
/// LIMIT prevents PostgreSQL from planning a single join.
const EACH_ON_POSTGRES: &str = concat!(
    "SELECT found.* FROM unnest(?) AS wanted (key_hash) CROSS JOIN LATERAL (",
    of_session_and_user!("wanted.key_hash"),
    " LIMIT 1) found"
);
const ONE_ON_SQLITE: &str = of_session_and_user!("?");

/// Finds sessions by the hashes of their keys, with their users; with one query on PostgreSQL.
pub(crate) fn sessions(
    connection: &mut AnyConnection,
    key_hashes: &[&str],
) -> Result<HashMap<String, SessionRow>, DatabaseError> {
    let rows: Vec<JoinedRow> = match connection {
        AnyConnection::Sqlite(sqlite) => {
            let mut rows = Vec::with_capacity(key_hashes.len());
            for key_hash in key_hashes {
                let query = cached_sql!(ONE_ON_SQLITE)
                    .bind::<Text, _>(key_hash)
                    .bind::<Text, _>(key_hash);
                rows.extend(query.get_result(sqlite).optional()?);
            }
            rows
        }
        AnyConnection::Postgres(postgres) => cached_sql!(EACH_ON_POSTGRES)
            .bind::<Array<Text>, _>(key_hashes)
            .load(postgres)?,
    };
    let sessions = rows.into_iter().map(|row| {
        let session = SessionRow {
            user: row.user.try_into()?,
            created_at: Timestamp::from_micros(row.signed_in_at_micros),
            last_active_at: Timestamp::from_micros(row.last_active_at_micros),
            confirmed_at: Timestamp::from_micros(row.confirmed_at_micros),
        };
        Ok((row.key_hash, session))
    });
    sessions.collect()
}
