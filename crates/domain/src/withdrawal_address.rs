//! Players' address books.

/// How many addresses a player can have.
pub const MAXIMUM_WITHDRAWAL_ADDRESSES: usize = 50;
/// The maximum length of a label.
const MAXIMUM_CHARACTERS: usize = 50;

/// A player's name for an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressLabel(String);

/// The text cannot be a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressLabelError {
    /// It is too long.
    #[error("A label has at most 50 characters")]
    TooLong,
    /// It contains a control character.
    #[error("A label cannot contain line breaks or other control characters")]
    ControlCharacter,
}

impl AddressLabel {
    /// Parses a label without the white space around it. A blank text is no label.
    ///
    /// # Errors
    /// See [`AddressLabelError`].
    pub fn parse(text: &str) -> Result<Option<Self>, AddressLabelError> {
        let text = text.trim();
        if text.chars().count() > MAXIMUM_CHARACTERS {
            return Err(AddressLabelError::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(AddressLabelError::ControlCharacter);
        }
        Ok((!text.is_empty()).then(|| Self(text.to_owned())))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_trimmed_and_limited() {
        let check = |text: &str, expected: Result<Option<&str>, AddressLabelError>| {
            let label = AddressLabel::parse(text);
            let parsed = label
                .as_ref()
                .map(|label| label.as_ref().map(AddressLabel::as_str));
            assert_eq!(parsed, expected.as_ref().copied(), "{text:?}");
        };
        check("", Ok(None));
        check(" \t\n", Ok(None));
        check(" My wallet ", Ok(Some("My wallet")));
        let longest = "ü".repeat(50);
        check(&longest, Ok(Some(&longest)));
        check(&"ü".repeat(51), Err(AddressLabelError::TooLong));
        check("a\nb", Err(AddressLabelError::ControlCharacter));
        check("a\u{0}b", Err(AddressLabelError::ControlCharacter));
    }
}
