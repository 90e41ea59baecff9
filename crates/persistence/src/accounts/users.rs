//! Users: names, roles, bans and password hashes.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{Role, Timestamp, UserId, UserStatus, Username};

use crate::connection::{AnyConnection, locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{accounts, users};
use crate::seeds::pairs::{FirstSeedPairs, add_first_pairs};

/// A stored user, without the password hash.
#[derive(Debug, Clone)]
pub struct User {
    /// The user's ID.
    pub id: UserId,
    /// The name as the user wrote it.
    pub username: String,
    /// The role.
    pub role: Role,
    /// The ban state.
    pub status: UserStatus,
    /// When the user registered.
    pub created_at: Timestamp,
    /// If the user's password is a one-time password, until when it can be used to sign in.
    pub one_time_password_until: Option<Timestamp>,
    /// Whether a second factor is needed to sign in.
    pub has_second_factor: bool,
    /// When the user closed the account; `None` while it is open.
    pub closed_at: Option<Timestamp>,
}

impl User {
    /// Whether the user is an administrator.
    #[must_use]
    pub const fn is_administrator(&self) -> bool {
        self.role.is_administrator()
    }

    /// Whether the user must set a second factor up before anything else: administrators need one.
    #[must_use]
    pub const fn must_enrol(&self) -> bool {
        self.is_administrator() && !self.has_second_factor
    }
}

/// A user with the password hash.
#[derive(Clone)]
pub struct Credentials {
    /// The user.
    pub user: User,
    /// The password hash, in PHC string format.
    pub password_hash: String,
}

/// A user to be added, with an empty account and its first seed pairs.
#[derive(Clone)]
pub struct NewUser {
    /// The chosen name.
    pub username: Username,
    /// The password hash, in PHC string format.
    pub password_hash: String,
    /// The role.
    pub role: Role,
    /// Until when the password can be used to sign in, if it is a one-time password.
    pub one_time_password_until: Option<Timestamp>,
    /// The first seed pairs.
    pub seeds: FirstSeedPairs,
    /// The time of the registration.
    pub at: Timestamp,
}

#[derive(Debug, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = users)]
pub(crate) struct UserRow {
    id: i64,
    username: String,
    role: String,
    ban_reason: Option<String>,
    created_at_micros: i64,
    one_time_password_until_micros: Option<i64>,
    has_second_factor: i64,
    closed_at_micros: Option<i64>,
}

impl UserRow {
    pub(crate) const fn id(&self) -> i64 {
        self.id
    }
}

impl TryFrom<UserRow> for User {
    type Error = DatabaseError;

    fn try_from(row: UserRow) -> Result<Self, DatabaseError> {
        let role = Role::parse(&row.role)
            .ok_or_else(|| DatabaseError::corrupt(format!("user {}: unknown role", row.id)))?;
        Ok(Self {
            id: UserId::new(row.id),
            username: row.username,
            role,
            status: row
                .ban_reason
                .map_or(UserStatus::Active, |reason| UserStatus::Banned { reason }),
            created_at: Timestamp::from_micros(row.created_at_micros),
            one_time_password_until: row
                .one_time_password_until_micros
                .map(Timestamp::from_micros),
            has_second_factor: row.has_second_factor == 1,
            closed_at: row.closed_at_micros.map(Timestamp::from_micros),
        })
    }
}

/// Reads a user.
///
/// # Errors
/// If the database fails.
pub fn user(connection: &mut AnyConnection, id: UserId) -> Result<Option<User>, DatabaseError> {
    users::table
        .find(id.get())
        .select(UserRow::as_select())
        .get_result(connection)
        .optional()?
        .map(User::try_from)
        .transpose()
}

/// Finds a user by name, regardless of case.
///
/// # Errors
/// If the database fails.
pub fn credentials(
    connection: &mut AnyConnection,
    username_key: &str,
) -> Result<Option<Credentials>, DatabaseError> {
    let row: Option<(UserRow, String)> = users::table
        .filter(users::username_key.eq(username_key))
        .select((UserRow::as_select(), users::password_hash))
        .get_result(connection)
        .optional()?;
    row.map(|(user, password_hash)| {
        Ok(Credentials {
            user: user.try_into()?,
            password_hash,
        })
    })
    .transpose()
}

/// The number of owners.
///
/// # Errors
/// If the database fails.
pub fn owners(connection: &mut AnyConnection) -> Result<i64, DatabaseError> {
    let count: Count = diesel::sql_query(OWNERS).get_result(connection)?;
    Ok(count.value)
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// The condition is literally that of a partial index.
const OWNERS: &str = "SELECT COUNT(*) AS value FROM users WHERE role = 'owner'";

/// The ID of an inserted row, as returned by RETURNING.
#[derive(QueryableByName)]
pub(crate) struct NewId {
    #[diesel(sql_type = BigInt)]
    pub(crate) id: i64,
}

impl Transaction<'_, '_> {
    /// Adds a user with an empty account. Returns `None` if the name is taken.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_user(&mut self, new: &NewUser) -> Result<Option<User>, DatabaseError> {
        self.execute(|connection| {
            let inserted: Option<NewId> = diesel::sql_query(
                "INSERT INTO users (username, username_key, password_hash, role, created_at_micros,
                     one_time_password_until_micros)
                 VALUES ($1, $2, $3, $4, $5, $6)
                 ON CONFLICT (username_key) DO NOTHING
                 RETURNING id",
            )
            .bind::<Text, _>(new.username.as_str())
            .bind::<Text, _>(new.username.key())
            .bind::<Text, _>(&new.password_hash)
            .bind::<Text, _>(new.role.as_str())
            .bind::<BigInt, _>(new.at.as_micros())
            .bind::<Nullable<BigInt>, _>(new.one_time_password_until.map(Timestamp::as_micros))
            .get_result(connection)
            .optional()?;
            let Some(NewId { id }) = inserted else {
                return Ok(None);
            };
            let id = UserId::new(id);
            let (active, next) = add_first_pairs(connection, id, &new.seeds, new.at)?;
            let commitment = &new.seeds.active;
            diesel::insert_into(accounts::table)
                .values((
                    accounts::player_id.eq(id.get()),
                    accounts::balance_cents.eq(0),
                    accounts::unwagered_cents.eq(0),
                    accounts::ledger_sequence.eq(0),
                    accounts::seed_pair_id.eq(active.get()),
                    accounts::next_seed_pair_id.eq(next.get()),
                    accounts::server_seed_hash.eq(&commitment.hash),
                    accounts::seed_key_id.eq(&commitment.key_id),
                    accounts::seed_salt.eq(&commitment.salt),
                    accounts::seed_mask.eq(&commitment.mask),
                    accounts::client_seed.eq(&new.seeds.client_seed),
                    accounts::next_nonce.eq(0),
                ))
                .execute(connection)?;
            Ok(Some(User {
                id,
                username: new.username.as_str().to_owned(),
                role: new.role,
                status: UserStatus::Active,
                created_at: new.at,
                one_time_password_until: new.one_time_password_until,
                has_second_factor: false,
                closed_at: None,
            }))
        })
    }

    /// Reads a user, including uncommitted changes of this transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub fn user(&mut self, id: UserId) -> Result<Option<User>, DatabaseError> {
        self.execute(|connection| user(connection, id))
    }

    /// Locks a user until the commit and reads it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_user(&mut self, id: UserId) -> Result<Option<User>, DatabaseError> {
        self.execute(|connection| {
            // This lock does not block inserts of rows that refer to the user.
            let row = locked!(
                connection,
                users::table.find(id.get()),
                UserRow,
                for_no_key_update
            );
            row.map(User::try_from).transpose()
        })
    }

    /// Locks a user until the commit and reads the password hash.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_password_hash(&mut self, id: UserId) -> Result<Option<String>, DatabaseError> {
        self.lock_user(id)?;
        self.execute(|connection| {
            let hash = users::table.find(id.get()).select(users::password_hash);
            Ok(hash.get_result(connection).optional()?)
        })
    }

    /// Sets the role of a user.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_role(&mut self, id: UserId, role: Role) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(users::table.find(id.get()))
                .set(users::role.eq(role.as_str()))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Bans a user with a reason, or lifts the ban if the reason is `None`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_ban_reason(
        &mut self,
        id: UserId,
        reason: Option<&str>,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(users::table.find(id.get()))
                .set(users::ban_reason.eq(reason))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Replaces a password hash by a new hash of the same password, unless it is no longer `old`.
    /// Sessions are kept. Returns whether it was replaced.
    ///
    /// # Errors
    /// If the database fails.
    pub fn replace_password_hash(
        &mut self,
        id: UserId,
        old: &str,
        new: &str,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let replaced = diesel::update(users::table.find(id.get()))
                .filter(users::password_hash.eq(old))
                .set(users::password_hash.eq(new))
                .execute(connection)?;
            Ok(replaced > 0)
        })
    }

    /// Replaces a password hash by that of a new password of the user's choice.
    ///
    /// # Errors
    /// If the database fails.
    pub fn change_password_hash(
        &mut self,
        id: UserId,
        new: &str,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(users::table.find(id.get()))
                .set((
                    users::password_hash.eq(new),
                    users::password_changed_at_micros.eq(at.as_micros()),
                    users::one_time_password_until_micros.eq(None::<i64>),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Replaces a password hash by that of a one-time password, which can be used to sign in until
    /// `until`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_one_time_password(
        &mut self,
        id: UserId,
        hash: &str,
        at: Timestamp,
        until: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(users::table.find(id.get()))
                .set((
                    users::password_hash.eq(hash),
                    users::password_changed_at_micros.eq(at.as_micros()),
                    users::one_time_password_until_micros.eq(until.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}

/// Stores that a user's second factor was changed, and whether there is one now.
pub(crate) fn note_second_factor(
    connection: &mut AnyConnection,
    user: UserId,
    has_second_factor: bool,
    at: Timestamp,
) -> Result<(), DatabaseError> {
    diesel::update(users::table.find(user.get()))
        .set((
            users::has_second_factor.eq(i64::from(has_second_factor)),
            users::second_factor_changed_at_micros.eq(at.as_micros()),
        ))
        .execute(connection)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn owners_are_counted_without_reading_all_users() {
        let found = plan(OWNERS);
        assert!(
            found.contains("USING COVERING INDEX users_owners"),
            "{found}"
        );
    }
}
