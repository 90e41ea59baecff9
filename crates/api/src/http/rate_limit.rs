//! Rate limits that each server enforces in memory. Limits that hold across servers are counted in
//! the database (`glasshouse_casino`).

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use glasshouse_casino::whole_seconds;
use glasshouse_domain::UserId;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use nonzero_ext::nonzero;

use crate::error::ApiError;

/// A limited action and the client it is counted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Limit {
    /// Registrations from a network: a burst of thirty, then one every five seconds. Checked before
    /// the limit in the database, which counts across servers.
    Registration(IpAddr),
    /// Logins from a network: a burst of thirty, then one every two seconds. Checked before the
    /// limit in the database, which counts across servers.
    Login(IpAddr),
    /// A player's bets: a burst of a hundred, then twenty-five a second.
    Bet(UserId),
    /// A player's cash-outs and sales: the same rate as bets, counted separately because leaving a
    /// round must not wait for the limit on bets.
    CashOut(UserId),
    /// A player's deposit and withdrawal requests, cancellations, and changes of the address book: a burst
    /// of ten, then one every six seconds.
    Transfer(UserId),
    /// Event streams that a player opens: a burst of thirty, then one a second.
    Stream(UserId),
    /// A player's seed rotations, each of which leaves a permanent row: a burst of ten, then one
    /// every six seconds.
    Rotation(UserId),
    /// Changes of a player's client seed: the same rate as rotations, counted separately because
    /// the browser makes one by itself.
    ClientSeed(UserId),
    /// A player's choices whether to show the name: a burst of ten, then one every six seconds.
    NameVisibility(UserId),
    /// A user's acceptances of the Terms of Service: the same rate, counted separately.
    Terms(UserId),
    /// A user's requests to end other sessions: a burst of thirty, then one a second.
    SessionEnd(UserId),
    /// Files that a player exports, each of which can read many rows: a burst of ten, then one every
    /// six seconds.
    Export(UserId),
    /// Assessments of passwords for a network, several for each password that somebody types: a
    /// burst of sixty, then five a second.
    PasswordStrength(IpAddr),
    /// Changes of a player's limits, exclusion and reality check, most of which leave a permanent row: a
    /// burst of twenty, then one every six seconds.
    PlayRules(UserId),
    /// Requests for links by mail, and attempts to use them, from a network: a burst of thirty, then one
    /// every two seconds. Checked before the limits in the database, which count across servers.
    Mail(IpAddr),
    /// Changes of a user's e-mail address and notices: a burst of ten, then one every six seconds.
    EmailSettings(UserId),
    /// Changes of a user's second factor: a burst of twenty, then one every six seconds.
    SecondFactor(UserId),
}

/// The rate limiters, or none if rate limiting is off.
pub(crate) struct RateLimits {
    limiters: Option<Limiters>,
}

type Limiter = DefaultKeyedRateLimiter<Limit>;

struct Limiters {
    registrations: Limiter,
    logins: Limiter,
    bets: Limiter,
    cash_outs: Limiter,
    transfers: Limiter,
    streams: Limiter,
    rotations: Limiter,
    client_seeds: Limiter,
    name_visibility: Limiter,
    session_ends: Limiter,
    exports: Limiter,
    password_strength: Limiter,
    play_rules: Limiter,
    mails: Limiter,
    email_settings: Limiter,
    second_factors: Limiter,
}

impl Limiters {
    fn new() -> Self {
        let every = |period, burst| limiter(Duration::from_millis(period), burst);
        Self {
            registrations: every(5_000, nonzero!(30_u32)),
            logins: every(2_000, nonzero!(30_u32)),
            bets: every(40, nonzero!(100_u32)),
            cash_outs: every(40, nonzero!(100_u32)),
            transfers: every(6_000, nonzero!(10_u32)),
            streams: every(1_000, nonzero!(30_u32)),
            rotations: every(6_000, nonzero!(10_u32)),
            client_seeds: every(6_000, nonzero!(10_u32)),
            name_visibility: every(6_000, nonzero!(10_u32)),
            session_ends: every(1_000, nonzero!(30_u32)),
            exports: every(6_000, nonzero!(10_u32)),
            password_strength: every(200, nonzero!(60_u32)),
            play_rules: every(6_000, nonzero!(20_u32)),
            mails: every(2_000, nonzero!(30_u32)),
            email_settings: every(6_000, nonzero!(10_u32)),
            second_factors: every(6_000, nonzero!(20_u32)),
        }
    }

