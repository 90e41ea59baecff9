//! Who acts for the house, and the record that is made of it.

use glasshouse_domain::{AuditAction, Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::audit::{AuditRecord, NewAuditRecord};

use crate::error::{CasinoError, Refusal};
use crate::idempotency::IdempotencyKey;

/// The longest reason or note that is kept.
const MAXIMUM_NOTE: usize = 500;

/// An administrator who does something, and from where.
#[derive(Debug, Clone)]
pub struct AdminContext {
    /// Who.
    pub administrator: UserId,
    /// The network address that the request came from.
    pub address: Option<String>,
    /// For repeating the call.
    pub key: Option<IdempotencyKey>,
}

/// What was done to whom.
pub(crate) struct AuditEvent {
    pub(crate) action: AuditAction,
    pub(crate) target: Option<UserId>,
    /// What it was about, where it was not the user as such.
    pub(crate) subject: Option<String>,
    pub(crate) old_value: Option<String>,
    pub(crate) new_value: Option<String>,
}

impl AdminContext {
    /// The record of an event that this call repeats: by its key, and the same in all but what was
    /// there before. From here on nobody else takes the key: calls at once with one key, to
    /// different players, have locked nothing else in common.
    ///
    /// # Errors
    /// [`Refusal::IdempotencyConflict`] if the key has answered another call, or a fault.
    pub(crate) fn find_replay(
        &self,
        transaction: &mut Transaction<'_, '_>,
        event: &AuditEvent,
    ) -> Result<Option<AuditRecord>, CasinoError> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        transaction.lock_audit_log()?;
        let found = transaction.audit_record_by_key(self.administrator, key.as_str())?;
        let is_same = |record: &AuditRecord| {
            record.action == event.action.as_str()
                && record.target_user_id == event.target.map(UserId::get)
                && record.subject == event.subject
                && record.new_value == event.new_value
        };
        match found {
            Some(record) if !is_same(&record) => Err(Refusal::IdempotencyConflict.into()),
            found => Ok(found),
        }
    }

    /// Writes down what was done, once [`Self::find_replay`] has said that it is new.
    pub(crate) fn record(
        &self,
        transaction: &mut Transaction<'_, '_>,
        event: AuditEvent,
        at: Timestamp,
    ) -> Result<(), CasinoError> {
        Ok(transaction.add_audit_record(&NewAuditRecord {
            actor: Some(self.administrator),
            action: event.action,
            target: event.target,
            subject: event.subject,
            old_value: event.old_value,
            new_value: event.new_value,
            address: self.address.clone(),
            idempotency_key: self.key.clone().map(IdempotencyKey::into_text),
            at,
        })?)
    }
}

/// A reason or a note as it is kept: trimmed, of a bounded length, without control characters.
/// None if nothing is left.
pub(crate) fn note(text: &str) -> Result<Option<String>, Refusal> {
    if text.chars().count() > MAXIMUM_NOTE {
        return Err(Refusal::NoteTooLong);
    }
    let plain = text.replace(char::is_control, " ");
    let kept = plain.trim();
    Ok((!kept.is_empty()).then(|| kept.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_kept_readable() {
        assert_eq!(note("  \n\t\u{0} "), Ok(None));
        assert_eq!(note(" a\u{0}b\nc "), Ok(Some("a b c".to_owned())));
        assert!(note(&"ü".repeat(500)).is_ok());
        assert_eq!(note(&"ü".repeat(501)), Err(Refusal::NoteTooLong));
    }
}
