//! The time that players are active, by session and by day, and what a session began with.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::{Money, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{daily_play_time, daily_statements, sessions};

/// What a player did in a session so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionUsage {
    /// When the player signed in.
    pub since: Timestamp,
    /// How long the player was active, up to the last stored activity.
    pub active: Duration,
    /// The stakes since signing in, in any session of the player.
    pub staked: Money,
    /// The payouts since signing in, in any session of the player.
    pub paid: Money,
}

/// What was done in a session; `None` if it does not exist. Reads the statements of the days of the
/// session, which are one or two.
///
/// # Errors
/// If the database fails.
pub fn session_usage(
    connection: &mut AnyConnection,
    key_hash: &str,
) -> Result<Option<SessionUsage>, DatabaseError> {
    let row: Option<(i64, i64, i64, i64, i64)> = sessions::table
        .find(key_hash)
        .select((
            sessions::user_id,
            sessions::created_at_micros,
            sessions::active_micros,
            sessions::staked_before_cents,
            sessions::paid_before_cents,
        ))
        .first(connection)
        .optional()?;
    let Some((user, since, active, staked_before, paid_before)) = row else {
        return Ok(None);
    };
    let since = Timestamp::from_micros(since);
    let days: Vec<(i64, i64)> = daily_statements::table
        .filter(daily_statements::player_id.eq(user))
        .filter(daily_statements::day.ge(since.day()))
        .select((daily_statements::staked_cents, daily_statements::paid_cents))
        .load(connection)?;
    let sum = |of: fn(&(i64, i64)) -> i64| days.iter().map(of).fold(0, i64::saturating_add);
    let since_then = |total: i64, before: i64| Money::from_cents(total.saturating_sub(before));
    Ok(Some(SessionUsage {
        since,
        active: Duration::from_micros(u64::try_from(active).unwrap_or(0)),
        staked: since_then(sum(|day| day.0), staked_before),
        paid: since_then(sum(|day| day.1), paid_before),
    }))
}

impl Transaction<'_, '_> {
    /// Notes what the player had staked and been paid on that day, before the session began.
    ///
    /// # Errors
    /// If the database fails.
    pub fn note_session_start(
        &mut self,
        key_hash: &str,
        user: UserId,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let before: Option<(i64, i64)> = daily_statements::table
                .find((user.get(), at.day()))
                .select((daily_statements::staked_cents, daily_statements::paid_cents))
                .first(connection)
                .optional()?;
            let Some((staked, paid)) = before else {
                return Ok(());
            };
            diesel::update(sessions::table.find(key_hash))
                .set((
                    sessions::staked_before_cents.eq(staked),
                    sessions::paid_before_cents.eq(paid),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// The last stored activity in a session; `None` if the session does not exist.
    ///
    /// # Errors
    /// If the database fails.
    pub fn last_activity(&mut self, key_hash: &str) -> Result<Option<Timestamp>, DatabaseError> {
        self.execute(|connection| {
            let micros: Option<i64> = sessions::table
                .find(key_hash)
                .select(sessions::last_active_at_micros)
                .first(connection)
                .optional()?;
            Ok(micros.map(Timestamp::from_micros))
        })
    }

    /// The last stored activity of a user in any session that still exists.
    ///
    /// # Errors
    /// If the database fails.
    pub fn latest_activity_of(&mut self, user: UserId) -> Result<Option<Timestamp>, DatabaseError> {
        self.execute(|connection| {
            let micros: Option<i64> = sessions::table
                .filter(sessions::user_id.eq(user.get()))
                .select(diesel::dsl::max(sessions::last_active_at_micros))
                .first(connection)?;
            Ok(micros.map(Timestamp::from_micros))
        })
    }

    /// Adds to the time that the user was active in a session.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_session_time(
        &mut self,
        key_hash: &str,
        active: Duration,
    ) -> Result<(), DatabaseError> {
        let micros = i64::try_from(active.as_micros()).unwrap_or(i64::MAX);
        self.execute(|connection| {
            diesel::update(sessions::table.find(key_hash))
                .set(sessions::active_micros.eq(sessions::active_micros + micros))
                .execute(connection)?;
            Ok(())
        })
    }

    /// The moment up to which a player's time has been counted; `None` if none has been.
    ///
    /// # Errors
    /// If the database fails.
    pub fn time_counted_until(
        &mut self,
        player: UserId,
    ) -> Result<Option<Timestamp>, DatabaseError> {
        self.execute(|connection| {
            let micros: Option<i64> = daily_play_time::table
                .filter(daily_play_time::player_id.eq(player.get()))
                .order((
                    daily_play_time::player_id.desc(),
                    daily_play_time::day.desc(),
                ))
                .select(daily_play_time::counted_until_micros)
                .first(connection)
                .optional()?;
            Ok(micros.map(Timestamp::from_micros))
        })
    }

    /// Adds to the time that a player was active on a day, counted up to `until`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_play_time(
        &mut self,
        player: UserId,
        (day, active_micros): (i64, i64),
        until: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO daily_play_time AS old
                    (player_id, day, active_micros, counted_until_micros)
                 VALUES ($1, $2, $3, $4)
                 ON CONFLICT (player_id, day) DO UPDATE SET
                    active_micros = old.active_micros + excluded.active_micros,
                    counted_until_micros = excluded.counted_until_micros",
            )
            .bind::<BigInt, _>(player.get())
            .bind::<BigInt, _>(day)
            .bind::<BigInt, _>(active_micros)
            .bind::<BigInt, _>(until.as_micros())
            .execute(connection)?;
            Ok(())
        })
    }
}
