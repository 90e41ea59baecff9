//! Limits how often a client may try passwords and create accounts, counted over all servers.
//!
//! Users cannot lock each other out (`docs/adr/0013-nobody-is-locked-out-by-others.md`): a client
//! is refused only because of its own failures. Failures of others for an account only cost clients
//! not known to the account a wait of some seconds and a lower limit of free failures. A client is
//! known to an account if it has signed in there before, which its device's cookie proves.

use std::net::IpAddr;
use std::time::Duration;

use glasshouse_domain::{Timestamp, Username};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::AttemptCounter;

use crate::accounts::allowance::{Allowance, consume};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Per IPv4 address or IPv6 /64, or per device that has signed in to the account before.
const SIGN_INS: Allowance = Allowance {
    burst: 30,
    period: Duration::from_secs(2),
};
/// Per IPv6 /48.
const WIDE_SIGN_INS: Allowance = Allowance {
    burst: 120,
    period: Duration::from_millis(500),
};
/// Per IPv4 address or IPv6 /64.
const REGISTRATIONS: Allowance = Allowance {
    burst: 30,
    period: Duration::from_secs(5),
};
/// Per IPv6 /48.
const WIDE_REGISTRATIONS: Allowance = Allowance {
    burst: 120,
    period: Duration::from_millis(1_250),
};

/// How many wrong passwords a client may enter for an account before it must wait.
const FREE_FAILURES: i64 = 5;
/// The same for a client unknown to an account that is under attack.
const FREE_FAILURES_UNDER_ATTACK: i64 = 2;
/// The first wait after the free failures; each further failure doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const MAXIMUM_WAIT: Duration = Duration::from_mins(15);
/// How long a client's failures are kept after the end of its last wait.
const FAILURE_WINDOW: Duration = Duration::from_hours(1);

/// The period over which the failures of all clients for an account are counted.
const ATTACK_PERIOD: Duration = Duration::from_hours(1);
/// The number of failures per period from which the account counts as under attack.
const ATTACK_FAILURES: i64 = 20;
/// How much each failure from there on adds to the wait of a client unknown to the account.
const ATTACK_WAIT_STEP: Duration = Duration::from_millis(250);
/// The maximum of that wait.
const MAXIMUM_ATTACK_WAIT: Duration = Duration::from_secs(5);
/// The number of failures per period that raises an alert for the operator.
const ALERT_FAILURES: i64 = 50;

/// The maximum number of expired counters removed per call.
const PURGE_LIMIT: i64 = 10_000;

/// The client that makes an attempt.
#[derive(Debug, Clone)]
pub struct Client {
    /// The IPv4 address or the IPv6 /64.
    pub network: IpAddr,
    /// The IPv6 /48; `None` for IPv4.
    pub wide_network: Option<IpAddr>,
    /// The device or session that has signed in to the account before; `None` if there is none.
    pub device: Option<String>,
}

/// The conditions under which an attempt is admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admission {
    /// How long to wait before the password is checked.
    pub wait: Duration,
    /// Whether the client has failed before. If so, a success must be recorded.
    pub has_failed: bool,
}

impl Client {
    /// The allowances that a sign-in attempt uses up, with the keys of their counters.
    fn sign_ins(&self) -> Vec<(String, &'static Allowance)> {
        match &self.device {
            // Other clients on its network do not use up the allowance of a known device.
            Some(device) => vec![(format!("sign-in device {device}"), &SIGN_INS)],
            None => self.networks("sign-in", &SIGN_INS, &WIDE_SIGN_INS),
        }
    }

    /// The allowances of this client's networks, with the keys of their counters.
    pub(crate) fn networks(
        &self,
        action: &str,
        narrow: &'static Allowance,
        wide: &'static Allowance,
    ) -> Vec<(String, &'static Allowance)> {
        let mut all = vec![(format!("{action} {}", self.network), narrow)];
        all.extend(
            self.wide_network
                .map(|network| (format!("{action} wide {network}"), wide)),
        );
        all
    }

    /// The key of the counter of this client's failures for an account.
    fn failures(&self, account: &str) -> String {
        match &self.device {
            Some(device) => format!("failures {account} device {device}"),
            None => format!("failures {account} {}", self.network),
        }
    }
}

/// The key of the counter of all clients' failures for an account.
pub(crate) fn all_failures(account: &str) -> String {
    format!("account {account}")
}

/// The account key of a username, whether or not the user exists; `None` for an invalid username.
fn account_of(username: &str) -> Option<String> {
    Username::parse(username).ok().map(|name| name.key())
}

