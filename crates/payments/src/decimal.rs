//! Exact decimal numbers for the provider's amounts: never floating point.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use glasshouse_domain::Money;
use num_bigint::BigUint;

/// No currency's amounts are longer; a longer text is an attempt to exhaust memory.
const MAXIMUM_LENGTH: usize = 80;
/// The same limit for exponents.
const MAXIMUM_EXPONENT: i32 = 80;

/// An exact non-negative number: integer digits and the number of decimals among them.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Decimal {
    digits: BigUint,
    /// As small as possible, so that equal numbers are equal values.
    scale: u32,
}

/// The text is not a non-negative number, or is far larger than any amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a plain number of at least zero")]
pub struct ParseDecimalError;

/// Why a proportion of a price cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProportionError {
    /// The amount requested is zero, so there is no proportion of it.
    #[error("the requested amount is zero")]
    NothingAsked,
    /// The price is negative.
    #[error("the price is negative")]
    NegativePrice,
    /// The result overflows an amount of money.
    #[error("the proportion of the price is too large")]
    TooLarge,
}

impl Decimal {
    /// Creates a number whose last `scale` digits are decimals.
    #[must_use]
    pub fn from_units(digits: u128, scale: u32) -> Self {
        Self::normalised(BigUint::from(digits), scale)
    }

    /// Converts an amount of money to dollars; `None` if it is negative.
    #[must_use]
    pub fn from_money(amount: Money) -> Option<Self> {
        let cents = u128::try_from(amount.cents()).ok()?;
        Some(Self::from_units(cents, 2))
    }

    /// The number as an amount in dollars; `None` if it is not a whole number of cents, or too
    /// large.
    #[must_use]
    pub fn to_money(&self) -> Option<Money> {
        let cents = self.units(2)?;
        i64::try_from(cents).ok().map(Money::from_cents)
    }

    /// Whether the number is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.digits == BigUint::ZERO
    }

    /// All digits as one integer, without the decimal point.
    #[must_use]
    pub const fn digits(&self) -> &BigUint {
        &self.digits
    }

    /// The number of decimals, as small as possible.
    #[must_use]
    pub const fn scale(&self) -> u32 {
        self.scale
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let scale = self.scale.max(other.scale);
        let sum = self.at_scale(scale) + other.at_scale(scale);
        Self::normalised(sum, scale)
    }

    /// The difference, or zero if `other` is larger.
    #[must_use]
    pub fn minus_at_most(&self, other: &Self) -> Self {
        let scale = self.scale.max(other.scale);
        let (from, less) = (self.at_scale(scale), other.at_scale(scale));
        if from <= less {
            return Self::default();
        }
        Self::normalised(from - less, scale)
    }

    /// The number in units of `10^-scale`; `None` if it is not a whole number of them.
    fn units(&self, scale: u32) -> Option<BigUint> {
        (self.scale <= scale).then(|| self.at_scale(scale))
    }

    /// `scale` must be at least the number's own.
    fn at_scale(&self, scale: u32) -> BigUint {
        &self.digits * power_of_ten(scale.saturating_sub(self.scale))
    }

    fn normalised(digits: BigUint, scale: u32) -> Self {
        let ten = BigUint::from(10_u8);
        let mut number = Self { digits, scale };
        while number.scale > 0 && &number.digits % &ten == BigUint::ZERO {
            number.digits /= &ten;
            number.scale -= 1;
        }
        number
    }
}

/// The proportion of a price that a payment covers: `price × paid / asked`, rounded down to the
/// cent. If more was paid than asked for, the result is more than the price.
///
/// # Errors
/// See [`ProportionError`].
pub fn proportion(price: Money, paid: &Decimal, asked: &Decimal) -> Result<Money, ProportionError> {
    let price = u64::try_from(price.cents()).map_err(|_| ProportionError::NegativePrice)?;
    if asked.is_zero() {
        return Err(ProportionError::NothingAsked);
    }
    let scale = paid.scale.max(asked.scale);
    let cents = paid.at_scale(scale) * price / asked.at_scale(scale);
    i64::try_from(cents)
        .map(Money::from_cents)
        .map_err(|_| ProportionError::TooLarge)
}

fn power_of_ten(exponent: u32) -> BigUint {
    BigUint::from(10_u8).pow(exponent)
}

impl FromStr for Decimal {
    type Err = ParseDecimalError;

    /// Parses a JSON number, including exponents. Leading zeros are accepted.
    fn from_str(text: &str) -> Result<Self, ParseDecimalError> {
        if text.len() > MAXIMUM_LENGTH {
            return Err(ParseDecimalError);
        }
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let (whole, decimals) = match number.split_once('.') {
            Some((whole, decimals)) if !decimals.is_empty() => (whole, decimals),
            Some(_) => return Err(ParseDecimalError),
            None => (number, ""),
        };
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(decimals) {
            return Err(ParseDecimalError);
        }
        let digits: BigUint = format!("{whole}{decimals}")
            .parse()
            .map_err(|_| ParseDecimalError)?;
        let scale = i32::try_from(decimals.len()).map_err(|_| ParseDecimalError)? - exponent;
        Ok(match u32::try_from(scale) {
            Ok(scale) => Self::normalised(digits, scale),
            Err(_) => Self::normalised(digits * power_of_ten(scale.unsigned_abs()), 0),
        })
    }
}

