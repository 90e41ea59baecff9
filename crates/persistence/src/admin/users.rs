//! All users with their balances, for administrators.

use diesel::prelude::*;
use glasshouse_domain::{Money, UserId, Wallet};

use crate::accounts::users::{User, UserRow};
use crate::admin::listing::{AdminList, Page, PageBounds, contains, limit, number, pattern};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::schema::{accounts, users};

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

type Row = (UserRow, (i64, i64));

impl TryFrom<Row> for UserEntry {
    type Error = DatabaseError;

    fn try_from((user, (balance, unwagered)): Row) -> Result<Self, DatabaseError> {
        let user: User = user.try_into()?;
        let wallet = Wallet::restore(Money::from_cents(balance), Money::from_cents(unwagered));
        Ok(Self {
            wallet: wallet
                .map_err(|error| DatabaseError::corrupt(format!("user {}: {error}", user.id)))?,
            user,
        })
    }
}

/// All users as rows of the list.
macro_rules! user_entries {
    () => {
        users::table
            .inner_join(accounts::table.on(accounts::player_id.eq(users::id)))
            .select((
                UserRow::as_select(),
                (accounts::balance_cents, accounts::unwagered_cents),
            ))
    };
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
        let mut page = user_entries!().limit(limit(self.limit)).into_boxed();
        let (mark, last) = match &self.after {
            Some((mark, id)) => (Some(mark.as_str()), id.get()),
            None => (None, i64::MAX),
        };
        // The first page has bounds, too, so that each order is one range of an index or one sort.
        page = match self.order {
            UserOrder::Newest => page.filter(users::id.lt(last)).order(users::id.desc()),
            UserOrder::Balance => {
                let cents = mark.map_or(Ok(i64::MAX), str::parse);
                let cents = cents.map_err(|_| DatabaseError::corrupt("a place by balance"))?;
                let with_less = accounts::balance_cents.lt(cents);
                let with_as_much = accounts::balance_cents.eq(cents).and(users::id.lt(last));
                page.filter(with_less.or(with_as_much))
                    .order((accounts::balance_cents.desc(), users::id.desc()))
            }
            UserOrder::Username => page
                .filter(users::username_key.gt(mark.unwrap_or_default()))
                .order(users::username_key),
        };
        match self.is_banned {
            None => {}
            Some(true) => page = page.filter(users::ban_reason.is_not_null()),
            Some(false) => page = page.filter(users::ban_reason.is_null()),
        }
        if let Some(search) = &self.search {
            page = page.filter(
                contains!(users::username_key, pattern(search)).or(users::id.eq(number(search))),
            );
        }
        let rows: Vec<Row> = page.load(connection)?;
        Page::of(rows, self.limit, |entry: &UserEntry| {
            let mark = match self.order {
                UserOrder::Newest => String::new(),
                UserOrder::Balance => entry.wallet.balance().cents().to_string(),
                UserOrder::Username => entry.user.username.to_ascii_lowercase(),
            };
            (mark, entry.user.id)
        })
    }
}

/// A user with the user's money.
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
