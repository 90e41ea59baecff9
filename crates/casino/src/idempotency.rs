//! The client's key for repeating a call that moves money, so that it moves once.

/// 1–64 letters, digits, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(String);

/// The text is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("An Idempotency-Key is 1 to 64 letters, digits, _ and -")]
pub struct IdempotencyKeyError;

impl IdempotencyKey {
    /// Reads a key.
    ///
    /// # Errors
    /// If it is empty, longer than 64 characters, or has other characters.
    pub fn parse(text: &str) -> Result<Self, IdempotencyKeyError> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if (1..=64).contains(&text.len()) && text.bytes().all(is_allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(IdempotencyKeyError)
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}
