//! Limits wrong codes per account, over all servers and clients.
//!
//! Only somebody who knows the password, or has a session, can enter a code at all. A stranger cannot,
//! so that a limit for the whole account locks nobody out because of strangers. Devices that have signed
//! in to the account before, and its sessions, are limited by their own failures only, like their
//! passwords.

use glasshouse_domain::{Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::AttemptCounter;

use crate::accounts::login_attempts::count_failure;
use crate::error::{CasinoError, Refusal};

/// How many wrong codes unknown devices may enter for an account before they must wait.
const FREE_FAILURES: i64 = 10;

/// The key of the counter of an account's wrong codes.
pub(crate) fn wrong_codes(user: UserId) -> String {
    format!("second factor {user}")
}

/// The counter of an account's wrong codes, locked until the commit.
pub(crate) struct CodeFailures {
    subject: String,
    counter: AttemptCounter,
}

impl CodeFailures {
    /// Locks the counter.
    ///
    /// # Errors
    /// [`Refusal::TooManyAttempts`] if unknown devices must wait, or a fault.
    pub(crate) fn lock(
        transaction: &mut Transaction<'_, '_>,
        user: UserId,
        at: Timestamp,
    ) -> Result<Self, CasinoError> {
        let subject = wrong_codes(user);
        let counter = transaction.lock_attempts(&subject, at)?;
        let wait = counter.until.saturating_since(at);
        if !wait.is_zero() {
            return Err(Refusal::TooManyAttempts(wait).into());
        }
        Ok(Self { subject, counter })
    }

    /// Stores the outcome of an attempt.
    ///
    /// # Errors
    /// On a fault.
    pub(crate) fn note(
        mut self,
        transaction: &mut Transaction<'_, '_>,
        is_right: bool,
        at: Timestamp,
    ) -> Result<(), CasinoError> {
        if is_right {
            self.counter = AttemptCounter {
                count: 0,
                until: at,
                expires_at: at,
            };
        } else {
            count_failure(&mut self.counter, FREE_FAILURES, at);
        }
        Ok(transaction.save_attempts(&self.subject, &self.counter)?)
    }
}
