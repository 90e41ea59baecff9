//! When a call that failed in passing is made again: later each time, at random, and not for ever.

use std::time::Duration;

use backon::{Backoff, BackoffBuilder, ExponentialBuilder};
use rand::TryRng;
use rand::rngs::SysRng;

/// How often and how late a call is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How often a call is made at most, the first time included.
    pub attempts: u32,
    /// About how long to wait before the second time; doubled each time.
    pub first_delay: Duration,
    /// The longest wait. A provider that asks for a longer one is told to the caller instead.
    pub longest_delay: Duration,
}

impl RetryPolicy {
    /// For calls that nobody sits waiting for.
    pub const USUAL: Self = Self {
        attempts: 4,
        first_delay: Duration::from_millis(250),
        longest_delay: Duration::from_secs(8),
    };
    /// One call, whatever comes of it.
    pub const NEVER: Self = Self {
        attempts: 1,
        first_delay: Duration::ZERO,
        longest_delay: Duration::ZERO,
    };

    /// How long to wait before each further time, as long as there are any.
    pub(super) fn delays(&self) -> impl Backoff + use<> {
        let retries = self.attempts.saturating_sub(1);
        ExponentialBuilder::new()
            .with_min_delay(self.first_delay)
            .with_max_delay(self.longest_delay)
            .with_max_times(usize::try_from(retries).unwrap_or(usize::MAX))
            .build()
            .map(at_random)
    }

    /// The same where the provider has asked for a wait; none if this is not made again.
    pub(super) fn adjusted(
        &self,
        delay: Option<Duration>,
        asked: Option<Duration>,
    ) -> Option<Duration> {
        let delay = delay?;
        match asked {
            Some(asked) => (asked <= self.longest_delay).then_some(asked),
            None => Some(delay),
        }
    }
}

/// Between a half and the whole, so that many clients do not come back at once. Without randomness,
/// which only a broken machine lacks, the whole.
fn at_random(delay: Duration) -> Duration {
    let share = SysRng
        .try_next_u32()
        .map_or(u32::MAX, |number| number | 0x8000_0000);
    let scaled = delay.as_nanos() * u128::from(share) / u128::from(u32::MAX);
    u64::try_from(scaled).map_or(delay, Duration::from_nanos)
}

/// Reads a `Retry-After`: seconds, or a date of HTTP.
pub(super) fn parse_retry_after(text: &str, now: jiff::Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = jiff::fmt::rfc2822::DateTimeParser::new()
        .parse_timestamp(text)
        .ok()?;
    Some(Duration::try_from(then.duration_since(now)).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_end() {
        let policy = RetryPolicy {
            attempts: 5,
            first_delay: Duration::from_millis(100),
            longest_delay: Duration::from_millis(300),
        };
        for _ in 0..50 {
            let delays: Vec<Duration> = policy.delays().collect();
            assert_eq!(delays.len(), 4);
            for (delay, longest) in delays.into_iter().zip([100, 200, 300, 300]) {
                let longest = Duration::from_millis(longest);
                assert!(delay <= longest && delay >= longest / 2, "{delay:?}");
            }
        }
        assert_eq!(RetryPolicy::NEVER.delays().next(), None);
        let endless = RetryPolicy {
            attempts: u32::MAX,
            ..policy
        };
        assert!(endless.delays().nth(1000).is_some());
    }

    #[test]
    fn what_the_provider_asks_for_is_kept_to_or_told() {
        let policy = RetryPolicy::USUAL;
        let delay = Some(Duration::from_secs(1));
        let asked = |seconds| policy.adjusted(delay, Some(Duration::from_secs(seconds)));
        assert_eq!(asked(2), Some(Duration::from_secs(2)));
        assert_eq!(asked(60), None);
        assert_eq!(policy.adjusted(delay, None), delay);
        let last = policy.adjusted(None, Some(Duration::from_secs(2)));
        assert_eq!(last, None, "however it is asked, there is no further time");
    }

    #[test]
    fn both_forms_of_retry_after_are_read() {
        let now: jiff::Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
        let check = |text: &str, seconds: Option<u64>| {
            assert_eq!(
                parse_retry_after(text, now),
                seconds.map(Duration::from_secs),
                "{text}"
            );
        };
        check("0", Some(0));
        check(" 120 ", Some(120));
        check("Fri, 02 Jan 2026 03:04:15 GMT", Some(10));
        check("Fri, 02 Jan 2026 03:04:00 GMT", Some(0));
        check("soon", None);
        check("-1", None);
        check("1.5", None);
    }
}
