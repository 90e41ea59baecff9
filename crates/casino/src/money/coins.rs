//! What the provider accepts per coin. It is refreshed in the background, so that the terms can be
//! shown before a player chooses a coin, and nobody waits for them (`docs/payments.md#rule-18`).

use glasshouse_domain::{Currency, Money};
use glasshouse_payments::{ClientError, Decimal, currency_of, proportion};

use crate::money::cashier::{Caller, Cashier};
use crate::money::coin_book::CoinTerms;

/// The cached terms of all coins, without waiting. If they are old, a refresh starts in the
/// background, from which later calls benefit.
#[must_use]
pub fn coin_terms(cashier: &Cashier) -> Vec<CoinTerms> {
    let now = cashier.house().now();
    if cashier.coins().begin_refresh(now) {
        let cashier = cashier.clone();
        tokio::spawn(async move { refresh_coins(&cashier).await });
    }
    Currency::ALL
        .into_iter()
        .map(|currency| cached_terms(cashier, currency))
        .collect()
}

/// The cached terms of one coin.
pub(crate) fn cached_terms(cashier: &Cashier, currency: Currency) -> CoinTerms {
    cashier.coins().coin(currency, cashier.house().now())
}

/// Requests the terms of all coins from the provider. Where it gives no answer, they stay unknown.
pub async fn refresh_coins(cashier: &Cashier) {
    match fetch_terms(cashier).await {
        Ok(coins) => cashier.coins().store(coins, cashier.house().now()),
        Err(error) => tracing::warn!(%error, "the terms of the coins could not be fetched"),
    }
}

async fn fetch_terms(cashier: &Cashier) -> Result<Vec<CoinTerms>, ClientError> {
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
            tracing::debug!(currency = currency.code(), %error, "a coin's minimum could not be fetched");
            None
        }
    }
}

/// Rounds an amount in US dollars up to the cent.
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
    fn minimums_are_rounded_up_to_the_cent() {
        for (text, cents) in [
            ("0", 0),
            ("5", 500),
            ("0.1", 10),
            ("1.01", 101),
            ("1.010001", 102),
        ] {
            let dollars: Decimal = text.parse().unwrap();
            assert_eq!(
                rounded_up(&dollars),
                Some(Money::from_cents(cents)),
                "{text}"
            );
        }
        let too_large: Decimal = "1e30".parse().unwrap();
        assert_eq!(rounded_up(&too_large), None);
    }
}
