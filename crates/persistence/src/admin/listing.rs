//! What the lists for administrators share. Each is one statement, newest first unless asked
//! otherwise, that goes on behind the last entry of the page before.

use diesel::sql_types::{Nullable, Text};
use glasshouse_domain::UserId;

use crate::connection::AnyConnection;
use crate::error::DatabaseError;

diesel::define_sql_function! {
    /// In lower case; on both databases for the letters of English only.
    fn lower(text: Nullable<Text>) -> Nullable<Text>;
}

/// A list for administrators, as the query that says which entries are wanted.
pub trait AdminList: Clone + Send + 'static {
    /// What it lists.
    type Entry: Send + 'static;
    /// A place in it, behind an entry.
    type Place: Send + 'static;

    /// The part of the query that says which page is wanted.
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

/// Which page of a list.
#[derive(Debug)]
pub struct PageBounds<'q, P> {
    /// The place that it comes after; none for the first page.
    pub after: &'q mut Option<P>,
    /// How many entries at the most.
    pub limit: &'q mut usize,
}

/// A page of a list, and where it goes on if there may be more.
#[derive(Debug, Clone)]
pub struct Page<T, P> {
    /// The entries, in the order of the list.
    pub entries: Vec<T>,
    /// The place behind the last of them.
    pub next: Option<P>,
}

impl<T, P> Page<T, P> {
    /// Of the rows that were found, where no more than `limit` were asked for.
    pub(crate) fn of<R>(
        rows: Vec<R>,
        limit: usize,
        place: impl Fn(&T) -> P,
    ) -> Result<Self, DatabaseError>
    where
        T: TryFrom<R>,
        DatabaseError: From<T::Error>,
    {
        let entries: Vec<T> = rows
            .into_iter()
            .map(|row| Ok(row.try_into()?))
            .collect::<Result<_, DatabaseError>>()?;
        let next = entries.last().map(place);
        Ok(Self {
            next: next.filter(|_| entries.len() == limit),
            entries,
        })
    }
}

/// A user by number and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRef {
    /// The number.
    pub id: UserId,
    /// The name.
    pub username: String,
}

/// A user's number and name as they are read.
pub(crate) type UserRefRow = (i64, String);

impl From<UserRefRow> for UserRef {
    fn from((id, username): UserRefRow) -> Self {
        Self {
            id: UserId::new(id),
            username,
        }
    }
}

/// Before a number or an id it asks for that one alone.
const NUMBER_SIGN: char = '#';

/// What takes the special meaning from a character of a pattern.
pub(crate) const ESCAPE: char = '\\';

/// A search as a pattern of LIKE: what is searched for anywhere, nothing of it special.
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

/// The same for what is known by an id of its own: a number sign before it asks for that id alone.
pub(crate) fn id_pattern(search: &str) -> String {
    match search.strip_prefix(NUMBER_SIGN) {
        Some(id) => pattern(id).trim_matches('%').to_owned(),
        None => pattern(search),
    }
}

/// The number that a search may be meant as; none that exists otherwise. With a number sign before
/// it, it is nothing else: no name has one.
pub(crate) fn number(search: &str) -> i64 {
    let digits = search.strip_prefix(NUMBER_SIGN).unwrap_or(search);
    digits.parse().unwrap_or(-1)
}

/// A column that holds a part of a text, whatever the case. The column must be in lower case.
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
    fn nothing_in_a_search_is_special() {
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
