//! Money: whole US cents, never a floating-point number.

use std::fmt;

/// An amount of US cents, of either sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(i64);

/// The largest amount that is read from a client: a billion dollars.
pub const MAXIMUM_AMOUNT: Money = Money(100_000_000_000);

/// Why a text is no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoneyError {
    /// Not digits with at most one decimal point.
    #[error("An amount must be a plain decimal number such as 10.50")]
    Malformed,
    /// A fraction of a cent.
    #[error("An amount must have at most two decimals")]
    TooManyDecimals,
    /// More than [`MAXIMUM_AMOUNT`].
    #[error("An amount must be at most {MAXIMUM_AMOUNT}")]
    TooLarge,
}

impl Money {
    /// No money.
    pub const ZERO: Self = Self(0);

    /// An amount of cents.
    #[must_use]
    pub const fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    /// The amount in cents.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// The sum, unless it does not fit.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, unless it does not fit.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// Less than nothing.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// More than nothing.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Reads an amount that a client sent: digits, and at most two more behind a point. No sign,
    /// no exponent, no space.
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
        // Judged by its length first, so that ten thousand digits never overflow anything.
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
    fn everything_else_is_refused() {
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
    fn the_smallest_number_can_be_shown() {
        assert_eq!(Money(i64::MIN).to_string(), "-92233720368547758.08");
        assert_eq!(Money(-400).to_string(), "-4.00");
        assert_eq!(Money(-5).to_string(), "-0.05");
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_back(cents in 0..=MAXIMUM_AMOUNT.0) {
            prop_assert_eq!(Money::parse(&Money(cents).to_string()), Ok(Money(cents)));
        }

        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = Money::parse(&text);
        }
    }
}
