//! Multipliers on the wire: JSON numbers with exact digits, without floating-point conversion.

use std::borrow::Cow;

use glasshouse_casino::Refusal;
use glasshouse_domain::Multiplier;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::wire::money::{AmountText, decimal_schema};

/// A multiplier as the server writes it: `1.53`, `0`, `1.034`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MultiplierNumber(pub(crate) Multiplier);

impl MultiplierNumber {
    pub(crate) const fn of_thousandths(thousandths: u32) -> Self {
        Self(Multiplier::from_thousandths(thousandths))
    }

    fn text(self) -> String {
        let thousandths = self.0.thousandths();
        let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

impl Serialize for MultiplierNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.text())
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

/// A multiplier as the client sent it: a decimal string or a number.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct MultiplierText(AmountText);

impl PartialSchema for MultiplierText {
    fn schema() -> RefOr<Schema> {
        let pattern = r"^[0-9]{1,6}(\.[0-9]{1,3})?$";
        decimal_schema("A multiplier.", pattern, 999_999.999, 0.001)
    }
}

impl ToSchema for MultiplierText {
    fn name() -> Cow<'static, str> {
        "MultiplierText".into()
    }
}

impl MultiplierText {
    /// Parses a multiplier with at most three decimals; returns `None` for anything else.
    pub(crate) fn parse_exact(&self) -> Option<Multiplier> {
        let text = self.0.text();
        let decimals = text.split_once('.').map_or("", |(_, decimals)| decimals);
        let is_exact = decimals.trim_end_matches('0').len() <= 3;
        Multiplier::parse(text).ok().filter(|_| is_exact)
    }

    /// Parses the multiplier; decimals after the third are dropped.
    pub(crate) fn parse(&self) -> Result<Multiplier, Refusal> {
        Ok(Multiplier::parse(self.0.text())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_serialized_with_exact_digits() {
        let cases = [
            (1_530, "1.53"),
            (0, "0"),
            (2_000, "2"),
            (1_034, "1.034"),
            (100_000, "100"),
        ];
        for (thousandths, text) in cases {
            let number = MultiplierNumber::of_thousandths(thousandths);
            assert_eq!(serde_json::to_string(&number).unwrap(), text);
        }
    }
}
