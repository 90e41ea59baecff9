//! Allowances that are counted in the database, over all servers.

use std::time::Duration;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::Transaction;

use crate::error::{CasinoError, Refusal};

/// An allowance: a burst of attempts, then one attempt per period.
pub(crate) struct Allowance {
    pub(crate) burst: u32,
    pub(crate) period: Duration,
}

/// Uses up one attempt of an allowance. The counter's `until` is the time when the allowance is
/// full again, one period per attempt used.
pub(crate) fn consume(
    transaction: &mut Transaction<'_, '_>,
    subject: &str,
    allowance: &Allowance,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let mut counter = transaction.lock_attempts(subject, at)?;
    let full_again = counter.until.max(at).saturating_add(allowance.period);
    let capacity = allowance.period.saturating_mul(allowance.burst);
    let wait = full_again.saturating_since(at).saturating_sub(capacity);
    if !wait.is_zero() {
        return Err(Refusal::TooManyAttempts(wait).into());
    }
    counter.count += 1;
    counter.until = full_again;
    counter.expires_at = full_again;
    Ok(transaction.save_attempts(subject, &counter)?)
}
