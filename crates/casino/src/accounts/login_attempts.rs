//! How often a client may try passwords and make accounts, counted for all servers together.
//!
//! Nobody is locked out by others (`docs/adr/0013-nobody-is-locked-out-by-others.md`): a client is
//! refused for its own failures alone. What others do to an account costs those who are not known
//! there a wait of seconds, and a shorter leash.
//! A client is known to an account if it has signed in there before, which its device's cookie says.

use std::net::IpAddr;
use std::time::Duration;

use glasshouse_domain::{Timestamp, Username};
use glasshouse_persistence::accounts::AttemptCounter;
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// An allowance: so many at once, then one a period.
struct Allowance {
    burst: u32,
    period: Duration,
}

/// From one IPv4 address or IPv6 /64, or a device that has signed in to the account before.
const SIGN_INS: Allowance = Allowance {
    burst: 30,
    period: Duration::from_secs(2),
};
/// From one IPv6 /48.
const WIDE_SIGN_INS: Allowance = Allowance {
    burst: 120,
    period: Duration::from_millis(500),
};
/// From one IPv4 address or IPv6 /64.
const REGISTRATIONS: Allowance = Allowance {
    burst: 30,
    period: Duration::from_secs(5),
};
/// From one IPv6 /48.
const WIDE_REGISTRATIONS: Allowance = Allowance {
    burst: 120,
    period: Duration::from_millis(1_250),
};

/// Wrong passwords of one client for one account before they cost time.
const FREE_FAILURES: i64 = 5;
/// The same for a client that is not known to an account under attack.
const FREE_FAILURES_UNDER_ATTACK: i64 = 2;
/// The first wait after that; each further failure doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const MAXIMUM_WAIT: Duration = Duration::from_mins(15);
/// For so long after its last wait a client's failures are remembered.
const FAILURE_WINDOW: Duration = Duration::from_hours(1);

/// Over so long the failures of all clients for one account are added up.
const ATTACK_PERIOD: Duration = Duration::from_hours(1);
/// So many failures are an attack.
const ATTACK: i64 = 20;
/// What each failure beyond that adds to the wait of a client that is not known to the account.
const ATTACK_WAIT_STEP: Duration = Duration::from_millis(250);
/// The longest that such a client waits.
const MAXIMUM_ATTACK_WAIT: Duration = Duration::from_secs(5);
/// So many failures call for somebody to look.
const ALARM: i64 = 50;

/// How many expired counters are removed at once.
const PURGE_LIMIT: i64 = 10_000;

/// Who tries.
#[derive(Debug, Clone)]
pub struct Client {
    /// The IPv4 address or the IPv6 /64.
    pub network: IpAddr,
    /// The IPv6 /48.
    pub wide_network: Option<IpAddr>,
    /// The device or the session that has signed in to the account before; none if it is not known
    /// to have.
    pub device: Option<String>,
}

/// What an attempt may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admission {
    /// How long to wait before the password is looked at.
    pub wait: Duration,
    /// Whether the client has failed before: a success is to be noted then.
    pub has_failed: bool,
}

impl Client {
    /// The allowances that an attempt uses up, with what they are counted under.
    fn sign_ins(&self) -> Vec<(String, &'static Allowance)> {
        match &self.device {
            // Others on its network do not use up what a known device may do.
            Some(device) => vec![(format!("sign-in device {device}"), &SIGN_INS)],
            None => self.networks("sign-in", &SIGN_INS, &WIDE_SIGN_INS),
        }
    }

    fn networks(
        &self,
        what: &str,
        narrow: &'static Allowance,
        wide: &'static Allowance,
    ) -> Vec<(String, &'static Allowance)> {
        let mut all = vec![(format!("{what} {}", self.network), narrow)];
        all.extend(
            self.wide_network
                .map(|network| (format!("{what} wide {network}"), wide)),
        );
        all
    }

    /// What the client's failures for an account are counted under.
    fn failures(&self, account: &str) -> String {
        match &self.device {
            Some(device) => format!("failures {account} device {device}"),
            None => format!("failures {account} {}", self.network),
        }
    }
}

/// What the failures of all clients for an account are counted under.
fn all_failures(account: &str) -> String {
    format!("account {account}")
}

/// The account that a name means, be there one or not; none for what is no username.
fn account_of(username: &str) -> Option<String> {
    Username::parse(username).ok().map(|name| name.key())
}

/// Whether a client may try a password now, and after which wait. The attempt is counted.
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
                take(transaction, &subject, allowance, at)?;
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

/// Notes that a client's password was wrong.
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
            let is_attack = client.device.is_none() && all.count >= ATTACK;
            fail(&mut own, is_attack, at);
            transaction.save_attempts(&subject, &own)?;
            transaction.save_attempts(&all_subject, &all)?;
            Ok(all.count)
        })
        .await?;
    if failures == ALARM {
        metrics::counter!("glasshouse_accounts_attacked_total").increment(1);
        tracing::warn!(
            account = name,
            failures,
            "many wrong passwords for one account within an hour"
        );
    }
    Ok(())
}

/// Notes that a client's password was right: its failures for the account are forgotten.
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
            let nothing = AttemptCounter {
                count: 0,
                until: at,
                expires_at: at,
            };
            Ok(transaction.save_attempts(&client.failures(&account), &nothing)?)
        })
        .await
}

/// Whether a client may make an account now. The attempt is counted.
///
/// # Errors
/// [`Refusal::TooManyAttempts`], or a fault.
pub async fn admit_registration(house: &House, client: Client) -> Result<(), CasinoError> {
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let counted = client.networks("register", &REGISTRATIONS, &WIDE_REGISTRATIONS);
            for (subject, allowance) in counted {
                take(transaction, &subject, allowance, at)?;
            }
            Ok::<_, CasinoError>(())
        })
        .await
}

/// Removes counters that have expired, a bounded number at once, and says how many.
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

/// Takes one of an allowance. The counter's `until` is when all of it is there again, a period for
/// each one that was taken.
fn take(
    transaction: &mut Transaction<'_, '_>,
    subject: &str,
    allowance: &Allowance,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let mut counter = transaction.lock_attempts(subject, at)?;
    let whole_again = counter.until.max(at).saturating_add(allowance.period);
    let most = allowance.period.saturating_mul(allowance.burst);
    let wait = whole_again.saturating_since(at).saturating_sub(most);
    if !wait.is_zero() {
        return Err(Refusal::TooManyAttempts(wait).into());
    }
    counter.count += 1;
    counter.until = whole_again;
    counter.expires_at = whole_again;
    Ok(transaction.save_attempts(subject, &counter)?)
}

/// Counts a failure of one client.
fn fail(own: &mut AttemptCounter, is_attack: bool, at: Timestamp) {
    let free = if is_attack {
        FREE_FAILURES_UNDER_ATTACK
    } else {
        FREE_FAILURES
    };
    own.count += 1;
    if let Ok(doublings) = u32::try_from(own.count - free) {
        let wait = FIRST_WAIT.saturating_mul(1 << doublings.min(10));
        own.until = at.saturating_add(wait.min(MAXIMUM_WAIT));
    }
    own.expires_at = own.until.max(at).saturating_add(FAILURE_WINDOW);
}

/// What somebody who is not known to an account waits after so many failures of all clients.
fn attack_wait(failures: i64) -> Duration {
    let beyond = u32::try_from(failures - ATTACK + 1).unwrap_or(0);
    ATTACK_WAIT_STEP
        .saturating_mul(beyond)
        .min(MAXIMUM_ATTACK_WAIT)
}
