//! Passkeys: what a user signs in with instead of a password, or confirms an action with.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// How many passkeys a user can have.
pub const MAXIMUM_PASSKEYS: usize = 20;
/// The maximum length of a name.
const MAXIMUM_CHARACTERS: usize = 64;

/// A user's name for a passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyName(String);

/// The text cannot be the name of a passkey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyNameError {
    /// It is empty or blank.
    #[error("Please give the passkey a name")]
    Missing,
    /// It is too long.
    #[error("A name has at most 64 characters")]
    TooLong,
    /// It contains a control character.
    #[error("A name cannot contain line breaks or other control characters")]
    ControlCharacter,
}

impl PasskeyName {
    /// Parses a name without the white space around it.
    ///
    /// # Errors
    /// See [`PasskeyNameError`].
    pub fn parse(text: &str) -> Result<Self, PasskeyNameError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PasskeyNameError::Missing);
        }
        if text.chars().count() > MAXIMUM_CHARACTERS {
            return Err(PasskeyNameError::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(PasskeyNameError::ControlCharacter);
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a passkey is asked to sign something for. A signature for one purpose serves no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum PasskeyPurpose {
    /// To sign in.
    SignIn,
    /// To confirm an action in a session.
    Confirmation,
    /// To add it to the account.
    Addition,
}

stored_names!(PasskeyPurpose);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_limited() {
        let check = |text: &str, expected: Result<&str, PasskeyNameError>| {
            let name = PasskeyName::parse(text);
            assert_eq!(
                name.as_ref().map(PasskeyName::as_str),
                expected.as_ref().map(|text| *text)
            );
        };
        check(" Phone\t", Ok("Phone"));
        let longest = "ü".repeat(64);
        check(&longest, Ok(&longest));
        check(&"ü".repeat(65), Err(PasskeyNameError::TooLong));
        check(" \n ", Err(PasskeyNameError::Missing));
        check("", Err(PasskeyNameError::Missing));
        check("a\nb", Err(PasskeyNameError::ControlCharacter));
    }
}