    fn of(&self, limit: Limit) -> &Limiter {
        match limit {
            Limit::Registration(_) => &self.registrations,
            Limit::Login(_) => &self.logins,
            Limit::Bet(_) => &self.bets,
            Limit::CashOut(_) => &self.cash_outs,
            Limit::Transfer(_) => &self.transfers,
            Limit::Stream(_) => &self.streams,
            Limit::Rotation(_) => &self.rotations,
            Limit::ClientSeed(_) => &self.client_seeds,
            Limit::NameVisibility(_) | Limit::Terms(_) => &self.name_visibility,
            Limit::SessionEnd(_) => &self.session_ends,
            Limit::Export(_) => &self.exports,
            Limit::PasswordStrength(_) => &self.password_strength,
            Limit::PlayRules(_) => &self.play_rules,
            Limit::Mail(_) => &self.mails,
            Limit::EmailSettings(_) => &self.email_settings,
            Limit::SecondFactor(_) => &self.second_factors,
        }
    }

    fn all(&self) -> [&Limiter; 16] {
        // A limiter that is added and forgotten here is an unused variable.
        let Self {
            registrations,
            logins,
            bets,
            cash_outs,
            transfers,
            streams,
            rotations,
            client_seeds,
            name_visibility,
            session_ends,
            exports,
            password_strength,
            play_rules,
            mails,
            email_settings,
            second_factors,
        } = self;
        [
            registrations,
            logins,
            bets,
            cash_outs,
            transfers,
            streams,
            rotations,
            client_seeds,
            name_visibility,
            session_ends,
            exports,
            password_strength,
            play_rules,
            mails,
            email_settings,
            second_factors,
        ]
    }
}

impl RateLimits {
    pub(crate) fn new(is_on: bool) -> Self {
        Self {
            limiters: is_on.then(Limiters::new),
        }
    }

    /// Whether rate limiting is on.
    pub(crate) fn is_on(&self) -> bool {
        self.limiters.is_some()
    }

    /// Counts a request against its limit.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] if the limit is exceeded.
    pub(crate) fn check(&self, limit: Limit) -> Result<(), ApiError> {
        let Some(limiters) = &self.limiters else {
            return Ok(());
        };
        limiters.of(limit).check_key(&limit).map_err(|until| {
            metrics::counter!("glasshouse_rate_limited_total").increment(1);
            let wait = until.wait_time_from(DefaultClock::default().now());
            ApiError::RateLimited {
                retry_after_seconds: whole_seconds(wait),
            }
        })
    }

    /// Evicts clients whose allowance is fully replenished.
    pub(crate) fn evict_idle(&self) {
        for limiter in self.limiters.iter().flat_map(Limiters::all) {
            limiter.retain_recent();
        }
    }
}

fn limiter(period: Duration, burst: NonZeroU32) -> Limiter {
    let quota = Quota::with_period(period)
        .unwrap_or_else(|| Quota::per_second(NonZeroU32::MIN))
        .allow_burst(burst);
    RateLimiter::keyed(quota)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const ANOTHER_ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::BROADCAST);

    #[test]
    fn requests_beyond_the_burst_are_refused() {
        let limits = RateLimits::new(true);
        for _ in 0..30 {
            assert!(limits.check(Limit::Registration(ONE_ADDRESS)).is_ok());
        }
        let refused = limits.check(Limit::Registration(ONE_ADDRESS));
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
            limits.check(Limit::Registration(ANOTHER_ADDRESS)).is_ok(),
            "other addresses are not affected"
        );
    }

    #[test]
    fn nothing_is_limited_when_off() {
        let limits = RateLimits::new(false);
        for _ in 0..1_000 {
            assert!(limits.check(Limit::Bet(UserId::new(1))).is_ok());
            assert!(limits.check(Limit::Login(ONE_ADDRESS)).is_ok());
        }
    }
}
