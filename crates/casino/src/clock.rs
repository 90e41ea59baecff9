//! The house's clock. Injected, so that tests run a round in no time.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use glasshouse_domain::Timestamp;

/// Tells the time. It never goes back: what a player has seen of a round must stay in the past.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;

    /// Returns at `moment` or somewhat earlier.
    fn wait_until(&self, moment: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>>;

    /// Goes on from `moment`. A clock that is ahead of it stands still until it has come.
    fn set(&self, moment: Timestamp);
}

/// The computer's steady clock, which counts from the moment that it was set to. Whoever sets the
/// time of day, it neither stops nor jumps.
#[derive(Debug)]
pub struct SystemClock {
    started: Instant,
    /// The moment of `started`, in microseconds.
    base: AtomicI64,
    /// The latest moment that was told.
    latest: AtomicI64,
}

/// A timer is not trusted for longer than this.
const LONGEST_WAIT: Duration = Duration::from_mins(1);
/// While the clock stands still, it is looked at this often.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

impl SystemClock {
    /// A clock that is set to `now`.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            started: Instant::now(),
            base: AtomicI64::new(now.as_micros()),
            latest: AtomicI64::new(now.as_micros()),
        }
    }

    fn elapsed_micros(&self) -> i64 {
        i64::try_from(self.started.elapsed().as_micros()).unwrap_or(i64::MAX)
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let base = self.base.load(Ordering::SeqCst);
        let counted = base.saturating_add(self.elapsed_micros());
        let latest = self.latest.fetch_max(counted, Ordering::SeqCst);
        Timestamp::from_micros(latest.max(counted))
    }

    fn wait_until(&self, moment: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let wait = moment.saturating_since(self.now());
        Box::pin(tokio::time::sleep(wait.clamp(SHORTEST_WAIT, LONGEST_WAIT)))
    }

    fn set(&self, moment: Timestamp) {
        let base = moment.as_micros().saturating_sub(self.elapsed_micros());
        self.base.store(base, Ordering::SeqCst);
    }
}

/// The computer's time of day.
pub(crate) fn wall_clock() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn a_clock_that_is_ahead_stands_still_and_one_behind_goes_on_from_there() {
        let start = Timestamp::from_micros(1_800_000_000_000_000);
        let clock = SystemClock::at(start);
        let told = clock.now();
        clock.set(start.saturating_sub(HOUR));
        assert!(clock.now() >= told, "it never goes back");
        assert!(clock.now() < start.saturating_add(HOUR));
        let still = clock.now();
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(clock.now(), still, "it waits for the moment to come");
        clock.set(start.saturating_add(HOUR));
        assert!(clock.now() >= start.saturating_add(HOUR));
    }
}
