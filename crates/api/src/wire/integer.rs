//! Integers on the wire. To JSON, `5.0` and `5` are the same number, and some clients send the
//! former; serde distinguishes them.

use glasshouse_domain::{RoundId, UserId};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// An integer as the client sent it, parsed from its digits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Integer(pub(crate) i64);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get();
        let digits = match text.split_once('.') {
            Some((digits, zeros)) if zeros.bytes().all(|byte| byte == b'0') => digits,
            _ => text,
        };
        digits
            .parse()
            .map(Self)
            .map_err(|_| D::Error::custom("expected an integer"))
    }
}

impl From<Integer> for RoundId {
    fn from(number: Integer) -> Self {
        Self::new(number.0)
    }
}

impl From<Integer> for UserId {
    fn from(number: Integer) -> Self {
        Self::new(number.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<i64> {
        serde_json::from_str::<Integer>(text)
            .ok()
            .map(|integer| integer.0)
    }

    #[test]
    fn only_integers_are_accepted() {
        for (text, number) in [("5", 5), ("5.0", 5), ("-5.00", -5), ("0", 0)] {
            assert_eq!(read(text), Some(number), "{text}");
        }
        for text in [
            "5.5",
            "5.05",
            "\"5\"",
            "5e0",
            "null",
            "9223372036854775808",
            "[5]",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
