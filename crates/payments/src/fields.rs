//! Reads the fields of the provider's JSON objects. The provider is inconsistent: a value may be a
//! number or a string, and a missing one may be `null`, the string `"null"`, an empty string, or
//! absent.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::decimal::Decimal;

/// The fields of an object, each as its JSON literal.
pub(crate) struct Fields<'a>(BTreeMap<String, &'a RawValue>);

/// Why an answer of the provider cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// Not JSON, or not of the expected type.
    #[error("the JSON is not as expected")]
    NotAnObject,
    /// A required field is missing.
    #[error("the field {0} is missing")]
    Missing(&'static str),
    /// A field has an invalid value.
    #[error("the field {0} is invalid")]
    Unreadable(&'static str),
    /// The answer does not belong to the request.
    #[error("the field {0} does not match the request")]
    Different(&'static str),
}

impl<'a> Fields<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, Malformed> {
        serde_json::from_str(text)
            .map(Self)
            .map_err(|_| Malformed::NotAnObject)
    }

    /// A field's string or number as text, or `None` if it is empty or null in any form.
    pub(crate) fn text(&self, name: &'static str) -> Result<Option<String>, Malformed> {
        let Some(literal) = self.0.get(name).map(|value| value.get()) else {
            return Ok(None);
        };
        let text = match literal.as_bytes().first() {
            Some(b'"') => serde_json::from_str(literal).map_err(|_| Malformed::Unreadable(name))?,
            Some(b'{' | b'[') | None => return Err(Malformed::Unreadable(name)),
            Some(_) => literal.to_owned(),
        };
        // The provider's texts have no control characters, and PostgreSQL stores no NUL.
        let text: String = text
            .chars()
            .filter(|character| !character.is_control())
            .collect();
        Ok(Some(text).filter(|text| !text.is_empty() && text != "null"))
    }

    /// A field's number, without loss of precision.
    pub(crate) fn decimal(&self, name: &'static str) -> Result<Option<Decimal>, Malformed> {
        let text = self.text(name)?;
        text.map(|text| text.trim().parse())
            .transpose()
            .map_err(|_| Malformed::Unreadable(name))
    }

    /// A field's text, parsed by `parse`.
    pub(crate) fn parsed<T>(
        &self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Malformed> {
        match self.text(name)? {
            Some(text) => parse(&text).map(Some).ok_or(Malformed::Unreadable(name)),
            None => Ok(None),
        }
    }

    /// Whether the field is present, even as null.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// All fields, each with its JSON literal.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The JSON literals of a list field.
    pub(crate) fn list(&self, name: &'static str) -> Result<Vec<&'a RawValue>, Malformed> {
        let value = self.0.get(name).ok_or(Malformed::Missing(name))?;
        serde_json::from_str(value.get()).map_err(|_| Malformed::Unreadable(name))
    }
}
