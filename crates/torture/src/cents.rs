//! Amounts in cents.

use anyhow::{Context, Result};
use serde_json::Value;

/// The cents of a decimal number of dollars with at most two decimals, such as `25`, `25.5` or `-0.01`.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || fraction.len() > 2 || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let cents: i64 = format!("{fraction:0<2}").parse().ok()?;
    let whole: i64 = whole.parse().ok()?;
    Some(sign * whole.checked_mul(100)?.checked_add(cents)?)
}

/// The amount in a field of an answer.
pub(crate) fn field(answer: &Value, name: &str) -> Result<i64> {
    let text = answer.get(name).and_then(Value::as_str);
    text.and_then(parse)
        .with_context(|| format!("`{name}` is no amount: {answer}"))
}

/// An amount as the server reads and writes it.
pub(crate) fn format(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact() {
        for (text, cents) in [("25", 2500), ("25.5", 2550), ("0.01", 1), ("-12.34", -1234)] {
            assert_eq!(parse(text), Some(cents), "{text}");
        }
        for text in ["", ".", ".5", "1.234", "1,5", "--1", "1e3", "+1"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(format(-1234), "-12.34");
        assert_eq!(format(5), "0.05");
    }
}
