//! What the provider may be asked by everybody together: so many calls a second, and none while it
//! has asked for a pause (`docs/payments.md#rule-19`).

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

/// The pause after "too many requests" without a word on how long.
const DEFAULT_PAUSE: Duration = Duration::from_secs(2);
/// No mistaken header closes the cashier for longer.
const MAXIMUM_PAUSE: Duration = Duration::from_mins(15);

/// The one budget of all clones of a client.
pub(super) struct Budget {
    calls: DefaultDirectRateLimiter,
    paused_until: Mutex<Option<Instant>>,
}

impl Budget {
    pub(super) fn new(calls_per_second: NonZeroU32) -> Self {
        Self {
            calls: RateLimiter::direct(Quota::per_second(calls_per_second)),
            paused_until: Mutex::new(None),
        }
    }

    /// Waits for the turn of one call.
    ///
    /// # Errors
    /// If the provider has asked for a pause: how long it still is.
    pub(super) async fn take(&self) -> Result<(), Duration> {
        self.check()?;
        self.calls.until_ready().await;
        // The pause may have been asked for in the meantime.
        self.check()
    }

    fn check(&self) -> Result<(), Duration> {
        self.paused_for(Instant::now()).map_or(Ok(()), Err)
    }

    /// How long the pause still is; none if there is none.
    pub(super) fn paused_for(&self, now: Instant) -> Option<Duration> {
        let until = *self.lock();
        until
            .map(|until| until.saturating_duration_since(now))
            .filter(|left| !left.is_zero())
    }

    /// Lets nobody ask for as long as the provider wants. A shorter request never ends a longer pause.
    pub(super) fn pause(&self, now: Instant, asked: Option<Duration>) {
        let pause = asked.unwrap_or(DEFAULT_PAUSE).min(MAXIMUM_PAUSE);
        let until = now + pause;
        let mut paused_until = self.lock();
        if paused_until.is_none_or(|known| known < until) {
            tracing::warn!(?pause, "the provider is not asked for a while");
            *paused_until = Some(until);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.paused_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_19_a_pause_lasts_as_long_as_was_asked_for() {
        let budget = Budget::new(NonZeroU32::MIN);
        let start = Instant::now();
        let after = |seconds| budget.paused_for(start + Duration::from_secs(seconds));
        assert_eq!(after(0), None);
        budget.pause(start, Some(Duration::from_mins(1)));
        assert_eq!(after(0), Some(Duration::from_mins(1)));
        // A shorter request, or none, does not end it.
        budget.pause(start, Some(Duration::ZERO));
        budget.pause(start, None);
        assert_eq!(after(59), Some(Duration::from_secs(1)));
        assert_eq!(after(60), None);
        budget.pause(start + Duration::from_mins(2), None);
        assert_eq!(after(121), Some(Duration::from_secs(1)));
        assert_eq!(after(122), None);
        // A week is no pause, but a mistake.
        budget.pause(start, Some(Duration::from_hours(7 * 24)));
        assert_eq!(after(0), Some(MAXIMUM_PAUSE));
    }
}
