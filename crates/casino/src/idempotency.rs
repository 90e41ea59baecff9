//! Idempotency keys: a repeated request that moves money takes effect only once.

/// A client's idempotency key: 1–64 letters, digits, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(String);

/// The text is not a valid idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("An Idempotency-Key is 1 to 64 letters, digits, _ and -")]
pub struct IdempotencyKeyError;

impl IdempotencyKey {
    /// Parses a key.
    ///
    /// # Errors
    /// If the text is empty, longer than 64 characters or contains other characters.
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
