//! A cache of what the provider accepts per coin.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use glasshouse_domain::{Currency, Money, Timestamp};

/// The age at which cached terms are refreshed.
const CACHE_LIFETIME: Duration = Duration::from_mins(10);
/// The maximum age at which cached terms still refuse a deposit: a minimum changes with the coin's
/// price.
const STALE_LIMIT: Duration = Duration::from_hours(1);
/// The wait before the next attempt after a failed refresh.
const RETRY_INTERVAL: Duration = Duration::from_secs(30);

/// What the provider accepts of a coin, as far as known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoinTerms {
    /// The coin.
    pub currency: Currency,
    /// Whether the provider accepts the coin now; `None` if unknown.
    pub is_taken: Option<bool>,
    /// The minimum payment in US dollars, rounded up to the cent; `None` if unknown.
    pub minimum: Option<Money>,
}

/// The cached terms, and when to refresh them.
#[derive(Default)]
pub(crate) struct CoinBook(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    coins: Vec<CoinTerms>,
    fetched_at: Option<Timestamp>,
    next_at: Option<Timestamp>,
}

impl CoinBook {
    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The terms of a coin; unknown if the cache is too old.
    pub(crate) fn coin(&self, currency: Currency, now: Timestamp) -> CoinTerms {
        let entries = self.lock();
        let is_recent = |fetched: Timestamp| now.saturating_since(fetched) < STALE_LIMIT;
        let unknown = CoinTerms {
            currency,
            is_taken: None,
            minimum: None,
        };
        if !entries.fetched_at.is_some_and(is_recent) {
            return unknown;
        }
        let cached = entries.coins.iter().find(|coin| coin.currency == currency);
        cached.copied().unwrap_or(unknown)
    }

    /// Whether the cache must be refreshed now. If so, the next refresh is postponed, so that only
    /// one runs at a time.
    pub(crate) fn begin_refresh(&self, now: Timestamp) -> bool {
        let mut entries = self.lock();
        let is_due = entries.next_at.is_none_or(|next| next <= now);
        if is_due {
            entries.next_at = Some(now.saturating_add(RETRY_INTERVAL));
        }
        is_due
    }

    pub(crate) fn store(&self, coins: Vec<CoinTerms>, now: Timestamp) {
        let mut entries = self.lock();
        entries.coins = coins;
        entries.fetched_at = Some(now);
        entries.next_at = Some(now.saturating_add(CACHE_LIFETIME));
    }
}
