//! What the audit log records of the access to administrators' accounts: sign-ins, confirmations, and
//! the refused ones.

use std::time::Duration;

use glasshouse_domain::{AuditAction, SecurityEventKind, Timestamp, UserId, is_recorded_refusal};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::{AttemptCounter, RequestOrigin};
use glasshouse_persistence::audit::NewAuditRecord;

use crate::alerts::facts::Facts;
use crate::alerts::raise::raise;
use crate::error::CasinoError;

/// Refused attempts are counted for this long from the first one on.
const REFUSAL_PERIOD: Duration = Duration::from_hours(24);

/// A refused attempt: what was wrong, and what the audit log calls it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RefusedAttempt {
    pub(crate) kind: SecurityEventKind,
    pub(crate) action: AuditAction,
}

impl From<SecurityEventKind> for RefusedAttempt {
    fn from(kind: SecurityEventKind) -> Self {
        let action = kind.audited().unwrap_or(AuditAction::SignInRefused);
        Self { kind, action }
    }
}

/// Records an event that was not refused, if the user is an administrator and the audit log has such
/// events.
pub(crate) fn audit_event(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    kind: SecurityEventKind,
    origin: &RequestOrigin,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let action = kind.audited().filter(|_| !kind.is_failed_attempt());
    let Some(action) = action else {
        return Ok(());
    };
    if !is_administrator(transaction, user)? {
        return Ok(());
    }
    Ok(transaction.add_audit_record(&NewAuditRecord {
        actor: Some(user),
        new_value: origin.device.clone(),
        ..record(action, origin, at)
    })?)
}

/// Counts a refused attempt, if the user is an administrator, and records the first, the tenth, the
/// hundredth and so on within a day: nobody can fill the log by trying passwords.
pub(crate) fn audit_refusal(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    RefusedAttempt { kind, action }: RefusedAttempt,
    origin: &RequestOrigin,
    at: Timestamp,
) -> Result<(), CasinoError> {
    if !is_administrator(transaction, user)? {
        return Ok(());
    }
    let subject = format!("audited {} {user}", action.as_str());
    let counter = transaction.lock_attempts(&subject, at)?;
    let count = counter.count.saturating_add(1);
    let expires_at = if count == 1 {
        at.saturating_add(REFUSAL_PERIOD)
    } else {
        counter.expires_at
    };
    let counter = AttemptCounter {
        count,
        until: at,
        expires_at,
    };
    transaction.save_attempts(&subject, &counter)?;
    if action == AuditAction::SignInRefused && is_alerted(count) {
        let since = expires_at.saturating_sub(REFUSAL_PERIOD);
        let facts = Facts::AdministratorRefused {
            attempts: count,
            since_micros: since.as_micros(),
        };
        raise(transaction, &facts, Some(user), at)?;
    }
    if !is_recorded_refusal(count) {
        return Ok(());
    }
    // In a session it is known who tries; at a sign-in it may be anybody.
    let is_anybody = action == AuditAction::SignInRefused;
    Ok(transaction.add_audit_record(&NewAuditRecord {
        actor: (!is_anybody).then_some(user),
        target: is_anybody.then_some(user),
        new_value: Some(format!("{}; {count} within 24 hours", fault(kind))),
        ..record(action, origin, at)
    })?)
}

/// Whether the refused sign-in with this number is alerted to: the third, the tenth, the hundredth and so on.
/// Everybody mistypes a password once.
const fn is_alerted(count: i64) -> bool {
    count == 3 || (count > 3 && is_recorded_refusal(count))
}

fn is_administrator(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
) -> Result<bool, CasinoError> {
    let found = transaction.user(user)?;
    Ok(found.is_some_and(|found| found.role.is_administrator()))
}

const fn fault(kind: SecurityEventKind) -> &'static str {
    match kind {
        SecurityEventKind::PasskeyFailed => "wrong passkey",
        SecurityEventKind::SecondFactorFailed | SecurityEventKind::ConfirmationCodeFailed => {
            "wrong code"
        }
        _ => "wrong password",
    }
}

fn record(action: AuditAction, origin: &RequestOrigin, at: Timestamp) -> NewAuditRecord {
    NewAuditRecord {
        actor: None,
        action,
        target: None,
        subject: None,
        old_value: None,
        new_value: None,
        address: origin.address.clone(),
        idempotency_key: None,
        at,
    }
}
