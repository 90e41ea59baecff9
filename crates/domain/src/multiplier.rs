//! Multipliers: payout divided by stake, in whole thousandths.

use std::fmt;

/// A multiplier in thousandths, never negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Multiplier(u32);

/// The text is not a valid multiplier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("A multiplier must be a plain decimal number such as 1.50")]
pub struct ParseMultiplierError;

/// The maximum number of integer digits accepted; larger multipliers exceed every game's payouts.
const WHOLE_DIGITS: usize = 6;
/// The maximum number of decimals accepted; JavaScript writes up to 17.
const DECIMALS: usize = 20;

impl Multiplier {
    /// Zero: nothing is paid.
    pub const ZERO: Self = Self(0);
    /// One: the stake is returned.
    pub const ONE: Self = Self(1_000);

    /// Creates a multiplier from thousandths.
    #[must_use]
    pub const fn from_thousandths(thousandths: u32) -> Self {
        Self(thousandths)
    }

    /// Creates a multiplier from hundredths, saturating at the maximum.
    #[must_use]
    pub const fn from_hundredths(hundredths: u32) -> Self {
        Self(hundredths.saturating_mul(10))
    }

    /// The multiplier in thousandths.
    #[must_use]
    pub const fn thousandths(self) -> u32 {
        self.0
    }

    /// The multiplier in hundredths, rounded down.
    #[must_use]
    pub const fn hundredths(self) -> u32 {
        self.0 / 10
    }

    /// Whether it has at most two decimals.
    #[must_use]
    pub const fn is_whole_hundredths(self) -> bool {
        self.0.is_multiple_of(10)
    }

    /// Parses a multiplier sent by a client: digits with optional decimals, truncated after the
    /// third. Signs, exponents and spaces are refused.
    ///
    /// # Errors
    /// If the text is malformed, or the multiplier is one million or more.
    pub fn parse(text: &str) -> Result<Self, ParseMultiplierError> {
        let (whole, decimals) = match text.split_once('.') {
            Some((whole, decimals)) if !decimals.is_empty() => (whole, decimals),
            Some(_) => return Err(ParseMultiplierError),
            None => (text, ""),
        };
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(decimals) {
            return Err(ParseMultiplierError);
        }
        let significant = whole.trim_start_matches('0');
        if significant.len() > WHOLE_DIGITS || decimals.len() > DECIMALS {
            return Err(ParseMultiplierError);
        }
        let digits = format!("0{significant}{decimals:0<3.3}");
        digits.parse().map(Self).map_err(|_| ParseMultiplierError)
    }
}

/// Formats with two decimals, rounded down: `2.00`.
impl fmt::Display for Multiplier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = self.hundredths();
        write!(formatter, "{}.{:02}", hundredths / 100, hundredths % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multipliers_are_parsed_exactly_or_refused() {
        let check = |text: &str, expected: Option<u32>| {
            let parsed = Multiplier::parse(text).ok().map(Multiplier::thousandths);
            assert_eq!(parsed, expected, "{text}");
        };
        check("2", Some(2_000));
        check("1.1", Some(1_100));
        check("1.23", Some(1_230));
        check("1.2399999999999998", Some(1_239));
        check("0001.5", Some(1_500));
        check("999999.999", Some(999_999_999));
        for text in [
            "", ".", "1.", ".5", "-1", "+1", "1e3", "NaN", "1,5", " 1", "1000000", "1.2.3", "٣",
        ] {
            check(text, None);
        }
        check(&"9".repeat(10_000), None);
    }

    #[test]
    fn multipliers_are_formatted_with_two_decimals_rounded_down() {
        let shown = [
            (2_000, "2.00"),
            (1_999, "1.99"),
            (850, "0.85"),
            (100_000, "100.00"),
        ];
        for (thousandths, text) in shown {
            assert_eq!(Multiplier(thousandths).to_string(), text);
        }
    }
}
