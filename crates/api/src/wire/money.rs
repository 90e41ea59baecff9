//! Amounts on the wire: decimal strings, or JSON numbers read by their literal digits.

use std::borrow::Cow;

use glasshouse_casino::Refusal;
use glasshouse_domain::Money;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// An amount as the client sent it. A JSON number is kept as text to avoid floating-point
/// conversion.
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

/// The schema of a decimal number, written as a string or as a JSON number, up to `maximum` in
/// multiples of `step`.
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
            "US dollars with at most two decimals.",
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

/// The schema of an amount greater than zero.
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
            "US dollars with at most two decimals, greater than zero.",
            text,
            number,
        )
    }
}

impl ToSchema for PositiveAmount {}

impl AmountText {
    /// The digits as the client sent them.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Parses the amount.
    pub(crate) fn parse(&self) -> Result<Money, Refusal> {
        Ok(Money::parse(&self.0)?)
    }
}
