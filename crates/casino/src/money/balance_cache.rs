//! What the house holds at the payment provider, as it was last heard.

use glasshouse_domain::{Money, Timestamp};
use glasshouse_payments::Decimal;
use tokio::sync::{Mutex, MutexGuard};

/// The balance of a coin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoinBalance {
    /// The provider's code of the coin, in lower case.
    pub code: String,
    /// The amount in the coin.
    pub amount: Decimal,
    /// The price of a coin in US dollars; `None` if it is not known.
    pub rate: Option<Decimal>,
    /// What the amount is worth, rounded down to the cent; `None` if the price is not known.
    pub value: Option<Money>,
}

/// The balance at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderBalance {
    /// When the provider was asked.
    pub at: Timestamp,
    /// The coins of which there are any, the most valuable first.
    pub coins: Vec<CoinBalance>,
    /// What the coins with a known price are worth.
    pub total: Money,
}

impl ProviderBalance {
    /// Whether the prices of all coins are known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.coins.iter().all(|coin| coin.value.is_some())
    }
}

/// What is known of the balance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownBalance {
    /// The last answer; `None` if there has been none.
    pub latest: Option<ProviderBalance>,
    /// Why there is no newer one, if the provider failed when it was last asked.
    pub problem: Option<String>,
}

/// The last answer, and until when nobody asks again. Whoever asks holds the lock, so that the others wait
/// for the same answer.
#[derive(Debug, Default)]
pub(crate) struct BalanceCache(Mutex<Cached>);

impl BalanceCache {
    pub(crate) async fn lock(&self) -> MutexGuard<'_, Cached> {
        self.0.lock().await
    }
}

#[derive(Debug, Default)]
pub(crate) struct Cached {
    pub(crate) known: KnownBalance,
    pub(crate) fresh_until: Option<Timestamp>,
}
