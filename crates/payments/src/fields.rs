//! The fields of an object that the provider wrote, whatever form it chose for them today: a number
//! or a text, `null` or the text `"null"`, an empty text, or nothing at all.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::decimal::Decimal;

/// An object's fields, each as the literal text that stood there.
pub(crate) struct Fields<'a>(BTreeMap<String, &'a RawValue>);

/// What is wrong with an answer of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// Not JSON, or not an object where one belongs.
    #[error("it is not the JSON that belongs there")]
    NotAnObject,
    /// A field that must be there is not.
    #[error("the field {0} is missing")]
    Missing(&'static str),
    /// A field holds something that it cannot.
    #[error("the field {0} cannot be read")]
    Unreadable(&'static str),
    /// The answer is about something other than what was asked.
    #[error("the field {0} is not what was asked for")]
    Different(&'static str),
}

impl<'a> Fields<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, Malformed> {
        serde_json::from_str(text)
            .map(Self)
            .map_err(|_| Malformed::NotAnObject)
    }

    /// The text or the number of a field; none if it is empty or null in any form.
    pub(crate) fn text(&self, name: &'static str) -> Result<Option<String>, Malformed> {
        let Some(literal) = self.0.get(name).map(|value| value.get()) else {
            return Ok(None);
        };
        let text = match literal.as_bytes().first() {
            Some(b'"') => serde_json::from_str(literal).map_err(|_| Malformed::Unreadable(name))?,
            Some(b'{' | b'[') | None => return Err(Malformed::Unreadable(name)),
            Some(_) => literal.to_owned(),
        };
        // No text of the provider's has a control character, and one database takes no NUL.
        let text: String = text
            .chars()
            .filter(|character| !character.is_control())
            .collect();
        Ok(Some(text).filter(|text| !text.is_empty() && text != "null"))
    }

    /// The exact number of a field.
    pub(crate) fn decimal(&self, name: &'static str) -> Result<Option<Decimal>, Malformed> {
        let text = self.text(name)?;
        text.map(|text| text.trim().parse())
            .transpose()
            .map_err(|_| Malformed::Unreadable(name))
    }

    /// What `parse` makes of a field's text.
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

    /// The literals of a field that is a list.
    pub(crate) fn list(&self, name: &'static str) -> Result<Vec<&'a RawValue>, Malformed> {
        let value = self.0.get(name).ok_or(Malformed::Missing(name))?;
        serde_json::from_str(value.get()).map_err(|_| Malformed::Unreadable(name))
    }
}
