//! What the coins of the sandbox cost: fixed, near enough to the world, and exact.

use glasshouse_domain::Currency;
use glasshouse_payments::Decimal;

/// What the house is left with is told in this one.
pub(crate) const OUTCOME_CURRENCY: &str = "usdterc20";
const OUTCOME_DECIMALS: u32 = 6;
/// The provider keeps half a percent.
const KEPT_PER_MILLE: u128 = 995;
/// Prices of coins are in billionths of a dollar.
const RATE_DECIMALS: u32 = 9;
/// What a double holds for sure, so that no digit of ours is one that JavaScript would lose.
const MAXIMUM_DIGITS: usize = 15;

/// The price of a coin in billionths of a dollar, and how many decimals amounts of it have.
const fn rate(currency: Currency) -> (u128, u32) {
    match currency {
        Currency::UsdtSol | Currency::UsdtErc20 => (1_000_000_000, 6),
        Currency::Eth => (3_000_000_000_000, 8),
        Currency::Btc => (90_000_000_000_000, 8),
        Currency::Xmr => (200_000_000_000, 8),
        Currency::Ltc => (100_000_000_000, 8),
        Currency::Bch => (400_000_000_000, 8),
        Currency::Sol => (150_000_000_000, 8),
        Currency::Bnb => (600_000_000_000, 8),
        Currency::Shib => (10_000, 0),
        Currency::Doge => (200_000_000, 4),
    }
}

/// How much of a coin a price is, rounded up to the coin's decimals; none if it is far too much.
pub(crate) fn in_coins(dollars: &Decimal, currency: Currency) -> Option<Decimal> {
    let (price, decimals) = rate(currency);
    let units = units(dollars, RATE_DECIMALS)?.checked_mul(10_u128.checked_pow(decimals)?)?;
    Some(Decimal::from_units(units.div_ceil(price), decimals))
}

/// What the house is left with of an amount of a coin at a part of its price, rounded down.
pub(crate) fn outcome(coins: &Decimal, currency: Currency, price_percent: u32) -> Decimal {
    let (price, decimals) = rate(currency);
    // Billionths times a coin's decimals, in thousandths and percent, brought down to the outcome's decimals.
    let dollars = units(coins, decimals)
        .and_then(|units| units.checked_mul(price)?.checked_mul(KEPT_PER_MILLE))
        .and_then(|units| units.checked_mul(price_percent.into()))
        .unwrap_or_default();
    let excess = RATE_DECIMALS + decimals + 3 + 2 - OUTCOME_DECIMALS;
    Decimal::from_units(dollars / 10_u128.pow(excess), OUTCOME_DECIMALS)
}

/// Whether an amount that somebody typed is one that the sandbox can carry without losing a digit.
pub(crate) fn is_payable(amount: &Decimal, currency: Currency) -> bool {
    let (_, decimals) = rate(currency);
    !amount.is_zero()
        && amount.scale() <= decimals
        && amount.digits().to_string().len() <= MAXIMUM_DIGITS
}

/// How many decimals amounts of a coin have.
pub(crate) const fn decimals(currency: Currency) -> u32 {
    rate(currency).1
}

/// A number in units of `10^-scale`, rounded down.
fn units(number: &Decimal, scale: u32) -> Option<u128> {
    let digits = u128::try_from(number.digits()).ok()?;
    if number.scale() > scale {
        return Some(digits / 10_u128.checked_pow(number.scale() - scale)?);
    }
    digits.checked_mul(10_u128.checked_pow(scale - number.scale())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn prices_are_turned_into_coins_and_back() {
        let check = |dollars: &str, currency, coins: &str, left: &str| {
            let amount = in_coins(&decimal(dollars), currency).unwrap();
            assert_eq!(amount, decimal(coins), "{currency:?}");
            assert_eq!(
                outcome(&amount, currency, 100),
                decimal(left),
                "{currency:?}"
            );
        };
        check("90", Currency::Btc, "0.001", "89.55");
        check("0.05", Currency::Btc, "0.00000056", "0.050148");
        check("10", Currency::Eth, "0.00333334", "9.950019");
        check("50", Currency::UsdtSol, "50", "49.75");
        check("1", Currency::Shib, "100000", "0.995");
        let half = outcome(&decimal("0.001"), Currency::Btc, 50);
        assert_eq!(half, decimal("44.775"));
    }

    #[test]
    fn the_largest_price_still_fits_a_double() {
        for currency in Currency::ALL {
            let amount = in_coins(&decimal("999999999.99"), currency).unwrap();
            assert!(is_payable(&amount, currency), "{currency:?} {amount}");
        }
        assert!(!is_payable(&decimal("0"), Currency::Btc));
        assert!(!is_payable(&decimal("0.000000001"), Currency::Btc));
        assert!(!is_payable(&decimal("1e30"), Currency::Btc));
    }
}
