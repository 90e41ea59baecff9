//! The sandbox's exchange rates: fixed, close to real ones, and exact.

use glasshouse_domain::Currency;
use glasshouse_payments::Decimal;

/// The currency in which outcomes are reported.
pub(crate) const OUTCOME_CURRENCY: &str = "usdterc20";
const OUTCOME_DECIMALS: u32 = 6;
/// The share of a payment that the house receives, in per mille: the provider keeps half a percent.
const OUTCOME_PER_MILLE: u128 = 995;
/// Prices of coins are in billionths of a US dollar.
const RATE_DECIMALS: u32 = 9;
/// The number of decimal digits that a double always preserves, so that JavaScript loses none.
const MAXIMUM_DIGITS: usize = 15;
/// What the house's account holds of each coin at the start, in US dollars.
const INITIAL_BALANCE: u128 = 1_000_000;

/// The price of a coin in billionths of a US dollar, and the number of decimals of its amounts.
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

/// Converts a price to an amount of a coin, rounded up to the coin's decimals; `None` if it is too
/// large.
pub(crate) fn in_coins(dollars: &Decimal, currency: Currency) -> Option<Decimal> {
    let (price, decimals) = rate(currency);
    let units = units(dollars, RATE_DECIMALS)?.checked_mul(10_u128.checked_pow(decimals)?)?;
    Some(Decimal::from_units(units.div_ceil(price), decimals))
}

/// What the house's account holds of a coin at the start, in the coin.
pub(crate) fn initial_balance(currency: Currency) -> Decimal {
    in_coins(&Decimal::from_units(INITIAL_BALANCE, 0), currency).unwrap_or_default()
}

/// The fee of a coin's network for a payout, in the coin.
pub(crate) fn network_fee(currency: Currency) -> Decimal {
    let (units, scale) = match currency {
        Currency::UsdtSol => (5, 1),
        Currency::UsdtErc20 => (2, 0),
        Currency::Eth => (5, 4),
        Currency::Btc => (1, 5),
        Currency::Xmr | Currency::Ltc => (1, 3),
        Currency::Bch | Currency::Sol | Currency::Bnb => (1, 4),
        Currency::Shib => (50_000, 0),
        Currency::Doge => (1, 0),
    };
    Decimal::from_units(units, scale)
}

/// The outcome that the house receives for an amount of a coin at a percentage of its price,
/// rounded down.
pub(crate) fn outcome(coins: &Decimal, currency: Currency, price_percent: u32) -> Decimal {
    let (price, decimals) = rate(currency);
    // Billionths times the coin's decimals, in per mille and percent, reduced to the outcome's
    // decimals.
    let dollars = units(coins, decimals)
        .and_then(|units| units.checked_mul(price)?.checked_mul(OUTCOME_PER_MILLE))
        .and_then(|units| units.checked_mul(price_percent.into()))
        .unwrap_or_default();
    let excess = RATE_DECIMALS + decimals + 3 + 2 - OUTCOME_DECIMALS;
    Decimal::from_units(dollars / 10_u128.pow(excess), OUTCOME_DECIMALS)
}

/// Whether the sandbox can process an amount without losing a digit.
pub(crate) fn is_payable(amount: &Decimal, currency: Currency) -> bool {
    let (_, decimals) = rate(currency);
    !amount.is_zero()
        && amount.scale() <= decimals
        && amount.digits().to_string().len() <= MAXIMUM_DIGITS
}

/// The number of decimals of a coin's amounts.
pub(crate) const fn decimals(currency: Currency) -> u32 {
    rate(currency).1
}

/// Converts a number to units of `10^-scale`, rounded down.
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
    fn prices_are_converted_to_coins_and_outcomes() {
        let check = |dollars: &str, currency, coins: &str, expected_outcome: &str| {
            let amount = in_coins(&decimal(dollars), currency).unwrap();
            assert_eq!(amount, decimal(coins), "{currency:?}");
            assert_eq!(
                outcome(&amount, currency, 100),
                decimal(expected_outcome),
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
    fn the_maximum_price_fits_a_double_in_every_coin() {
        for currency in Currency::ALL {
            let amount = in_coins(&decimal("999999999.99"), currency).unwrap();
            assert!(is_payable(&amount, currency), "{currency:?} {amount}");
        }
        assert!(!is_payable(&decimal("0"), Currency::Btc));
        assert!(!is_payable(&decimal("0.000000001"), Currency::Btc));
        assert!(!is_payable(&decimal("1e30"), Currency::Btc));
    }
}
