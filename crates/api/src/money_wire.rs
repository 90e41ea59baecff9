//! Amounts on the wire: decimal strings, or numbers by their literal digits.

use glasshouse_casino::Refusal;
use glasshouse_domain::Money;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// An amount as a client wrote it. A JSON number is kept as text, so that no floating point ever
/// touches it.
#[derive(Debug)]
pub(crate) struct AmountText(String);

impl<'de> Deserialize<'de> for AmountText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'"') => serde_json::from_str(text)
                .map(Self)
                .map_err(D::Error::custom),
            Some(b'-' | b'0'..=b'9') => Ok(Self(text.to_owned())),
            _ => Err(D::Error::custom("expected an amount")),
        }
    }
}

impl AmountText {
    /// The digits as the client wrote them.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Reads the amount.
    pub(crate) fn parse(&self) -> Result<Money, Refusal> {
        Ok(Money::parse(&self.0)?)
    }
}
