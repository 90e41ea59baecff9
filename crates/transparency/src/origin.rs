//! The origin of a log: its name in checkpoints, and the name of the keys that sign for it.

use std::fmt;

/// The name of a log, by convention a host and a path without a scheme.
///
/// It is visible ASCII without `+`, as the names of keys require, and does not end with
/// [`RECEIPTS_SUFFIX`], so that no log can be named as the receipts of another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin(String);

/// What follows the origin in the first line of a note about receipts.
pub const RECEIPTS_SUFFIX: &str = "/receipts";

const MAXIMUM_LENGTH: usize = 200;

/// The text is not an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "an origin is 1 to {MAXIMUM_LENGTH} visible ASCII characters without +, and does not end with \
     {RECEIPTS_SUFFIX}"
)]
pub struct OriginError;

impl Origin {
    /// Parses an origin.
    ///
    /// # Errors
    /// If the text is empty, too long or ends with [`RECEIPTS_SUFFIX`], or contains `+`, white space,
    /// a control character or a character outside of ASCII.
    pub fn parse(text: &str) -> Result<Self, OriginError> {
        let is_allowed = |byte: u8| byte.is_ascii_graphic() && byte != b'+';
        let is_origin = (1..=MAXIMUM_LENGTH).contains(&text.len())
            && text.bytes().all(is_allowed)
            && !text.ends_with(RECEIPTS_SUFFIX);
        if is_origin {
            Ok(Self(text.to_owned()))
        } else {
            Err(OriginError)
        }
    }

    /// The origin as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_keys_are_origins() {
        for text in ["play.example/glasshouse", "a", "play.example:8080/2"] {
            assert_eq!(Origin::parse(text).unwrap().as_str(), text);
        }
        let long = "a".repeat(201);
        for text in [
            "",
            "a b",
            "a+b",
            "a\n",
            "\u{e4}",
            "\u{7f}",
            "a/receipts",
            &long,
        ] {
            assert_eq!(Origin::parse(text), Err(OriginError), "{text:?}");
        }
    }
}
