//! Retries of failed calls: exponential backoff with jitter, for a limited number of attempts.

use std::time::Duration;

use backon::{Backoff, BackoffBuilder, ExponentialBuilder};
use rand::TryRng;
use rand::rngs::SysRng;

/// How often and after which delays a call is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The maximum number of attempts, including the first.
    pub attempts: u32,
    /// The approximate delay before the second attempt; it doubles with each retry.
    pub first_delay: Duration,
    /// The longest delay. If the provider asks for a longer one, the error is returned to the
    /// caller instead.
    pub longest_delay: Duration,
}

impl RetryPolicy {
    /// For calls in the background.
    pub const USUAL: Self = Self {
        attempts: 4,
        first_delay: Duration::from_millis(250),
        longest_delay: Duration::from_secs(8),
    };
    /// A single attempt.
    pub const NEVER: Self = Self {
        attempts: 1,
        first_delay: Duration::ZERO,
        longest_delay: Duration::ZERO,
    };

    /// The delays before each further attempt, until the attempts are used up.
    pub(super) fn delays(&self) -> impl Backoff + use<> {
        let retries = self.attempts.saturating_sub(1);
        ExponentialBuilder::new()
            .with_min_delay(self.first_delay)
            .with_max_delay(self.longest_delay)
            .with_max_times(usize::try_from(retries).unwrap_or(usize::MAX))
            .build()
            .map(with_jitter)
    }

    /// The delay if the provider has asked for one, or `None` if the call is not retried.
    pub(super) fn adjusted(
        &self,
        delay: Option<Duration>,
        requested: Option<Duration>,
    ) -> Option<Duration> {
        let delay = delay?;
        match requested {
            Some(requested) => (requested <= self.longest_delay).then_some(requested),
            None => Some(delay),
        }
    }
}

/// Adds jitter: between half the delay and the full delay, so that clients do not retry at the same
/// time. The full delay if the system has no randomness.
fn with_jitter(delay: Duration) -> Duration {
    let share = SysRng
        .try_next_u32()
        .map_or(u32::MAX, |number| number | 0x8000_0000);
    let scaled = delay.as_nanos() * u128::from(share) / u128::from(u32::MAX);
    u64::try_from(scaled).map_or(delay, Duration::from_nanos)
}

/// Parses a `Retry-After` header: seconds or an HTTP date.
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
    fn delays_grow_and_end() {
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
    fn a_requested_delay_is_kept_unless_it_is_too_long() {
        let policy = RetryPolicy::USUAL;
        let delay = Some(Duration::from_secs(1));
        let requested = |seconds| policy.adjusted(delay, Some(Duration::from_secs(seconds)));
        assert_eq!(requested(2), Some(Duration::from_secs(2)));
        assert_eq!(requested(60), None);
        assert_eq!(policy.adjusted(delay, None), delay);
        let last = policy.adjusted(None, Some(Duration::from_secs(2)));
        assert_eq!(last, None, "a requested delay must not add an attempt");
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
