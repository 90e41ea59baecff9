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

    /// The exact product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self::normalised(&self.digits * &other.digits, self.scale + other.scale)
    }

    /// The number without the decimals beyond the given number of them.
    #[must_use]
    pub fn rounded_down(&self, decimals: u32) -> Self {
        let excess = self.scale.saturating_sub(decimals);
        Self::normalised(&self.digits / power_of_ten(excess), self.scale - excess)
    }

    /// The number in units of `10^-scale`; `None` if it is not a whole number of them.
    fn units(&self, scale: u32) -> Option<BigUint> {
        (self.scale <= scale).then(|| self.at_scale(scale))
    }

    /// `scale` must be at least the number's own.
    pub(crate) fn at_scale(&self, scale: u32) -> BigUint {
        &self.digits * power_of_ten(scale.saturating_sub(self.scale))
    }

    pub(crate) fn normalised(digits: BigUint, scale: u32) -> Self {
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

pub(crate) fn power_of_ten(exponent: u32) -> BigUint {
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
mod tests;
