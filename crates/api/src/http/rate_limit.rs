//! How often a client may call, as this server counts it by itself: what is counted for all servers
//! is in the database (`glasshouse_casino`).

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use glasshouse_casino::whole_seconds;
use glasshouse_domain::UserId;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

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
/// Changes of a player's seeds, each of which leaves a row for ever: five at once, then one in twelve
/// seconds.
const ROTATIONS: (u32, Duration) = (5, Duration::from_secs(12));

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
    rotations: DefaultKeyedRateLimiter<i64>,
}

impl RateLimits {
    pub(crate) fn new(is_on: bool) -> Self {
        Self {
            limits: is_on.then(|| Limits {
                registrations: limiter(REGISTRATIONS),
                logins: limiter(LOGINS),
                bets: limiter(BETS),
                leavings: limiter(LEAVINGS),
                streams: limiter(STREAMS),
                transfers: limiter(TRANSFERS),
                rotations: limiter(ROTATIONS),
            }),
        }
    }

    /// Whether there are any.
    pub(crate) fn is_on(&self) -> bool {
        self.limits.is_some()
    }

    /// May this network register? It is asked before the database is, which counts for all servers.
    pub(crate) fn registration(&self, network: IpAddr) -> Result<(), ApiError> {
        self.limits
            .as_ref()
            .map_or(Ok(()), |limits| check(&limits.registrations, &network))
    }

    /// May this network try a password? It is asked before the database is, which counts for all
    /// servers.
    pub(crate) fn login(&self, network: IpAddr) -> Result<(), ApiError> {
        self.limits
            .as_ref()
            .map_or(Ok(()), |limits| check(&limits.logins, &network))
    }

    /// May this player change the seeds?
    pub(crate) fn rotation(&self, player: UserId) -> Result<(), ApiError> {
        self.limits
            .as_ref()
            .map_or(Ok(()), |limits| check(&limits.rotations, &player.get()))
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
        limits.rotations.retain_recent();
    }
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
    ApiError::RateLimited {
        retry_after_seconds: whole_seconds(wait),
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
    fn off_is_off() {
        let limits = RateLimits::new(false);
        for _ in 0..1_000 {
            assert!(limits.bet(UserId::new(1)).is_ok());
            assert!(limits.login(HERE).is_ok());
        }
    }
}