fn parse_exponent(text: &str) -> Result<i32, ParseDecimalError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseDecimalError);
    }
    match text.parse() {
        Ok(exponent) if (-MAXIMUM_EXPONENT..=MAXIMUM_EXPONENT).contains(&exponent) => Ok(exponent),
        _ => Err(ParseDecimalError),
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.at_scale(scale).cmp(&other.at_scale(scale))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes all digits without an exponent, so that [`FromStr`] parses them back.
impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.digits.to_string();
        let Ok(scale) = usize::try_from(self.scale) else {
            return Err(fmt::Error);
        };
        if scale == 0 {
            return formatter.write_str(&digits);
        }
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, decimals) = padded.split_at(padded.len() - scale);
        write!(formatter, "{whole}.{decimals}")
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let parsed: Option<Decimal> = text.parse().ok();
        assert_eq!(
            parsed.map(|number| number.to_string()).as_deref(),
            expected,
            "{text:.90}"
        );
    }

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_are_parsed_without_rounding() {
        check("0", Some("0"));
        check("0.0", Some("0"));
        check("10", Some("10"));
        check("10.500", Some("10.5"));
        check("0.000001", Some("0.000001"));
        check("1e-7", Some("0.0000001"));
        check("5.6E-7", Some("0.00000056"));
        check("1.5e+21", Some("1500000000000000000000"));
        check("12.5e1", Some("125"));
        // Beyond the precision of a double.
        check(
            "9007199254740993.000000000000000001",
            Some("9007199254740993.000000000000000001"),
        );
    }

    #[test]
    fn malformed_numbers_are_refused() {
        for text in [
            "",
            ".",
            "5.",
            ".5",
            "-1",
            "-0",
            "+1",
            "e5",
            "1e",
            "1e+",
            "1e99999999999",
            "1e81",
            "1e-81",
            "1e1.5",
            "1e--5",
            "NaN",
            "Infinity",
            " 1",
            "1 ",
            "1,000",
            "0x10",
            "1.2.3",
            "null",
            "١",
            "1_000",
        ] {
            check(text, None);
        }
        check(&"9".repeat(81), None);
    }

    #[test]
    fn equal_numbers_are_equal_in_every_notation() {
        assert_eq!(decimal("10.50"), decimal("10.5"));
        assert_eq!(decimal("1e1"), decimal("10"));
        assert!(decimal("0.1") < decimal("0.11"));
        assert!(decimal("2") > decimal("1.999999"));
        assert_eq!(decimal("0.1").plus(&decimal("0.9")), decimal("1"));
        assert_eq!(decimal("1").minus_at_most(&decimal("0.4")), decimal("0.6"));
        assert_eq!(
            decimal("1").minus_at_most(&decimal("1.4")),
            Decimal::default()
        );
    }

    #[test]
    fn only_whole_cents_convert_to_money() {
        assert_eq!(decimal("10.5").to_money(), Some(Money::from_cents(1050)));
        assert_eq!(decimal("10.505").to_money(), None);
        assert_eq!(decimal("92233720368547758.08").to_money(), None);
        assert_eq!(Decimal::from_money(Money::from_cents(-1)), None);
        assert_eq!(
            Decimal::from_money(Money::from_cents(1050)),
            Some(decimal("10.50"))
        );
    }

    #[test]
    fn the_proportion_is_rounded_down() {
        let part = |price, paid: &str, asked: &str| {
            proportion(Money::from_cents(price), &decimal(paid), &decimal(asked)).map(Money::cents)
        };
        assert_eq!(part(10_000, "0.5", "1"), Ok(5_000));
        assert_eq!(part(10_000, "1", "3"), Ok(3_333));
        assert_eq!(part(10_000, "2.9999999", "3"), Ok(9_999));
        assert_eq!(part(10_000, "3", "3"), Ok(10_000));
        assert_eq!(part(10_000, "4.5", "3"), Ok(15_000));
        assert_eq!(part(10_000, "0", "3"), Ok(0));
        assert_eq!(part(1, "1e-18", "1"), Ok(0));
        assert_eq!(part(10_000, "1", "0"), Err(ProportionError::NothingAsked));
        assert_eq!(part(-1, "1", "1"), Err(ProportionError::NegativePrice));
        assert_eq!(part(i64::MAX, "1", "1"), Ok(i64::MAX));
        assert_eq!(part(i64::MAX, "1.1", "1"), Err(ProportionError::TooLarge));
        assert_eq!(part(1, "1e60", "1e-60"), Err(ProportionError::TooLarge));
    }

    proptest! {
        #[test]
        fn the_proportion_is_the_largest_whole_number_of_cents_not_above_the_exact_value(
            price in 0..=i64::MAX,
            paid in any::<u128>(),
            asked in 1..=u128::MAX,
            paid_scale in 0_u32..30,
            asked_scale in 0_u32..30,
        ) {
            let part = proportion(
                Money::from_cents(price),
                &Decimal::from_units(paid, paid_scale),
                &Decimal::from_units(asked, asked_scale),
            );
            // price × paid × 10^asked_scale is at least part × asked × 10^paid_scale, but less than
            // with one more cent.
            let ten = BigInt::from(10);
            let whole = BigInt::from(price) * paid * ten.pow(asked_scale);
            let unit = BigInt::from(asked) * ten.pow(paid_scale);
            match part {
                Ok(part) => {
                    prop_assert!(&unit * part.cents() <= whole);
                    prop_assert!(unit * (BigInt::from(part.cents()) + 1) > whole);
                }
                Err(error) => {
                    prop_assert_eq!(error, ProportionError::TooLarge);
                    prop_assert!(unit * i64::MAX < whole);
                }
            }
        }

        #[test]
        fn formatted_numbers_are_parsed_back(digits in 0..=10_u128.pow(38), scale in 0_u32..40) {
            let number = Decimal::from_units(digits, scale);
            prop_assert_eq!(number.to_string().parse(), Ok(number));
        }

        #[test]
        fn parsing_never_panics(text in "\\PC*") {
            let _ = text.parse::<Decimal>();
        }
    }
}
