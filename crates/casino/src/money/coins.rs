//! What the provider takes of each coin: asked for now and then, so that it can be told before a
//! player chooses, and nobody waits for it (`docs/payments.md#rule-18`).

use glasshouse_domain::{Currency, Money};
use glasshouse_payments::{ClientError, Decimal, currency_of, proportion};

use crate::money::cashier::{Caller, Cashier};
use crate::money::coin_book::CoinTerms;

/// What is known of each coin, without waiting. If that is old, the provider is asked meanwhile,
/// for whoever comes next.
#[must_use]
pub fn coin_terms(cashier: &Cashier) -> Vec<CoinTerms> {
    let now = cashier.house().now();
    if cashier.coins().take_turn(now) {
        let cashier = cashier.clone();
        tokio::spawn(async move { refresh_coins(&cashier).await });
    }
    Currency::ALL
        .into_iter()
        .map(|currency| known_coin(cashier, currency))
        .collect()
}

/// What is known of one coin.
pub(crate) fn known_coin(cashier: &Cashier, currency: Currency) -> CoinTerms {
    cashier.coins().coin(currency, cashier.house().now())
}

/// Asks the provider what it takes of each coin. What it does not answer stays unknown.
pub async fn refresh_coins(cashier: &Cashier) {
    match ask(cashier).await {
        Ok(coins) => cashier.coins().keep(coins, cashier.house().now()),
        Err(error) => tracing::warn!(%error, "the provider does not publish what coins it takes"),
    }
}

async fn ask(cashier: &Cashier) -> Result<Vec<CoinTerms>, ClientError> {
    let cashier = cashier.calling_as(Caller::Background);
    let codes = cashier.currencies().await?;
    let taken: Vec<Currency> = codes.iter().filter_map(|code| currency_of(code)).collect();
    let mut coins = Vec::new();
    for currency in Currency::ALL {
        let is_taken = taken.contains(&currency);
        let minimum = if is_taken {
            minimum_of(&cashier, currency).await
        } else {
            None
        };
        coins.push(CoinTerms {
            currency,
            is_taken: Some(is_taken),
            minimum,
        });
    }
    Ok(coins)
}

async fn minimum_of(cashier: &Cashier, currency: Currency) -> Option<Money> {
    match cashier.min_amount(currency).await {
        Ok(minimum) => minimum.in_dollars.as_ref().and_then(rounded_up),
        Err(error) => {
            tracing::debug!(currency = currency.code(), %error, "a coin's minimum is not known");
            None
        }
    }
}

/// A number of dollars, rounded up to the cent.
fn rounded_up(dollars: &Decimal) -> Option<Money> {
    let one = Decimal::from_units(1, 0);
    let down = proportion(Money::from_cents(100), dollars, &one).ok()?;
    if Decimal::from_money(down)? < *dollars {
        return down.checked_add(Money::from_cents(1));
    }
    Some(down)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minima_are_rounded_up() {
        for (text, cents) in [
            ("0", 0),
            ("5", 500),
            ("0.1", 10),
            ("1.01", 101),
            ("1.010001", 102),
        ] {
            let told: Decimal = text.parse().unwrap();
            assert_eq!(rounded_up(&told), Some(Money::from_cents(cents)), "{text}");
        }
        let beyond: Decimal = "1e30".parse().unwrap();
        assert_eq!(rounded_up(&beyond), None);
    }
}
