//! A text in a cell of a spreadsheet.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

/// A text that a spreadsheet shows and never executes.
#[derive(Debug, Clone, Default)]
pub(in crate::routes) struct Cell(String);

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&escape_formula(&self.0))
    }
}

/// A text that no spreadsheet takes for a formula: those that begin like one, spaces and full-width
/// signs included, get an apostrophe in front (OWASP, CSV Injection). Amounts below zero stay numbers.
fn escape_formula(text: &str) -> Cow<'_, str> {
    const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    let is_number = text.strip_prefix('-').is_some_and(|digits| {
        !digits.is_empty()
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
    });
    let is_formula = text.trim_start().starts_with(SIGNS) || text.starts_with(['\t', '\r', '\n']);
    if is_formula && !is_number {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let check = |text: &str, expected: &str| assert_eq!(escape_formula(text), expected);
        check("=1+1", "'=1+1");
        check("+1", "'+1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("-2+3", "'-2+3");
        check("\t=1", "'\t=1");
        check("  =1", "'  =1");
        check("\u{a0}+1", "'\u{a0}+1");
        check("＝1+1", "'＝1+1");
        check("-12.50", "-12.50");
        check("-", "'-");
        check("a=b", "a=b");
        check("", "");
    }
}
