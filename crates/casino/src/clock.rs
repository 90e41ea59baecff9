//! The house's clock. Injected, so that tests run a round in no time.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use glasshouse_domain::Timestamp;

/// Tells the time. It never goes back: what a player has seen of a round must stay in the past.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;

    /// Returns at `moment` or somewhat earlier.
    fn wait_until(&self, moment: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// The computer's steady clock, which counts from the moment that it was set to. Whoever sets the
/// time of day, it neither stops nor jumps.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    set_to: Timestamp,
    set_at: Instant,
}

/// A timer is not trusted for longer than this.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

impl SystemClock {
    /// A clock that is set to `now`.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            set_to: now,
            set_at: Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        self.set_to.saturating_add(self.set_at.elapsed())
    }

    fn wait_until(&self, moment: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let wait = moment.saturating_since(self.now()).min(LONGEST_WAIT);
        Box::pin(tokio::time::sleep(wait))
    }
}

/// The computer's time of day.
pub(crate) fn wall_clock() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}
