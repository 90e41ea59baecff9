//! Who could approve what somebody else proposes.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{Role, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;

#[derive(QueryableByName)]
struct AdministratorRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    role: String,
}

/// The condition of the first line is literally that of a partial index.
const ADMINISTRATORS: &str = "SELECT id, role FROM users WHERE role <> 'player'
    AND ban_reason IS NULL AND closed_at_micros IS NULL ORDER BY id";

/// All administrators who can sign in, with their roles.
///
/// # Errors
/// If the database fails.
pub fn administrators(
    connection: &mut AnyConnection,
) -> Result<Vec<(UserId, Role)>, DatabaseError> {
    let rows: Vec<AdministratorRow> = diesel::sql_query(ADMINISTRATORS).load(connection)?;
    rows.into_iter()
        .map(|row| {
            let role = Role::parse(&row.role)
                .ok_or_else(|| DatabaseError::corrupt(format!("user {}: unknown role", row.id)))?;
            Ok((UserId::new(row.id), role))
        })
        .collect()
}

impl Transaction<'_, '_> {
    /// All administrators who can sign in, with their roles.
    ///
    /// # Errors
    /// If the database fails.
    pub fn administrators(&mut self) -> Result<Vec<(UserId, Role)>, DatabaseError> {
        self.execute(administrators)
    }
}
