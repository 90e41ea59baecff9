//! Money: whole US cents, never a floating-point number.

use std::fmt;

/// An amount of US cents, of either sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(i64);

/// The largest amount accepted from a client: one billion dollars.
pub const MAXIMUM_AMOUNT: Money = Money(100_000_000_000);

/// Why a text is not a valid amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoneyError {
    /// It is not made of digits with at most one decimal point.
    #[error("An amount must be a plain decimal number such as 10.50")]
    Malformed,
    /// It has a fraction of a cent.
    #[error("An amount must have at most two decimals")]
    TooManyDecimals,
    /// It is more than [`MAXIMUM_AMOUNT`].
    #[error("An amount must be at most {MAXIMUM_AMOUNT}")]
    TooLarge,
}

impl Money {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// Creates an amount from US cents.
    #[must_use]
    pub const fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    /// The amount in US cents.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// The sum, or `None` on overflow.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` on overflow.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// Whether the amount is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Whether the amount is above zero.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Whether the amount is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Parses an amount in dollars sent by a client: digits with at most two decimals. Signs,
    /// exponents and spaces are refused.
    ///
    /// # Errors
    /// See [`ParseMoneyError`].
    pub fn parse(text: &str) -> Result<Self, ParseMoneyError> {
        let (whole, decimals) = match text.split_once('.') {
            Some((whole, decimals)) if !decimals.is_empty() => (whole, decimals),
            Some(_) => return Err(ParseMoneyError::Malformed),
            None => (text, ""),
        };
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(decimals) {
            return Err(ParseMoneyError::Malformed);
        }
        if decimals.len() > 2 {
            return Err(ParseMoneyError::TooManyDecimals);
        }
        let significant = whole.trim_start_matches('0');
        // The length is checked first, so that parsing cannot overflow however long the text is.
        if significant.len() > 12 {
            return Err(ParseMoneyError::TooLarge);
        }
        let digits = format!("0{significant}{decimals:0<2}");
        match digits.parse() {
            Ok(cents) if cents <= MAXIMUM_AMOUNT.0 => Ok(Self(cents)),
            _ => Err(ParseMoneyError::TooLarge),
        }
    }
}

impl fmt::Display for Money {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(formatter, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<i64, ParseMoneyError>) {
        assert_eq!(Money::parse(text).map(Money::cents), expected, "{text:.40}");
    }

    #[test]
    fn amounts_are_plain_decimal_numbers() {
        check("0", Ok(0));
        check("5", Ok(500));
        check("5.1", Ok(510));
        check("5.10", Ok(510));
        check("0.01", Ok(1));
        check("000010.50", Ok(1050));
        check("1000000000", Ok(100_000_000_000));
        check("1000000000.00", Ok(100_000_000_000));
    }

    #[test]
    fn malformed_amounts_are_refused() {
        use ParseMoneyError::{Malformed, TooLarge, TooManyDecimals};
        for text in [
            "", ".", "5.", ".5", "-1", "+1", "1e3", "1e309", "NaN", "inf", "Infinity", " 1", "1 ",
            "1,000", "0x10", "1.2.3", "١", "--1", "1_000", "$5", "1.-5",
        ] {
            check(text, Err(Malformed));
        }
        check("0.001", Err(TooManyDecimals));
        check("10.005", Err(TooManyDecimals));
        check("1000000000.01", Err(TooLarge));
        check("9223372036854775808", Err(TooLarge));
        check(&"9".repeat(10_000), Err(TooLarge));
    }

    #[test]
    fn negative_amounts_are_formatted_without_overflow() {
        assert_eq!(Money(i64::MIN).to_string(), "-92233720368547758.08");
        assert_eq!(Money(-400).to_string(), "-4.00");
        assert_eq!(Money(-5).to_string(), "-0.05");
    }

    proptest! {
        #[test]
        fn formatted_amounts_are_parsed_back(cents in 0..=MAXIMUM_AMOUNT.0) {
            prop_assert_eq!(Money::parse(&Money(cents).to_string()), Ok(Money(cents)));
        }

        #[test]
        fn parsing_never_panics(text in "\\PC*") {
            let _ = Money::parse(&text);
        }
    }
}
