//! A moment, as a number: the domain reads no clock and knows no calendar.

use std::time::Duration;

/// Microseconds since the Unix epoch, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment that many microseconds after the epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the epoch.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The moment `duration` later; the last one that there is if that is too far.
    #[must_use]
    pub fn saturating_add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(micros(duration)))
    }

    /// The moment `duration` earlier; the first one that there is if that is too far.
    #[must_use]
    pub fn saturating_sub(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(micros(duration)))
    }

    /// How long after `earlier` this is; zero if it is not.
    #[must_use]
    pub fn saturating_since(self, earlier: Self) -> Duration {
        let difference = self.0.saturating_sub(earlier.0);
        Duration::from_micros(u64::try_from(difference).unwrap_or(0))
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
