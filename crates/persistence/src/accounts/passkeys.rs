//! Passkeys. Whoever changes them locks the user's row first.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{PasskeyId, PasskeyName, Timestamp, UserId};

use crate::accounts::users::{NewId, note_second_factor};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::passkeys;

/// A passkey to be added.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    /// The user.
    pub user: UserId,
    /// What the user is called on the device, the same for all passkeys of the user.
    pub user_handle: String,
    /// What the passkey is called on the device.
    pub credential_id: String,
    /// The user's name for it.
    pub name: PasskeyName,
    /// The public key and what else a signature is checked against.
    pub public_key: String,
    /// The time.
    pub at: Timestamp,
}

/// A passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    /// The passkey's ID.
    pub id: PasskeyId,
    /// Its user.
    pub user: UserId,
    /// What the user is called on the device.
    pub user_handle: String,
    /// What the passkey is called on the device.
    pub credential_id: String,
    /// The user's name for it.
    pub name: String,
    /// The public key and what else a signature is checked against.
    pub public_key: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used; `None` if it was not used since it was added.
    pub last_used_at: Option<Timestamp>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = passkeys)]
struct Row {
    id: i64,
    user_id: i64,
    user_handle: String,
    credential_id: String,
    name: String,
    public_key: String,
    created_at_micros: i64,
    last_used_at_micros: Option<i64>,
}

impl From<Row> for Passkey {
    fn from(row: Row) -> Self {
        Self {
            id: PasskeyId::new(row.id),
            user: UserId::new(row.user_id),
            user_handle: row.user_handle,
            credential_id: row.credential_id,
            name: row.name,
            public_key: row.public_key,
            created_at: Timestamp::from_micros(row.created_at_micros),
            last_used_at: row.last_used_at_micros.map(Timestamp::from_micros),
        }
    }
}

/// A user's passkeys, those that were added first at the top.
///
/// # Errors
/// If the database fails.
pub fn passkeys_of(
    connection: &mut AnyConnection,
    user: UserId,
) -> Result<Vec<Passkey>, DatabaseError> {
    let rows: Vec<Row> = passkeys::table
        .filter(passkeys::user_id.eq(user.get()))
        .order(passkeys::id)
        .select(Row::as_select())
        .load(connection)?;
    Ok(rows.into_iter().map(Passkey::from).collect())
}

impl Transaction<'_, '_> {
    /// A user's passkeys.
    ///
    /// # Errors
    /// If the database fails.
    pub fn passkeys_of(&mut self, user: UserId) -> Result<Vec<Passkey>, DatabaseError> {
        self.execute(|connection| passkeys_of(connection, user))
    }

    /// The passkey with this ID on its device.
    ///
    /// # Errors
    /// If the database fails.
    pub fn passkey(&mut self, credential_id: &str) -> Result<Option<Passkey>, DatabaseError> {
        self.execute(|connection| {
            let row: Option<Row> = passkeys::table
                .filter(passkeys::credential_id.eq(credential_id))
                .select(Row::as_select())
                .first(connection)
                .optional()?;
            Ok(row.map(Passkey::from))
        })
    }

    /// Adds a passkey, which makes it a second factor of its user. Returns false if there is one with
    /// this ID on its device already.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_passkey(&mut self, new: &NewPasskey) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let inserted: Option<NewId> = diesel::sql_query(
                "INSERT INTO passkeys
                    (user_id, user_handle, credential_id, name, public_key, created_at_micros)
                 VALUES ($1, $2, $3, $4, $5, $6)
                 ON CONFLICT (credential_id) DO NOTHING
                 RETURNING id",
            )
            .bind::<BigInt, _>(new.user.get())
            .bind::<Text, _>(&new.user_handle)
            .bind::<Text, _>(&new.credential_id)
            .bind::<Text, _>(new.name.as_str())
            .bind::<Text, _>(&new.public_key)
            .bind::<BigInt, _>(new.at.as_micros())
            .get_result(connection)
            .optional()?;
            if inserted.is_none() {
                return Ok(false);
            }
            note_second_factor(connection, new.user, true, new.at)?;
            Ok(true)
        })
    }

    /// Stores that a passkey was used, with what the next signature is checked against.
    ///
    /// # Errors
    /// If the database fails.
    pub fn use_passkey(
        &mut self,
        id: PasskeyId,
        public_key: &str,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(passkeys::table.find(id.get()))
                .set((
                    passkeys::public_key.eq(public_key),
                    passkeys::last_used_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Removes a passkey.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_passkey(&mut self, id: PasskeyId) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::delete(passkeys::table.find(id.get())).execute(connection)?;
            Ok(())
        })
    }
}
