//! Lists over the whole house for administrators: what they share. Each is one statement, newest
//! first, that goes on behind the last entry of the page before.

use glasshouse_domain::UserId;

/// A user by number and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The number.
    pub id: UserId,
    /// The name.
    pub username: String,
}

impl Named {
    /// Of a joined row; none where there was nothing to join.
    pub(crate) fn joined(id: Option<i64>, username: Option<String>) -> Option<Self> {
        id.zip(username).map(|(id, username)| Self {
            id: UserId::new(id),
            username,
        })
    }
}

/// Before a number or an id it asks for that one alone.
const NUMBER_SIGN: char = '#';

/// A search as a pattern of LIKE: what is searched for anywhere, nothing of it special.
pub(crate) fn pattern(search: Option<&str>) -> String {
    let Some(search) = search else {
        return String::new();
    };
    let mut pattern = String::with_capacity(search.len() + 2);
    pattern.push('%');
    for character in search.to_ascii_lowercase().chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

/// The same for what is known by an id of its own: a number sign before it asks for that id alone.
pub(crate) fn id_pattern(search: Option<&str>) -> String {
    match search.and_then(|search| search.strip_prefix(NUMBER_SIGN)) {
        Some(id) => pattern(Some(id)).trim_matches('%').to_owned(),
        None => pattern(search),
    }
}

/// The number that a search may be meant as; none that exists otherwise. With a number sign before
/// it, it is nothing else: no name has one.
pub(crate) fn number(search: Option<&str>) -> i64 {
    search
        .map(|search| search.strip_prefix(NUMBER_SIGN).unwrap_or(search))
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(-1)
}

pub(crate) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_search_is_special() {
        assert_eq!(pattern(None), "");
        assert_eq!(pattern(Some("Ann")), "%ann%");
        assert_eq!(pattern(Some("50%_\\")), "%50\\%\\_\\\\%");
        assert_eq!(number(Some("17")), 17);
        assert_eq!(number(Some("#17")), 17);
        assert_eq!(id_pattern(Some("#AB_7")), "ab\\_7");
        assert_eq!(id_pattern(Some("7")), "%7%");
        assert_eq!(id_pattern(None), "");
        assert_eq!(number(Some("17a")), -1);
        assert_eq!(number(None), -1);
    }
}
