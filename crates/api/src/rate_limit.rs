//! How often a client may register, try passwords and bet.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use glasshouse_domain::UserId;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use lru::LruCache;

use crate::error::ApiError;

/// Registrations of an address: thirty at once, then one every five seconds.
const REGISTRATIONS: (u32, Duration) = (30, Duration::from_secs(5));
/// Logins from an address: thirty at once, then one every two seconds.
const LOGINS: (u32, Duration) = (30, Duration::from_secs(2));
/// Bets of a player: a hundred at once, then twenty-five a second.
const BETS: (u32, Duration) = (100, Duration::from_millis(40));
/// Cash-outs and sales of a player, beside the bets: leaving a round must not wait for them.
const LEAVINGS: (u32, Duration) = BETS;
/// Deposits and withdrawals that a player asks for: ten at once, then one every six seconds.
const TRANSFERS: (u32, Duration) = (10, Duration::from_secs(6));
/// Event streams that a player opens: thirty at once, then one a second.
const STREAMS: (u32, Duration) = (30, Duration::from_secs(1));
/// Wrong passwords for one account from one address before they cost time.
const FREE_FAILURES: u32 = 5;
/// The first wait after that; each further failure doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_mins(15);
/// How many pairs of account and address are remembered; the longest unused are forgotten first.
const REMEMBERED_FAILURES: usize = 10_000;

/// All limits, or none.
pub(crate) struct RateLimits {
    limits: Option<Limits>,
}

struct Limits {
    registrations: DefaultKeyedRateLimiter<IpAddr>,
    logins: DefaultKeyedRateLimiter<IpAddr>,
    bets: DefaultKeyedRateLimiter<i64>,
    leavings: DefaultKeyedRateLimiter<i64>,
    streams: DefaultKeyedRateLimiter<i64>,
    transfers: DefaultKeyedRateLimiter<i64>,
    failures: Mutex<LruCache<(String, IpAddr), Failures>>,
}

struct Failures {
    count: u32,
    blocked_until: Instant,
}

impl RateLimits {
    pub(crate) fn new(is_on: bool) -> Self {
        let capacity = NonZeroUsize::new(REMEMBERED_FAILURES).unwrap_or(NonZeroUsize::MIN);
        Self {
            limits: is_on.then(|| Limits {
                registrations: limiter(REGISTRATIONS),
                logins: limiter(LOGINS),
                bets: limiter(BETS),
                leavings: limiter(LEAVINGS),
                streams: limiter(STREAMS),
                transfers: limiter(TRANSFERS),
                failures: Mutex::new(LruCache::new(capacity)),
            }),
        }
    }

    /// May this address register?
    pub(crate) fn registration(&self, address: IpAddr) -> Result<(), ApiError> {
        self.limits
            .as_ref()
            .map_or(Ok(()), |limits| check(&limits.registrations, &address))
    }

    /// May this address try a password of this account?
    pub(crate) fn login(&self, username: &str, address: IpAddr) -> Result<(), ApiError> {
        let Some(limits) = &self.limits else {
            return Ok(());
        };
        check(&limits.logins, &address)?;
        let mut failures = limits
            .failures
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let blocked_until = failures
            .get(&key(username, address))
            .map(|f| f.blocked_until);
        let wait = blocked_until.map_or(Duration::ZERO, |until| {
            until.saturating_duration_since(Instant::now())
        });
        if wait.is_zero() {
            Ok(())
        } else {
            Err(limited(wait))
        }
    }

    /// A password was wrong.
    pub(crate) fn login_failed(&self, username: &str, address: IpAddr) {
        let Some(limits) = &self.limits else { return };
        let mut failures = limits
            .failures
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let entry = failures.get_or_insert_mut(key(username, address), || Failures {
            count: 0,
            blocked_until: now,
        });
        entry.count = entry.count.saturating_add(1);
        if let Some(doublings) = entry.count.checked_sub(FREE_FAILURES) {
            let factor = 1_u32 << doublings.min(10);
            entry.blocked_until = now + FIRST_WAIT.saturating_mul(factor).min(LONGEST_WAIT);
        }
    }

