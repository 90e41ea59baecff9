//! JSON in the provider's format: numbers as JavaScript writes them; IDs and amounts sometimes as
//! numbers and sometimes as strings; missing values sometimes as `null` and sometimes as `"null"`.

use std::sync::atomic::{AtomicBool, Ordering};

use glasshouse_payments::Decimal;

/// The two formats between which the provider alternates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// IDs and amounts are numbers, missing values are `null`.
    Numbers,
    /// IDs and amounts are strings, missing values are `"null"`.
    Texts,
}

/// Takes turns with the two forms.
#[derive(Debug, Default)]
pub(crate) struct Alternation {
    next_is_texts: AtomicBool,
}

impl Alternation {
    pub(crate) fn next(&self) -> Form {
        if self.next_is_texts.fetch_xor(true, Ordering::SeqCst) {
            Form::Texts
        } else {
            Form::Numbers
        }
    }
}

/// A JSON object under construction.
pub(crate) struct Object {
    form: Form,
    members: Vec<String>,
}

impl Object {
    pub(crate) const fn new(form: Form) -> Self {
        let members = Vec::new();
        Self { form, members }
    }

    /// Adds a member with the given JSON literal as its value.
    pub(crate) fn literal(mut self, name: &str, literal: &str) -> Self {
        self.members.push(format!("{}:{literal}", quoted(name)));
        self
    }

    pub(crate) fn text(self, name: &str, text: &str) -> Self {
        let literal = quoted(text);
        self.literal(name, &literal)
    }

    pub(crate) fn optional_text(self, name: &str, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self.missing(name),
        }
    }

    pub(crate) fn missing(self, name: &str) -> Self {
        match self.form {
            Form::Numbers => self.literal(name, "null"),
            Form::Texts => self.literal(name, "\"null\""),
        }
    }

    pub(crate) fn id(self, name: &str, id: u64) -> Self {
        self.number_or_text(name, &id.to_string())
    }

    pub(crate) fn amount(self, name: &str, amount: &Decimal) -> Self {
        self.number_or_text(name, &javascript_number(amount))
    }

    fn number_or_text(self, name: &str, number: &str) -> Self {
        match self.form {
            Form::Numbers => self.literal(name, number),
            Form::Texts => self.text(name, number),
        }
    }

    pub(crate) fn finish(self) -> String {
        format!("{{{}}}", self.members.join(","))
    }
}

/// A JSON array of literals.
pub(crate) fn list(literals: &[String]) -> String {
    format!("[{}]", literals.join(","))
}

/// A JSON string. Serializing a string cannot fail; the fallback is never used.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

/// Formats a number like ECMAScript's `Number::toString`: no exponent from `1e-6` to below `1e21`,
/// and no redundant zeros.
pub(crate) fn javascript_number(number: &Decimal) -> String {
    if number.is_zero() {
        return "0".to_owned();
    }
    let all = number.digits().to_string();
    let scale = usize::try_from(number.scale()).unwrap_or(usize::MAX);
    let digits = all.trim_end_matches('0');
    let length = digits.len();
    if all.len() <= scale {
        let zeros = scale - all.len();
        return if zeros < 6 {
            format!("0.{}{digits}", "0".repeat(zeros))
        } else {
            format!("{}e-{}", scientific(digits), zeros + 1)
        };
    }
    // The number of digits before the decimal point.
    let whole = all.len() - scale;
    if whole > 21 {
        return format!("{}e+{}", scientific(digits), whole - 1);
    }
    if length <= whole {
        return format!("{digits}{}", "0".repeat(whole - length));
    }
    let (integer_part, fraction) = digits.split_at(whole);
    format!("{integer_part}.{fraction}")
}

fn scientific(digits: &str) -> String {
    match digits.split_at_checked(1) {
        Some((first, rest)) if !rest.is_empty() => format!("{first}.{rest}"),
        _ => digits.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_like_javascript() {
        // The right column is the output of `node -p` for the left one.
        for (number, expected) in [
            ("0", "0"),
            ("0.0", "0"),
            ("10.0", "10"),
            ("10.50", "10.5"),
            ("100", "100"),
            ("123456", "123456"),
            ("0.1", "0.1"),
            ("0.000001", "0.000001"),
            ("0.00000123", "0.00000123"),
            ("0.0000001", "1e-7"),
            ("0.00000056", "5.6e-7"),
            ("0.000000123", "1.23e-7"),
            ("1.5e-10", "1.5e-10"),
            ("100000000000000000000", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("1.5e22", "1.5e+22"),
            ("12345.678", "12345.678"),
            ("10.05", "10.05"),
        ] {
            assert_eq!(
                javascript_number(&number.parse().unwrap()),
                expected,
                "{number}"
            );
        }
    }

    #[test]
    fn both_forms_are_supported() {
        let write = |form| {
            Object::new(form)
                .id("a", 7)
                .amount("b", &"1e-7".parse().unwrap())
                .optional_text("c", None)
                .text("d", "\"é/\n")
                .finish()
        };
        assert_eq!(
            write(Form::Numbers),
            r#"{"a":7,"b":1e-7,"c":null,"d":"\"é/\n"}"#
        );
        assert_eq!(
            write(Form::Texts),
            r#"{"a":"7","b":"1e-7","c":"null","d":"\"é/\n"}"#
        );
    }
}