/// Decides whether a client may try a password now, and after which wait. Counts the attempt.
///
/// # Errors
/// [`Refusal::TooManyAttempts`], or a fault.
pub async fn admit_sign_in(
    house: &House,
    username: &str,
    client: Client,
) -> Result<Admission, CasinoError> {
    let account = account_of(username);
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            for (subject, allowance) in client.sign_ins() {
                consume(transaction, &subject, allowance, at)?;
            }
            let Some(account) = &account else {
                return Ok(Admission {
                    wait: Duration::ZERO,
                    has_failed: false,
                });
            };
            let own = transaction.lock_attempts(&client.failures(account), at)?;
            let blocked = own.until.saturating_since(at);
            if !blocked.is_zero() {
                return Err(Refusal::TooManyAttempts(blocked).into());
            }
            let wait = if client.device.is_some() {
                Duration::ZERO
            } else {
                let all = transaction.lock_attempts(&all_failures(account), at)?;
                attack_wait(all.count)
            };
            Ok::<_, CasinoError>(Admission {
                wait,
                has_failed: own.count > 0,
            })
        })
        .await
}

/// Records that a client's password or second factor was wrong.
///
/// # Errors
/// On a fault.
pub async fn note_failed_sign_in(
    house: &House,
    username: &str,
    client: Client,
) -> Result<(), CasinoError> {
    metrics::counter!("glasshouse_sign_ins_failed_total").increment(1);
    let Some(account) = account_of(username) else {
        return Ok(());
    };
    let at = house.now();
    let name = account.clone();
    let failures = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let subject = client.failures(&account);
            let mut own = transaction.lock_attempts(&subject, at)?;
            let all_subject = all_failures(&account);
            let mut all = transaction.lock_attempts(&all_subject, at)?;
            if all.count == 0 {
                all.until = at.saturating_add(ATTACK_PERIOD);
                all.expires_at = all.until;
            }
            all.count += 1;
            let is_attack = client.device.is_none() && all.count >= ATTACK_FAILURES;
            let free = if is_attack {
                FREE_FAILURES_UNDER_ATTACK
            } else {
                FREE_FAILURES
            };
            count_failure(&mut own, free, at);
            transaction.save_attempts(&subject, &own)?;
            transaction.save_attempts(&all_subject, &all)?;
            Ok(all.count)
        })
        .await?;
    if failures == ALERT_FAILURES {
        metrics::counter!("glasshouse_accounts_attacked_total").increment(1);
        tracing::warn!(
            account = name,
            failures,
            "many wrong passwords for one account within an hour"
        );
    }
    Ok(())
}

/// Records that a client's password was right, which resets its failures for the account.
///
/// # Errors
/// On a fault.
pub async fn note_sign_in(
    house: &House,
    username: &str,
    client: Client,
) -> Result<(), CasinoError> {
    let Some(account) = account_of(username) else {
        return Ok(());
    };
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let cleared = AttemptCounter {
                count: 0,
                until: at,
                expires_at: at,
            };
            Ok(transaction.save_attempts(&client.failures(&account), &cleared)?)
        })
        .await
}

/// Decides whether a client may create an account now. Counts the attempt.
///
/// # Errors
/// [`Refusal::TooManyAttempts`], or a fault.
pub async fn admit_registration(house: &House, client: Client) -> Result<(), CasinoError> {
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let allowances = client.networks("register", &REGISTRATIONS, &WIDE_REGISTRATIONS);
            for (subject, allowance) in allowances {
                consume(transaction, &subject, allowance, at)?;
            }
            Ok::<_, CasinoError>(())
        })
        .await
}

/// Removes expired counters, a bounded number per call, and returns how many were removed.
///
/// # Errors
/// On a fault.
pub async fn purge_attempts(house: &House) -> Result<usize, CasinoError> {
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            Ok(transaction.purge_attempts(at, PURGE_LIMIT)?)
        })
        .await
}

/// Counts a failure and sets the next wait, if there were more than those that are free.
pub(crate) fn count_failure(own: &mut AttemptCounter, free: i64, at: Timestamp) {
    own.count += 1;
    if let Ok(doublings) = u32::try_from(own.count - free) {
        let wait = FIRST_WAIT.saturating_mul(1 << doublings.min(10));
        own.until = at.saturating_add(wait.min(MAXIMUM_WAIT));
    }
    own.expires_at = own.until.max(at).saturating_add(FAILURE_WINDOW);
}

/// How long a client unknown to the account waits after this many failures of all clients.
fn attack_wait(failures: i64) -> Duration {
    let beyond = u32::try_from(failures - ATTACK_FAILURES + 1).unwrap_or(0);
    ATTACK_WAIT_STEP
        .saturating_mul(beyond)
        .min(MAXIMUM_ATTACK_WAIT)
}
