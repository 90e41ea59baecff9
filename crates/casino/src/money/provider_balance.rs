//! What the house holds at the payment provider, and about how many dollars that is worth.

use std::time::Duration;

use glasshouse_domain::{Money, Timestamp};
use glasshouse_payments::{
    ClientError, Decimal, currency_of, dollars_per_coin, is_dollar_coin, proportion,
};

use crate::money::balance_cache::{CoinBalance, KnownBalance, ProviderBalance};
use crate::money::cashier::{Caller, Cashier};
use crate::money::payouts::quote::{SAMPLE, coins_of_sample};

/// How long an answer is shown without asking the provider again.
const LIFETIME: Duration = Duration::from_mins(1);
/// How long the provider is left alone after a failure.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(15);
/// How long the provider may take for the balance and the prices of all coins.
const PATIENCE: Duration = Duration::from_secs(20);

/// The balance at the provider, which each server asks at most once a minute, whoever wants to know.
pub async fn read_provider_balance(cashier: &Cashier) -> KnownBalance {
    let cashier = cashier.calling_as(Caller::User);
    // On a task of its own, so that the answer is kept even if the one who asked has gone.
    let asked = tokio::spawn(async move { look_up(&cashier).await }).await;
    asked.unwrap_or_else(|error| KnownBalance {
        latest: None,
        problem: Some(error.to_string()),
    })
}

async fn look_up(cashier: &Cashier) -> KnownBalance {
    let mut cached = cashier.balance_cache().lock().await;
    let now = cashier.house.now();
    if cached.fresh_until.is_some_and(|until| now < until) {
        return cached.known.clone();
    }
    let asked = tokio::time::timeout(PATIENCE, ask(cashier, now)).await;
    let problem = match asked {
        Ok(Ok(balance)) => {
            cached.known.latest = Some(balance);
            None
        }
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some("the provider did not answer in time".to_owned()),
    };
    if let Some(problem) = &problem {
        tracing::warn!(problem, "the balance at the provider is not known");
    }
    let lifetime = if problem.is_none() {
        LIFETIME
    } else {
        PAUSE_AFTER_FAILURE
    };
    cached.known.problem = problem;
    cached.fresh_until = Some(cashier.house.now().saturating_add(lifetime));
    cached.known.clone()
}

async fn ask(cashier: &Cashier, at: Timestamp) -> Result<ProviderBalance, ClientError> {
    let mut coins = Vec::new();
    for (code, amount) in cashier.balances().await? {
        if !amount.is_zero() {
            coins.push(value_of(cashier, code, amount).await);
        }
    }
    coins.sort_by_key(|coin| std::cmp::Reverse(coin.value));
    let cents = coins.iter().filter_map(|coin| coin.value);
    let total = cents.fold(0_i64, |sum, value| sum.saturating_add(value.cents()));
    Ok(ProviderBalance {
        at,
        coins,
        total: Money::from_cents(total),
    })
}

/// A coin without an estimate is shown without a value, and does not hide the others.
async fn value_of(cashier: &Cashier, code: String, amount: Decimal) -> CoinBalance {
    let coins = match currency_of(&code) {
        Some(currency) => match coins_of_sample(cashier, currency).await {
            Ok(coins) => Some(coins),
            Err(error) => {
                tracing::warn!(code, %error, "the price of a coin is not known");
                None
            }
        },
        // What the provider converts payments into need not be a coin that players use.
        None => is_dollar_coin(&code)
            .then(|| Decimal::from_money(SAMPLE))
            .flatten(),
    };
    CoinBalance {
        rate: coins
            .as_ref()
            .and_then(|coins| dollars_per_coin(SAMPLE, coins)),
        value: coins.and_then(|coins| proportion(SAMPLE, &amount, &coins).ok()),
        code,
        amount,
    }
}
