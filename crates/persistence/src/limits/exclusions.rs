//! Exclusions, which are only ever added.

use diesel::prelude::*;
use glasshouse_domain::{Exclusion, ExclusionDuration, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::rows_before::rows_before;
use crate::schema::exclusions;

/// Reads a player's newest exclusions, newest first.
///
/// # Errors
/// If the database fails.
pub fn exclusions_of(
    connection: &mut AnyConnection,
    player: UserId,
    limit: i64,
) -> Result<Vec<Exclusion>, DatabaseError> {
    let rows: Vec<(String, i64, i64)> = exclusions::table
        .filter(rows_before("player_id", player, i64::MAX))
        .order((exclusions::player_id.desc(), exclusions::id.desc()))
        .limit(limit)
        .select((
            exclusions::duration,
            exclusions::since_micros,
            exclusions::until_micros,
        ))
        .load(connection)?;
    rows.into_iter().map(exclusion).collect()
}

/// The exclusion of a row: its duration, its beginning and its end.
pub(crate) fn exclusion(
    (duration, since, until): (String, i64, i64),
) -> Result<Exclusion, DatabaseError> {
    let duration = ExclusionDuration::parse(&duration)
        .ok_or_else(|| DatabaseError::corrupt(format!("unknown duration {duration}")))?;
    Ok(Exclusion {
        duration,
        since: Timestamp::from_micros(since),
        until: Timestamp::from_micros(until),
    })
}

impl Transaction<'_, '_> {
    /// Adds an exclusion of a player.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_exclusion(
        &mut self,
        player: UserId,
        exclusion: &Exclusion,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::insert_into(exclusions::table)
                .values((
                    exclusions::player_id.eq(player.get()),
                    exclusions::duration.eq(exclusion.duration.as_str()),
                    exclusions::since_micros.eq(exclusion.since.as_micros()),
                    exclusions::until_micros.eq(exclusion.until.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
