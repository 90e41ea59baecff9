//! Whether other players see a player's name at the player's bets.

use diesel::prelude::*;
use glasshouse_domain::UserId;

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::users;

/// Whether a user shows the name.
///
/// # Errors
/// If the database fails.
pub fn shows_name(connection: &mut AnyConnection, user: UserId) -> Result<bool, DatabaseError> {
    let stored: Option<i64> = users::table
        .find(user.get())
        .select(users::shows_name)
        .first(connection)
        .optional()?;
    Ok(stored == Some(1))
}

impl Transaction<'_, '_> {
    /// Shows or hides a user's name.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_shows_name(&mut self, user: UserId, shows_name: bool) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let shows_name = i64::from(shows_name);
            diesel::update(users::table.find(user.get()))
                .filter(users::shows_name.ne(shows_name))
                .set(users::shows_name.eq(shows_name))
                .execute(connection)?;
            Ok(())
        })
    }
}
