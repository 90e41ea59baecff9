//! What the provider takes of each coin, as it was last told.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use glasshouse_domain::{Currency, Money, Timestamp};

/// How old an answer may be before the provider is asked again.
const CACHE_LIFETIME: Duration = Duration::from_mins(10);
/// How old an answer may be and still refuse a deposit: a minimum follows the coin's price.
const STALE_LIMIT: Duration = Duration::from_hours(1);
/// How long to wait after the provider could not be asked.
const RETRY_INTERVAL: Duration = Duration::from_secs(30);

/// What the provider takes of a coin, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoinTerms {
    /// The coin.
    pub currency: Currency,
    /// Whether it is taken at all now; none if that is not known.
    pub is_taken: Option<bool>,
    /// The least payment in dollars, rounded up to the cent; none if that is not known.
    pub minimum: Option<Money>,
}

/// What was learnt, and when to ask again.
#[derive(Default)]
pub(crate) struct CoinBook(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    coins: Vec<CoinTerms>,
    learnt_at: Option<Timestamp>,
    next_at: Option<Timestamp>,
}

impl CoinBook {
    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a coin, if it was learnt lately.
    pub(crate) fn coin(&self, currency: Currency, now: Timestamp) -> CoinTerms {
        let entries = self.lock();
        let is_telling = |learnt: Timestamp| now.saturating_since(learnt) < STALE_LIMIT;
        let unknown = CoinTerms {
            currency,
            is_taken: None,
            minimum: None,
        };
        if !entries.learnt_at.is_some_and(is_telling) {
            return unknown;
        }
        let known = entries.coins.iter().find(|coin| coin.currency == currency);
        known.copied().unwrap_or(unknown)
    }

    /// Whether it is time to ask; then it is not for a while, so that one asks at a time.
    pub(crate) fn take_turn(&self, now: Timestamp) -> bool {
        let mut entries = self.lock();
        let is_due = entries.next_at.is_none_or(|next| next <= now);
        if is_due {
            entries.next_at = Some(now.saturating_add(RETRY_INTERVAL));
        }
        is_due
    }

    pub(crate) fn keep(&self, coins: Vec<CoinTerms>, now: Timestamp) {
        let mut entries = self.lock();
        entries.coins = coins;
        entries.learnt_at = Some(now);
        entries.next_at = Some(now.saturating_add(CACHE_LIFETIME));
    }
}
