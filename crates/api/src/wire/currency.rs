//! Cryptocurrencies on the wire.

use std::borrow::Cow;

use glasshouse_domain::Currency;
use serde::Deserialize;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A currency code as the client sent it; the use case rejects unknown codes with its own message.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct CurrencyText(pub(crate) String);

impl PartialSchema for CurrencyText {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(Currency::ALL.map(Currency::code)))
            .description(Some("The code of a supported cryptocurrency."))
            .into()
    }
}

impl ToSchema for CurrencyText {
    fn name() -> Cow<'static, str> {
        "CurrencyCode".into()
    }
}
