//! The rate at which dollars were changed into a coin.

use glasshouse_domain::Money;
use num_bigint::BigUint;

use crate::decimal::{Decimal, power_of_ten};

/// The number of significant digits of rates.
const RATE_DIGITS: usize = 10;

/// The price of a coin if an amount of it is worth these dollars: `dollars / coins`, with
/// ten significant digits, rounded half up. `None` for no coins or negative dollars.
#[must_use]
pub fn dollars_per_coin(dollars: Money, coins: &Decimal) -> Option<Decimal> {
    let dollars = Decimal::from_money(dollars)?;
    if coins.is_zero() {
        return None;
    }
    let scale = dollars.scale().max(coins.scale());
    let (dividend, divisor) = (dollars.at_scale(scale), coins.at_scale(scale));
    if dividend == BigUint::ZERO {
        return Some(Decimal::default());
    }
    // The quotient has the difference of the lengths as its number of digits, or one more.
    let length = |number: &BigUint| number.to_string().len();
    let wanted = RATE_DIGITS + length(&divisor);
    let mut decimals = wanted.cast_signed() - length(&dividend).cast_signed();
    let scaled = |decimals: isize| -> Option<(BigUint, BigUint)> {
        let power = power_of_ten(u32::try_from(decimals.unsigned_abs()).ok()?);
        Some(if decimals < 0 {
            (dividend.clone(), &divisor * power)
        } else {
            (&dividend * power, divisor.clone())
        })
    };
    let (mut above, mut below) = scaled(decimals)?;
    if length(&(&above / &below)) > RATE_DIGITS {
        decimals -= 1;
        (above, below) = scaled(decimals)?;
    }
    let rounded = (above * 2_u8 + &below) / (below * 2_u8);
    let places = u32::try_from(decimals.unsigned_abs()).ok()?;
    Some(if decimals < 0 {
        Decimal::normalised(rounded * power_of_ten(places), 0)
    } else {
        Decimal::normalised(rounded, places)
    })
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use proptest::prelude::*;

    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn rates_have_ten_significant_digits() {
        let check = |cents, coins: &str, rate: &str| {
            let rate_of = dollars_per_coin(Money::from_cents(cents), &decimal(coins));
            assert_eq!(rate_of, Some(decimal(rate)), "{cents} {coins}");
        };
        check(2475, "0.000275", "90000");
        check(100, "3", "0.3333333333");
        check(200, "3", "0.6666666667");
        check(1000, "0.000111", "90090.09009");
        check(2475, "2475000", "0.00001");
        check(1, "3000000", "0.000000003333333333");
        // Half of the last digit is rounded up, and what is less is rounded down.
        check(1_000_000_000_050, "100", "100000000.0");
        check(1_000_000_000_500, "10", "1000000001");
        check(100_000_000_005, "10", "100000000");
        check(100_000_000_050, "10", "100000000.1");
        check(100_000_000_049, "10", "100000000");
        // Rounding up may carry into a further digit.
        check(999_999_999_999, "1", "10000000000");
        check(1_234_567_890_123, "1", "12345678900");
        check(i64::MAX, "0.000001", "92233720370000000000000");
        check(0, "1", "0");
        assert_eq!(dollars_per_coin(Money::from_cents(1), &decimal("0")), None);
        assert_eq!(dollars_per_coin(Money::from_cents(-1), &decimal("1")), None);
    }

    proptest! {
        #[test]
        fn a_rate_is_within_half_of_its_last_digit(
            cents in 1..=i64::MAX,
            coins in 1..=u128::MAX,
            scale in 0_u32..30,
        ) {
            let coins = Decimal::from_units(coins, scale);
            let rate = dollars_per_coin(Money::from_cents(cents), &coins).unwrap();
            let digits = rate.digits().to_string();
            prop_assert!(digits.trim_end_matches('0').len() <= 10);
            // |rate × coins − dollars| is at most half a unit of the tenth digit, times the coins.
            let scale = rate.scale() + coins.scale();
            let product = BigInt::from(rate.digits() * coins.digits());
            let difference: BigInt = product * 100 - BigInt::from(cents) * BigInt::from(10).pow(scale);
            let off = BigInt::from(difference.magnitude().clone());
            let most = BigInt::from(rate.digits() * coins.digits());
            prop_assert!(off * 2 * BigInt::from(10).pow(9) <= most * 100);
        }
    }
}
