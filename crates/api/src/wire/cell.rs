//! A text cell of a spreadsheet.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

/// Text that a spreadsheet displays and never evaluates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell(String);

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

/// Escapes text that a spreadsheet would take for a formula, including leading spaces and
/// full-width signs, by prefixing an apostrophe (OWASP, CSV Injection). Negative amounts remain
/// numbers.
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
    fn formulas_are_escaped_and_numbers_are_not() {
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
