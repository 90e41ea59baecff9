//! The optional notices that users do not want.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::UserId;

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::declined_notices;

/// The topics that a user does not want notices of.
///
/// # Errors
/// If the database fails.
pub fn declined_notices_of(
    connection: &mut AnyConnection,
    user: UserId,
) -> Result<Vec<String>, DatabaseError> {
    Ok(declined_notices::table
        .filter(declined_notices::user_id.eq(user.get()))
        .order(declined_notices::topic)
        .select(declined_notices::topic)
        .load(connection)?)
}

impl Transaction<'_, '_> {
    /// The topics that a user does not want notices of.
    ///
    /// # Errors
    /// If the database fails.
    pub fn declined_notices(&mut self, user: UserId) -> Result<Vec<String>, DatabaseError> {
        self.execute(|connection| declined_notices_of(connection, user))
    }

    /// Sets whether a user wants notices of a topic.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_notice(
        &mut self,
        user: UserId,
        topic: &str,
        is_wanted: bool,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            if is_wanted {
                let declined = declined_notices::table.find((user.get(), topic));
                diesel::delete(declined).execute(connection)?;
                return Ok(());
            }
            diesel::sql_query(
                "INSERT INTO declined_notices (user_id, topic) VALUES ($1, $2)
                 ON CONFLICT DO NOTHING",
            )
            .bind::<BigInt, _>(user.get())
            .bind::<Text, _>(topic)
            .execute(connection)?;
            Ok(())
        })
    }
}