    /// A password was right.
    pub(crate) fn login_succeeded(&self, username: &str, address: IpAddr) {
        let Some(limits) = &self.limits else { return };
        let mut failures = limits
            .failures
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        failures.pop(&key(username, address));
    }

    /// May this player bet?
    pub(crate) fn bet(&self, player: UserId) -> Result<(), ApiError> {
        self.limits
            .as_ref()
            .map_or(Ok(()), |limits| check(&limits.bets, &player.get()))
    }

    /// May this player leave a round?
    pub(crate) fn leaving(&self, player: UserId) -> Result<(), ApiError> {
        self.limits
            .as_ref()
            .map_or(Ok(()), |limits| check(&limits.leavings, &player.get()))
    }

    /// May this player ask for a deposit or a withdrawal?
    pub(crate) fn transfer(&self, player: UserId) -> Result<(), ApiError> {
        self.limits
            .as_ref()
            .map_or(Ok(()), |limits| check(&limits.transfers, &player.get()))
    }

    /// May this player open an event stream?
    pub(crate) fn stream(&self, player: UserId) -> Result<(), ApiError> {
        self.limits
            .as_ref()
            .map_or(Ok(()), |limits| check(&limits.streams, &player.get()))
    }

    /// Forgets the clients that have their whole allowance again.
    pub(crate) fn forget_quiet(&self) {
        let Some(limits) = &self.limits else { return };
        limits.registrations.retain_recent();
        limits.logins.retain_recent();
        limits.bets.retain_recent();
        limits.leavings.retain_recent();
        limits.streams.retain_recent();
        limits.transfers.retain_recent();
    }
}

/// Names are one account whatever their case, and no longer than a username is.
fn key(username: &str, address: IpAddr) -> (String, IpAddr) {
    (
        username
            .chars()
            .take(32)
            .collect::<String>()
            .to_ascii_lowercase(),
        address,
    )
}

fn limiter<K: Hash + Eq + Clone>((burst, period): (u32, Duration)) -> DefaultKeyedRateLimiter<K> {
    let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
    let quota = Quota::with_period(period)
        .unwrap_or_else(|| Quota::per_second(NonZeroU32::MIN))
        .allow_burst(burst);
    RateLimiter::keyed(quota)
}

fn check<K: Hash + Eq + Clone>(
    limiter: &DefaultKeyedRateLimiter<K>,
    key: &K,
) -> Result<(), ApiError> {
    limiter
        .check_key(key)
        .map_err(|until| limited(until.wait_time_from(DefaultClock::default().now())))
}

fn limited(wait: Duration) -> ApiError {
    metrics::counter!("glasshouse_rate_limited_total").increment(1);
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    ApiError::RateLimited {
        retry_after_seconds: seconds.max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::BROADCAST);

    #[test]
    fn the_burst_is_free_and_the_next_one_is_told_to_wait() {
        let limits = RateLimits::new(true);
        for _ in 0..REGISTRATIONS.0 {
            assert!(limits.registration(HERE).is_ok());
        }
        let refused = limits.registration(HERE);
        assert!(
            matches!(
                refused,
                Err(ApiError::RateLimited {
                    retry_after_seconds: 1..=5
                })
            ),
            "{refused:?}"
        );
        assert!(
            limits.registration(THERE).is_ok(),
            "another address is not held up"
        );
    }

    #[test]
    fn wrong_passwords_cost_time_for_that_account_and_address_only() {
        let limits = RateLimits::new(true);
        for _ in 0..FREE_FAILURES {
            assert!(limits.login("Alice", HERE).is_ok());
            limits.login_failed("alice", HERE);
        }
        assert!(limits.login("ALICE", HERE).is_err());
        assert!(limits.login("alice", THERE).is_ok());
        assert!(limits.login("bob", HERE).is_ok());
        limits.login_succeeded("alice", HERE);
        assert!(limits.login("alice", HERE).is_ok());
    }

    #[test]
    fn off_is_off() {
        let limits = RateLimits::new(false);
        for _ in 0..1_000 {
            assert!(limits.bet(UserId::new(1)).is_ok());
            limits.login_failed("alice", HERE);
            assert!(limits.login("alice", HERE).is_ok());
        }
    }
}
