//! Common code of the lists for administrators. Each list is one statement, newest first by
//! default, that continues after the last entry of the previous page.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use glasshouse_domain::UserId;

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::schema::users;

diesel::define_sql_function! {
    /// Converts ASCII letters to lower case, on both databases.
    fn lower(text: Nullable<Text>) -> Nullable<Text>;
}

/// A list for administrators, represented by the query that selects its entries.
pub trait AdminList: Clone + Send + 'static {
    /// The type of its entries.
    type Entry: Send + 'static;
    /// A position in the list, after an entry.
    type Place: Send + 'static;

    /// The part of the query that selects the page.
    fn bounds(&mut self) -> PageBounds<'_, Self::Place>;

    /// Reads the page.
    ///
    /// # Errors
    /// If the database fails.
    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<Self::Entry, Self::Place>, DatabaseError>;
}

/// Selects a page of a list.
#[derive(Debug)]
pub struct PageBounds<'q, P> {
    /// The position to continue from; `None` for the first page.
    pub after: &'q mut Option<P>,
    /// The maximum number of entries.
    pub limit: &'q mut usize,
}

/// A user's ID and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRef {
    /// The user's ID.
    pub id: UserId,
    /// The user's name.
    pub username: String,
}

/// A user's ID and name as selected by a query.
pub(crate) type UserRefRow = (i64, String);

impl From<UserRefRow> for UserRef {
    fn from((id, username): UserRefRow) -> Self {
        Self {
            id: UserId::new(id),
            username,
        }
    }
}

/// Users by their IDs.
///
/// # Errors
/// If the database fails.
pub(crate) fn users_by_id(
    connection: &mut AnyConnection,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, UserRef>, DatabaseError> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<UserRefRow> = users::table
        .filter(users::id.eq_any(ids))
        .select((users::id, users::username))
        .load(connection)?;
    Ok(rows.into_iter().map(|row| (row.0, row.into())).collect())
}

/// The prefix that restricts a search to an exact ID.
pub(crate) const ID_PREFIX: char = '#';

/// The escape character in patterns.
pub(crate) const ESCAPE: char = '\\';

/// A LIKE pattern that matches the search text anywhere, with wildcards escaped.
pub(crate) fn pattern(search: &str) -> String {
    let mut pattern = String::with_capacity(search.len() + 2);
    pattern.push('%');
    for character in search.to_ascii_lowercase().chars() {
        if matches!(character, '%' | '_' | ESCAPE) {
            pattern.push(ESCAPE);
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

/// The same for text IDs. With the `#` prefix, only an exact match is found.
pub(crate) fn id_pattern(search: &str) -> String {
    match search.strip_prefix(ID_PREFIX) {
        Some(id) => pattern(id).trim_matches('%').to_owned(),
        None => pattern(search),
    }
}

/// The ID that a search text may refer to, or -1, which no row has. With the `#` prefix the text
/// can only be an ID, because names cannot contain `#`.
pub(crate) fn number(search: &str) -> i64 {
    let digits = search.strip_prefix(ID_PREFIX).unwrap_or(search);
    digits.parse().unwrap_or(-1)
}

/// Matches a column against a pattern from `pattern`. The column must be in lower case.
macro_rules! contains {
    ($column:expr, $pattern:expr) => {
        $column
            .like($pattern)
            .escape($crate::admin::listing::ESCAPE)
    };
}
pub(crate) use contains;

pub(crate) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_in_a_search_are_escaped() {
        assert_eq!(pattern("Ann"), "%ann%");
        assert_eq!(pattern("50%_\\"), "%50\\%\\_\\\\%");
        assert_eq!(number("17"), 17);
        assert_eq!(number("#17"), 17);
        assert_eq!(id_pattern("#AB_7"), "ab\\_7");
        assert_eq!(id_pattern("7"), "%7%");
        assert_eq!(number("17a"), -1);
        assert_eq!(number("-"), -1);
    }
}
