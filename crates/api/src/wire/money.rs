//! Amounts on the wire: decimal strings, or numbers by their literal digits.

use std::borrow::Cow;

use glasshouse_casino::Refusal;
use glasshouse_domain::Money;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

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

/// Decimal digits, as a string or as a number: up to so large an amount, in so small steps.
pub(crate) fn decimal_schema(
    description: &str,
    pattern: &str,
    maximum: f64,
    step: f64,
) -> RefOr<Schema> {
    let text = ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some(pattern));
    let number = ObjectBuilder::new()
        .schema_type(Type::Number)
        .minimum(Some(0))
        .maximum(Some(maximum))
        .multiple_of(Some(step));
    one_of(description, text, number)
}

fn one_of(description: &str, text: ObjectBuilder, number: ObjectBuilder) -> RefOr<Schema> {
    OneOfBuilder::new()
        .item(text)
        .item(number)
        .description(Some(description))
        .into()
}

impl PartialSchema for AmountText {
    fn schema() -> RefOr<Schema> {
        let pattern = r"^[0-9]{1,9}(\.[0-9]{1,2})?$";
        decimal_schema(
            "Dollars with at most two decimals.",
            pattern,
            999_999_999.99,
            0.01,
        )
    }
}

impl ToSchema for AmountText {
    fn name() -> Cow<'static, str> {
        "Amount".into()
    }
}

/// Describes an amount that must not be nothing.
pub(crate) struct PositiveAmount;

impl PartialSchema for PositiveAmount {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(r"^(?!0+(\.0+)?$)[0-9]{1,9}(\.[0-9]{1,2})?$"));
        let number = ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(0.01))
            .maximum(Some(999_999_999.99))
            .multiple_of(Some(0.01));
        one_of(
            "Dollars with at most two decimals, more than nothing.",
            text,
            number,
        )
    }
}

impl ToSchema for PositiveAmount {}

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
