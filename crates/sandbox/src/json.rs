//! JSON as the provider writes it: numbers as JavaScript does, ids and amounts now as numbers and
//! now as texts, and nothing now as `null` and now as `"null"`.

use glasshouse_payments::Decimal;

/// Which of its two forms the provider chooses for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Ids and amounts are numbers, nothing is `null`.
    Numbers,
    /// Ids and amounts are texts, nothing is `"null"`.
    Texts,
}

/// An object that is being written.
pub(crate) struct Object {
    form: Form,
    members: Vec<String>,
}

impl Object {
    pub(crate) const fn new(form: Form) -> Self {
        let members = Vec::new();
        Self { form, members }
    }

    /// A member whose literal is given.
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
            None => self.nothing(name),
        }
    }

    pub(crate) fn nothing(self, name: &str) -> Self {
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

/// A list of literals.
pub(crate) fn list(literals: &[String]) -> String {
    format!("[{}]", literals.join(","))
}

/// A text with its quotes. Writing a text cannot fail; the fallback is never used.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

/// A number by the rules of `Number::toString` of ECMAScript: no exponent from `1e-6` up to below
/// `1e21`, and no zero that need not be there.
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
    // How many digits stand in front of the point.
    let whole = all.len() - scale;
    if whole > 21 {
        return format!("{}e+{}", scientific(digits), whole - 1);
    }
    if length <= whole {
        return format!("{digits}{}", "0".repeat(whole - length));
    }
    let (front, behind) = digits.split_at(whole);
    format!("{front}.{behind}")
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
    fn numbers_are_written_as_javascript_does() {
        // Right: what `node -p` prints for the left.
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
    fn both_forms_are_written() {
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
