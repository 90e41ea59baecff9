//! The administrator who acts, and the audit record of the action.

use glasshouse_domain::{AuditAction, AuditSubject, Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::approval::Proposal;
use glasshouse_persistence::audit::{AuditRecord, NewAuditRecord};

use crate::administration::approval::outcome::Outcome;
use crate::error::{CasinoError, Refusal};
use crate::idempotency::IdempotencyKey;

/// The maximum length of a reason or note in characters.
const MAXIMUM_NOTE_CHARACTERS: usize = 500;

/// The administrator who makes a request, and where the request comes from.
#[derive(Debug, Clone)]
pub struct AdminContext {
    /// The administrator's user ID.
    pub administrator: UserId,
    /// The network address of the request.
    pub address: Option<String>,
    /// The idempotency key of the request.
    pub key: Option<IdempotencyKey>,
}

/// An administrator's action, as it will be recorded in the audit log.
pub(crate) struct AuditEvent {
    pub(crate) action: AuditAction,
    pub(crate) target: Option<UserId>,
    /// What the action is about, if not the user as such.
    pub(crate) subject: Option<AuditSubject>,
    pub(crate) old_value: Option<String>,
    pub(crate) new_value: Option<String>,
}

impl AuditEvent {
    /// Whether a record describes this event, whatever the old value was.
    fn is_in(&self, record: &AuditRecord) -> bool {
        record.action == self.action.as_str()
            && record.target_user_id == self.target.map(UserId::get)
            && record.subject == self.subject.as_ref().map(AuditSubject::to_string)
            && record.new_value == self.new_value
    }
}

impl AdminContext {
    /// Finds the audit record of an earlier request that this one repeats: same key, and same
    /// values except the old one. Locks the audit log, so that no concurrent request can use the
    /// key: concurrent requests with the same key for different players have no other lock in
    /// common.
    ///
    /// # Errors
    /// [`Refusal::IdempotencyConflict`] if the key was used for a different request, or a fault.
    pub(crate) fn find_replay(
        &self,
        transaction: &mut Transaction<'_, '_>,
        event: &AuditEvent,
    ) -> Result<Option<AuditRecord>, CasinoError> {
        match self.record_with_key(transaction)? {
            Some(record) if !event.is_in(&record) => Err(Refusal::IdempotencyConflict.into()),
            found => Ok(found),
        }
    }

    /// The same for a request that may have made a proposal instead; `is_same` says whether it is that of
    /// this request.
    ///
    /// # Errors
    /// As for [`Self::find_replay`].
    pub(crate) fn find_repeat(
        &self,
        transaction: &mut Transaction<'_, '_>,
        event: &AuditEvent,
        is_same: impl Fn(&Proposal) -> bool,
    ) -> Result<Option<Outcome<()>>, CasinoError> {
        let Some(record) = self.record_with_key(transaction)? else {
            return Ok(None);
        };
        if event.is_in(&record) {
            return Ok(Some(Outcome::Done(())));
        }
        let is_proposal = record.action == AuditAction::ProposalMade.as_str();
        if let Some(AuditSubject::Proposal(id)) = record.subject().filter(|_| is_proposal)
            && transaction.proposal(id)?.as_ref().is_some_and(is_same)
        {
            return Ok(Some(Outcome::Proposed(id)));
        }
        Err(Refusal::IdempotencyConflict.into())
    }

    /// The audit record that a request with the same key has added. Locks the audit log if there is a key.
    fn record_with_key(
        &self,
        transaction: &mut Transaction<'_, '_>,
    ) -> Result<Option<AuditRecord>, CasinoError> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        transaction.lock_audit_log()?;
        Ok(transaction.audit_record_by_key(self.administrator, key.as_str())?)
    }

    /// Records an event. Call [`Self::find_replay`] first to make sure that it is new.
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

/// Normalizes a reason or note: replaces control characters by spaces and trims it. Returns `None`
/// if nothing is left.
pub(crate) fn note(text: &str) -> Result<Option<String>, Refusal> {
    if text.chars().count() > MAXIMUM_NOTE_CHARACTERS {
        return Err(Refusal::NoteTooLong);
    }
    let plain = text.replace(char::is_control, " ");
    let trimmed = plain.trim();
    Ok((!trimmed.is_empty()).then(|| trimmed.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_trimmed_and_limited_to_500_characters() {
        assert_eq!(note("  \n\t\u{0} "), Ok(None));
        assert_eq!(note(" a\u{0}b\nc "), Ok(Some("a b c".to_owned())));
        assert!(note(&"ü".repeat(500)).is_ok());
        assert_eq!(note(&"ü".repeat(501)), Err(Refusal::NoteTooLong));
    }
}
