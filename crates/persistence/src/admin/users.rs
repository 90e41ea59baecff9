//! All users with their balances, for administrators.

use std::collections::HashMap;

use diesel::prelude::*;
use glasshouse_domain::{Money, Restrictions, UserId, Wallet};

use crate::accounts::restrictions::RestrictionsRow;
use crate::accounts::users::{User, UserRow};
use crate::admin::filters::{Period, newest_first};
use crate::admin::listing::{AdminList, PageBounds, contains, limit, number, pattern};
use crate::admin::search::{Found, find_users, found_by};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::schema::{accounts, users};

/// The order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UserOrder {
    /// Newest first.
    #[default]
    Newest,
    /// Highest balance first.
    Balance,
    /// By name.
    Username,
}

/// Selects users.
#[derive(Debug, Clone, Default)]
pub struct UserQuery {
    /// Part of the name, or the ID.
    pub search: Option<String>,
    /// Only banned users, or only users who are not banned.
    pub is_banned: Option<bool>,
    /// Only users who registered in this period.
    pub period: Period,
    /// The order of the list.
    pub order: UserOrder,
    /// The position to continue from: the sort key of a user, and the user's ID.
    pub after: Option<(String, UserId)>,
    /// The maximum number of users.
    pub limit: usize,
}

/// A user and the user's wallet.
#[derive(Debug, Clone)]
pub struct UserEntry {
    /// The user.
    pub user: User,
    /// The wallet.
    pub wallet: Wallet,
    /// Why the user is restricted.
    pub restrictions: Restrictions,
}

/// A balance and a wagering requirement, in US cents.
type AccountRow = (i64, i64);
type Row = (UserRow, RestrictionsRow, AccountRow);

impl TryFrom<Row> for UserEntry {
    type Error = DatabaseError;

    fn try_from((user, restrictions, (balance, unwagered)): Row) -> Result<Self, DatabaseError> {
        let user: User = user.try_into()?;
        let wallet = Wallet::restore(Money::from_cents(balance), Money::from_cents(unwagered));
        Ok(Self {
            wallet: wallet
                .map_err(|error| DatabaseError::corrupt(format!("user {}: {error}", user.id)))?,
            user,
            restrictions: restrictions.into(),
        })
    }
}

/// Users with their accounts.
macro_rules! user_entries {
    () => {
        users::table
            .inner_join(accounts::table.on(accounts::player_id.eq(users::id)))
            .select((
                UserRow::as_select(),
                RestrictionsRow::as_select(),
                (accounts::balance_cents, accounts::unwagered_cents),
            ))
    };
}

/// Restricts a boxed query on users to those that `$query` selects; `$found` are those that its search finds.
macro_rules! selected {
    ($page:expr, $query:expr, $found:expr) => {{
        let mut page = $page;
        if let Some(ids) = $found {
            page = page.filter(users::id.eq_any(ids));
        }
        match $query.is_banned {
            None => {}
            Some(true) => page = page.filter(users::ban_reason.is_not_null()),
            Some(false) => page = page.filter(users::ban_reason.is_null()),
        }
        if let Some((first, end)) = $query.period.bounds() {
            page = page.filter(users::created_at_micros.between(first, end));
        }
        if let Some(search) = &$query.search {
            page = page.filter(
                contains!(users::username_key, pattern(search)).or(users::id.eq(number(search))),
            );
        }
        page
    }};
}

impl UserQuery {
    /// The users of a page in the order of an index, then their accounts. In one query, PostgreSQL
    /// may start from the accounts if its statistics show few of them, and read them all.
    fn read_by_index(
        &self,
        connection: &mut AnyConnection,
        found: Found,
    ) -> Result<Vec<Row>, DatabaseError> {
        let sort_key = self.after.as_ref().map(|(sort_key, _)| sort_key.as_str());
        let last = self.after.as_ref().map(|(_, id)| id.get());
        let page = users::table
            .select((UserRow::as_select(), RestrictionsRow::as_select()))
            .limit(limit(self.limit))
            .into_boxed();
        // The first page has bounds as well, so that each order is one index range.
        let page = match self.order {
            UserOrder::Username => page
                .filter(users::username_key.gt(sort_key.unwrap_or_default()))
                .order(users::username_key),
            UserOrder::Newest | UserOrder::Balance => {
                newest_first!(connection, page, users.created_at_micros, self.period, last)
            }
        };
        let users: Vec<(UserRow, RestrictionsRow)> =
            selected!(page, self, found).load(connection)?;
        if users.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<i64> = users.iter().map(|(user, _)| user.id()).collect();
        let accounts: Vec<(i64, AccountRow)> = accounts::table
            .filter(accounts::player_id.eq_any(ids))
            .select((
                accounts::player_id,
                (accounts::balance_cents, accounts::unwagered_cents),
            ))
            .load(connection)?;
        let accounts: HashMap<i64, AccountRow> = accounts.into_iter().collect();
        users
            .into_iter()
            .map(|(user, restrictions)| {
                let id = user.id();
                let account = accounts
                    .get(&id)
                    .copied()
                    .ok_or_else(|| DatabaseError::corrupt(format!("user {id} has no account")))?;
                Ok((user, restrictions, account))
            })
            .collect()
    }

