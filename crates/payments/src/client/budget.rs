//! The rate limit that all calls to the provider share: a number of calls per second, and none
//! while the provider has asked for a pause (`docs/payments.md#rule-19`).

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

/// The pause after "429 Too Many Requests" without a `Retry-After` header.
const DEFAULT_PAUSE: Duration = Duration::from_secs(2);
/// Upper bound for a pause, so that a wrong header does not close the cashier for longer.
const MAXIMUM_PAUSE: Duration = Duration::from_mins(15);

/// The rate limit shared by all clones of a client.
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

    /// Waits until a call may be made.
    ///
    /// # Errors
    /// If the provider has asked for a pause: its remaining duration.
    pub(super) async fn acquire(&self) -> Result<(), Duration> {
        self.check()?;
        self.calls.until_ready().await;
        // The provider may have asked for a pause in the meantime.
        self.check()
    }

    fn check(&self) -> Result<(), Duration> {
        self.paused_for(Instant::now()).map_or(Ok(()), Err)
    }

    /// The remaining duration of the pause, or `None` if there is none.
    pub(super) fn paused_for(&self, now: Instant) -> Option<Duration> {
        let until = *self.lock();
        until
            .map(|until| until.saturating_duration_since(now))
            .filter(|left| !left.is_zero())
    }

    /// Blocks all calls for the duration that the provider requested. A shorter request never
    /// shortens a pause.
    pub(super) fn pause(&self, now: Instant, requested: Option<Duration>) {
        let pause = requested.unwrap_or(DEFAULT_PAUSE).min(MAXIMUM_PAUSE);
        let until = now + pause;
        let mut paused_until = self.lock();
        if paused_until.is_none_or(|current| current < until) {
            tracing::warn!(?pause, "the provider has asked for a pause");
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
    fn rule_19_a_pause_lasts_as_long_as_the_provider_requests() {
        let budget = Budget::new(NonZeroU32::MIN);
        let start = Instant::now();
        let after = |seconds| budget.paused_for(start + Duration::from_secs(seconds));
        assert_eq!(after(0), None);
        budget.pause(start, Some(Duration::from_mins(1)));
        assert_eq!(after(0), Some(Duration::from_mins(1)));
        // A shorter request, or none, does not shorten the pause.
        budget.pause(start, Some(Duration::ZERO));
        budget.pause(start, None);
        assert_eq!(after(59), Some(Duration::from_secs(1)));
        assert_eq!(after(60), None);
        budget.pause(start + Duration::from_mins(2), None);
        assert_eq!(after(121), Some(Duration::from_secs(1)));
        assert_eq!(after(122), None);
        // A week is assumed to be a mistake.
        budget.pause(start, Some(Duration::from_hours(7 * 24)));
        assert_eq!(after(0), Some(MAXIMUM_PAUSE));
    }
}
