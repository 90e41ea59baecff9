//! Usernames, passwords, roles and ban states.

use secrecy::{ExposeSecret as _, SecretString};
use unicode_normalization::UnicodeNormalization as _;

/// A valid username: 3–32 letters, digits, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Username(String);

/// Why a text is not a valid username.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UsernameError {
    /// Fewer than 3 characters.
    #[error("Username must be at least 3 characters")]
    TooShort,
    /// More than 32 characters.
    #[error("Username must be at most 32 characters")]
    TooLong,
    /// Something other than letters, digits, `_` and `-`.
    #[error("Username may contain only letters, digits, _ and -")]
    ForbiddenCharacter,
}

impl Username {
    /// Parses a username.
    ///
    /// # Errors
    /// See [`UsernameError`].
    pub fn parse(text: &str) -> Result<Self, UsernameError> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        match text.chars().take(33).count() {
            0..3 => Err(UsernameError::TooShort),
            33.. => Err(UsernameError::TooLong),
            _ if !text.bytes().all(is_allowed) => Err(UsernameError::ForbiddenCharacter),
            _ => Ok(Self(text.to_owned())),
        }
    }

    /// The name as the user wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name in lower case, which must be unique.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

/// A password chosen by a user: at least 6 characters and at most 1,024 bytes, in Unicode normal
/// form NFKC, so that it does not depend on the keyboard.
#[derive(Debug, Clone)]
pub struct NewPassword(SecretString);

/// Why a text is not a valid password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Fewer than 6 characters.
    #[error("Password must be at least 6 characters")]
    TooShort,
    /// More than 1,024 bytes.
    #[error("Password must be at most 1024 bytes")]
    TooLong,
}

impl NewPassword {
    /// The maximum length in bytes that is ever hashed.
    pub const MAXIMUM_BYTES: usize = 1024;

    /// Validates and normalises a password.
    ///
    /// # Errors
    /// See [`PasswordError`].
    pub fn parse(text: String) -> Result<Self, PasswordError> {
        // `SecretString` wipes the text as typed from memory.
        let typed = SecretString::from(text);
        let text = typed.expose_secret();
        if text.len() > Self::MAXIMUM_BYTES {
            return Err(PasswordError::TooLong);
        }
        // Both forms are checked, because either can be much longer than the other.
        let normal = Self::normal_form(text);
        if text.chars().count().min(normal.chars().count()) < 6 {
            return Err(PasswordError::TooShort);
        }
        if normal.len() > Self::MAXIMUM_BYTES {
            return Err(PasswordError::TooLong);
        }
        Ok(Self(normal.into()))
    }

    /// The form in which passwords are hashed: NFKC, in which "ü" is one character regardless of
    /// how it was typed.
    #[must_use]
    pub fn normal_form(text: &str) -> String {
        text.nfkc().collect()
    }

    /// The normalised password, for hashing.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

/// A password as typed to sign in. Any text is accepted; a wrong one matches nobody.
#[derive(Debug, Clone)]
pub struct TypedPassword(SecretString);

impl TypedPassword {
    /// Takes the text, which is wiped from memory after use.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text.into())
    }

    /// The text, for hashing.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

/// Whether a user may use the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserStatus {
    /// Not banned.
    Active,
    /// Banned: refused at login and at every request.
    Banned {
        /// The reason shown to the user.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usernames_are_validated() {
        let check = |text: &str, expected: Result<&str, UsernameError>| {
            assert_eq!(
                Username::parse(text).as_ref().map(Username::as_str),
                expected.as_ref().copied(),
                "{text}"
            );
        };
        check("abc", Ok("abc"));
        check("A_b-9", Ok("A_b-9"));
        check(&"x".repeat(32), Ok(&"x".repeat(32)));
        check("ab", Err(UsernameError::TooShort));
        check("", Err(UsernameError::TooShort));
        check(&"x".repeat(33), Err(UsernameError::TooLong));
        for text in ["a b", "äöü", "a\0b", "abc ", "a.b", "<b>", "аbс"] {
            check(text, Err(UsernameError::ForbiddenCharacter));
        }
        assert_eq!(Username::parse("MiXed").unwrap().key(), "mixed");
    }

    #[test]
    fn passwords_are_validated_and_normalised() {
        let check = |text: &str, expected: Result<(), PasswordError>| {
            assert_eq!(NewPassword::parse(text.to_owned()).map(drop), expected);
        };
        check("12345", Err(PasswordError::TooShort));
        check("ü".repeat(5).as_str(), Err(PasswordError::TooShort));
        check("ü".repeat(6).as_str(), Ok(()));
        check(&"x".repeat(1024), Ok(()));
        check("u\u{308}".repeat(3).as_str(), Err(PasswordError::TooShort));
        check("\u{fdfa}", Err(PasswordError::TooShort));
        check("\u{fdfa}".repeat(340).as_str(), Err(PasswordError::TooLong));
        check(&"x".repeat(1025), Err(PasswordError::TooLong));
        let composed = NewPassword::parse("pa\u{df}w\u{f6}rter".to_owned()).unwrap();
        let decomposed = NewPassword::parse("pa\u{df}wo\u{308}rter".to_owned()).unwrap();
        assert_eq!(composed.expose(), decomposed.expose());
        assert!(!format!("{composed:?}").contains("w\u{f6}rter"));
    }
}
