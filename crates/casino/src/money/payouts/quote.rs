//! How much of a coin a withdrawal is worth.

use glasshouse_domain::{Currency, Money};
use glasshouse_payments::{ClientError, Decimal, dollars_per_coin, payout_amount};

use crate::error::{CasinoError, Fault};
use crate::money::cashier::{Caller, Cashier};

/// The amount whose worth in coins is asked for when a player wants to know the price: large enough for a
/// precise one, and always the same, so that all players share the answer.
pub(crate) const SAMPLE: Money = Money::from_cents(100_000);
/// One divided by the sample in dollars.
const PER_SAMPLE: (u128, u32) = (1, 3);

/// An amount in a coin and the rate behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoinQuote {
    /// The amount in the coin, as it is sent.
    pub amount: Decimal,
    /// The price of a coin in US dollars.
    pub rate: Decimal,
}

impl CoinQuote {
    fn of(net: Money, coins: &Decimal) -> Option<Self> {
        let amount = payout_amount(coins);
        let rate = dollars_per_coin(net, &amount)?;
        Some(Self { amount, rate })
    }
}

/// What an amount buys at the provider at the moment; `None` if it buys nothing that can be sent.
pub(crate) async fn request_quote(
    cashier: &Cashier,
    net: Money,
    currency: Currency,
) -> Result<Option<CoinQuote>, ClientError> {
    let coins = cashier.estimate(net, currency).await?;
    Ok(CoinQuote::of(net, &coins))
}

/// About how much of a coin a withdrawal would bring now, for its player to see before it is requested. The
/// actual amount is fixed when the withdrawal is paid. The provider is asked at most every few seconds for each
/// coin, whoever asks.
///
/// # Errors
/// [`Fault::Provider`] if the provider cannot be reached.
pub async fn quote_withdrawal(
    cashier: &Cashier,
    net: Money,
    currency: Currency,
) -> Result<Option<CoinQuote>, CasinoError> {
    let cashier = cashier.calling_as(Caller::User);
    let coins = coins_of_sample(&cashier, currency).await;
    let coins = coins.map_err(Fault::Provider)?;
    Ok(coins_for(net, &coins).and_then(|coins| CoinQuote::of(net, &coins)))
}

/// What the sample buys of a coin, by a recent answer of the provider.
pub(crate) async fn coins_of_sample(
    cashier: &Cashier,
    currency: Currency,
) -> Result<Decimal, ClientError> {
    let now = cashier.house.now();
    if let Some(known) = cashier.known_price(currency, now) {
        return Ok(known);
    }
    let coins = cashier.estimate(SAMPLE, currency).await?;
    cashier.remember_price(currency, coins.clone(), now);
    Ok(coins)
}

fn coins_for(net: Money, coins_of_sample: &Decimal) -> Option<Decimal> {
    let (digits, scale) = PER_SAMPLE;
    let share = Decimal::from_money(net)?.times(&Decimal::from_units(digits, scale));
    Some(coins_of_sample.times(&share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_the_share_of_the_sample() {
        let coins_of_sample: Decimal = "0.01111111".parse().unwrap();
        let net = Money::from_cents(9_900);
        let coins = coins_for(net, &coins_of_sample).unwrap();
        assert_eq!(coins.to_string(), "0.00109999989");
        let quote = CoinQuote::of(net, &coins).unwrap();
        assert_eq!(quote.amount.to_string(), "0.001099");
        assert_eq!(quote.rate.to_string(), "90081.89263");
        assert_eq!(coins_for(Money::from_cents(-1), &coins_of_sample), None);
        let nothing = coins_for(Money::ZERO, &coins_of_sample).unwrap();
        assert_eq!(CoinQuote::of(Money::ZERO, &nothing), None);
    }
}
