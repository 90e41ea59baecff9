//! All users with their balances, for administrators.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{Money, UserId, Wallet};

use crate::accounts::users::{User, UserRow};
use crate::admin::listing::{limit, number, pattern};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;

/// In which order users are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UserOrder {
    /// The newest first.
    #[default]
    Newest,
    /// The richest first.
    Balance,
    /// By name.
    Username,
}

/// Which users.
#[derive(Debug, Clone, Default)]
pub struct UserQuery {
    /// A part of the name, or the number.
    pub search: Option<String>,
    /// Only banned ones, or only others.
    pub is_banned: Option<bool>,
    /// In which order.
    pub order: UserOrder,
    /// Those behind this one: what it was ordered by, and its number.
    pub after: Option<(String, UserId)>,
    /// How many at the most.
    pub limit: usize,
}

/// A user and the user's money.
#[derive(Debug, Clone)]
pub struct UserEntry {
    /// Who.
    pub user: User,
    /// How much.
    pub wallet: Wallet,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(embed)]
    user: UserRow,
    #[diesel(sql_type = BigInt)]
    balance_cents: i64,
    #[diesel(sql_type = BigInt)]
    unwagered_cents: i64,
}

impl TryFrom<Row> for UserEntry {
    type Error = DatabaseError;

    fn try_from(row: Row) -> Result<Self, DatabaseError> {
        let user: User = row.user.try_into()?;
        let wallet = Wallet::restore(
            Money::from_cents(row.balance_cents),
            Money::from_cents(row.unwagered_cents),
        );
        Ok(Self {
            wallet: wallet
                .map_err(|error| DatabaseError::corrupt(format!("user {}: {error}", user.id)))?,
            user,
        })
    }
}

/// A page of users.
///
/// # Errors
/// If the database fails.
pub fn users_page(
    connection: &mut AnyConnection,
    query: &UserQuery,
) -> Result<Vec<UserEntry>, DatabaseError> {
    let (mark, last) = match &query.after {
        Some((mark, id)) => (mark.clone(), id.get()),
        None => (String::new(), i64::MAX),
    };
    // One fixed text for each order, so that each is one range of an index or one sort.
    // SQLite numbers values by their first place in the text, so each text has them in one order.
    let (place, order) = match query.order {
        UserOrder::Newest => ("u.id < $3 AND $4 = $4", "u.id DESC"),
        UserOrder::Balance => (
            "$3 = $3 AND (a.balance_cents < CAST($4 AS BIGINT)
                OR (a.balance_cents = CAST($4 AS BIGINT) AND u.id < $3))",
            "a.balance_cents DESC, u.id DESC",
        ),
        UserOrder::Username => ("$3 = $3 AND u.username_key > $4", "u.username_key"),
    };
    let mark = match (query.order, query.after.is_some()) {
        (UserOrder::Balance, false) => i64::MAX.to_string(),
        _ => mark,
    };
    let banned = match query.is_banned {
        None => "TRUE",
        Some(true) => "u.ban_reason IS NOT NULL",
        Some(false) => "u.ban_reason IS NULL",
    };
    let rows: Vec<Row> = diesel::sql_query(format!(
        "SELECT u.id, u.username, u.role, u.ban_reason, u.created_at_micros, a.balance_cents,
            a.unwagered_cents
         FROM users u JOIN accounts a ON a.player_id = u.id
         WHERE ($1 = '' OR u.username_key LIKE $1 ESCAPE '\\' OR u.id = $2)
            AND {banned} AND {place}
         ORDER BY {order} LIMIT $5"
    ))
    .bind::<Text, _>(pattern(query.search.as_deref()))
    .bind::<BigInt, _>(number(query.search.as_deref()))
    .bind::<BigInt, _>(last)
    .bind::<Text, _>(mark)
    .bind::<BigInt, _>(limit(query.limit))
    .load(connection)?;
    rows.into_iter().map(UserEntry::try_from).collect()
}

/// A user with the user's money.
///
/// # Errors
/// If the database fails.
pub fn user_entry(
    connection: &mut AnyConnection,
    id: UserId,
) -> Result<Option<UserEntry>, DatabaseError> {
    let row: Option<Row> = diesel::sql_query(
        "SELECT u.id, u.username, u.role, u.ban_reason, u.created_at_micros, a.balance_cents,
            a.unwagered_cents
         FROM users u JOIN accounts a ON a.player_id = u.id WHERE u.id = $1",
    )
    .bind::<BigInt, _>(id.get())
    .get_result(connection)
    .optional()?;
    row.map(UserEntry::try_from).transpose()
}