    /// A page by balance, which reads and sorts the accounts of the bands that it needs.
    fn read_by_balance(
        &self,
        connection: &mut AnyConnection,
        found: Found,
    ) -> Result<Vec<Row>, DatabaseError> {
        let (cents, last) = match &self.after {
            Some((sort_key, id)) => (sort_key.parse(), id.get()),
            None => (Ok(i64::MAX), i64::MAX),
        };
        let cents = cents.map_err(|_| DatabaseError::corrupt("the cursor of a list by balance"))?;
        let has_lower_balance = accounts::balance_cents.lt(cents);
        let has_equal_balance = accounts::balance_cents.eq(cents).and(users::id.lt(last));
        let page = user_entries!()
            .limit(limit(self.limit))
            .into_boxed()
            // It follows from the balance, but the database cannot know that.
            .filter(accounts::balance_band.le(balance_band(cents)))
            .filter(has_lower_balance.or(has_equal_balance))
            .order((
                accounts::balance_band.desc(),
                accounts::balance_cents.desc(),
                users::id.desc(),
            ));
        Ok(selected!(page, self, found).load(connection)?)
    }
}

impl AdminList for UserQuery {
    type Entry = UserEntry;
    type Place = (String, UserId);

    fn bounds(&mut self) -> PageBounds<'_, (String, UserId)> {
        PageBounds {
            after: &mut self.after,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<UserEntry, (String, UserId)>, DatabaseError> {
        let found = found_by(connection, self.search.as_deref(), find_users)?;
        let rows = match self.order {
            UserOrder::Balance => self.read_by_balance(connection, found)?,
            UserOrder::Newest | UserOrder::Username => self.read_by_index(connection, found)?,
        };
        Page::of(rows, self.limit, |entry: &UserEntry| {
            let sort_key = match self.order {
                UserOrder::Newest => String::new(),
                UserOrder::Balance => entry.wallet.balance().cents().to_string(),
                UserOrder::Username => entry.user.username.to_ascii_lowercase(),
            };
            (sort_key, entry.user.id)
        })
    }
}

/// The band of a balance in the index of balances, as the database derives it: the number of digits, then the first
/// digit. The band of a higher balance is never lower.
fn balance_band(cents: i64) -> i64 {
    let power = cents.checked_ilog10().unwrap_or_default();
    i64::from(power + 1) * 10 + cents / 10_i64.pow(power)
}

/// Reads a user with the user's wallet.
///
/// # Errors
/// If the database fails.
pub fn user_entry(
    connection: &mut AnyConnection,
    id: UserId,
) -> Result<Option<UserEntry>, DatabaseError> {
    let row: Option<Row> = user_entries!()
        .filter(users::id.eq(id.get()))
        .first(connection)
        .optional()?;
    row.map(UserEntry::try_from).transpose()
}

#[cfg(test)]
mod tests {
    use super::balance_band;

    #[test]
    fn a_band_is_the_number_of_digits_and_the_first_digit() {
        let bands = [
            (0, 10),
            (1, 11),
            (9, 19),
            (10, 21),
            (99, 29),
            (100, 31),
            (123_456, 61),
            (999_999, 69),
            (1_000_000, 71),
            (i64::MAX, 199),
        ];
        for (cents, band) in bands {
            assert_eq!(balance_band(cents), band, "{cents}");
        }
        assert!(bands.is_sorted_by_key(|(_, band)| band));
    }
}
