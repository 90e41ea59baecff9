//! The intervals at which players want to be told how long they have played.

use diesel::prelude::*;
use glasshouse_domain::UserId;

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::reality_checks;

/// The interval of a player's reality check in minutes; `None` if it is off.
///
/// # Errors
/// If the database fails.
pub fn reality_check_minutes(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<Option<i64>, DatabaseError> {
    Ok(reality_checks::table
        .find(player.get())
        .select(reality_checks::interval_minutes)
        .first(connection)
        .optional()?)
}

impl Transaction<'_, '_> {
    /// Sets the interval of a player's reality check in minutes; `None` turns it off.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_reality_check(
        &mut self,
        player: UserId,
        minutes: Option<i64>,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::delete(reality_checks::table.find(player.get())).execute(connection)?;
            if let Some(minutes) = minutes {
                diesel::insert_into(reality_checks::table)
                    .values((
                        reality_checks::player_id.eq(player.get()),
                        reality_checks::interval_minutes.eq(minutes),
                    ))
                    .execute(connection)?;
            }
            Ok(())
        })
    }
}
