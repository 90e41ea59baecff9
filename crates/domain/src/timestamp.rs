//! Points in time as numbers: the domain reads no clock and has no time zones.

use std::time::Duration;

const MICROS_PER_SECOND: i64 = 1_000_000;
const MICROS_PER_HOUR: i64 = 3_600_000_000;
const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Microseconds since the Unix epoch, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a timestamp from microseconds since the epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the epoch.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The UTC day that contains the timestamp, as days since the epoch.
    #[must_use]
    pub const fn day(self) -> i64 {
        self.0.div_euclid(MICROS_PER_DAY)
    }

    /// The UTC hour that contains the timestamp, as hours since the epoch.
    #[must_use]
    pub const fn hour(self) -> i64 {
        self.0.div_euclid(MICROS_PER_HOUR)
    }

    /// The start of a UTC day, given as days since the epoch.
    #[must_use]
    pub const fn start_of_day(day: i64) -> Self {
        Self(day.saturating_mul(MICROS_PER_DAY))
    }

    /// The start of a UTC hour, given as hours since the epoch.
    #[must_use]
    pub const fn start_of_hour(hour: i64) -> Self {
        Self(hour.saturating_mul(MICROS_PER_HOUR))
    }

    /// The whole seconds since the epoch, rounded down.
    #[must_use]
    pub const fn second(self) -> i64 {
        self.0.div_euclid(MICROS_PER_SECOND)
    }

    /// Adds a duration, saturating at the latest timestamp.
    #[must_use]
    pub fn saturating_add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(micros(duration)))
    }

    /// Subtracts a duration, saturating at the earliest timestamp.
    #[must_use]
    pub fn saturating_sub(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(micros(duration)))
    }

    /// The time elapsed since `earlier`, or zero if `earlier` is later.
    #[must_use]
    pub fn saturating_since(self, earlier: Self) -> Duration {
        let difference = self.0.saturating_sub(earlier.0);
        Duration::from_micros(u64::try_from(difference).unwrap_or(0))
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight() {
        let check = |micros, day| assert_eq!(Timestamp::from_micros(micros).day(), day, "{micros}");
        check(0, 0);
        check(86_399_999_999, 0);
        check(86_400_000_000, 1);
        check(-1, -1);
        // 2023-11-14 22:13:20.
        check(1_700_000_000_000_000, 19_675);
    }

    #[test]
    fn an_hour_contains_its_start_and_not_its_end() {
        let hour = |micros| Timestamp::from_micros(micros).hour();
        assert_eq!((hour(-1), hour(0), hour(3_599_999_999)), (-1, 0, 0));
        let start = Timestamp::start_of_hour(472_222);
        assert_eq!((start.hour(), start.day()), (472_222, 19_675));
        assert_eq!(
            Timestamp::start_of_day(19_675),
            Timestamp::start_of_hour(472_200)
        );
    }
}
