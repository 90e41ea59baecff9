//! The administrator who acts, and the audit record of the action.

use glasshouse_domain::{AuditAction, AuditSubject, ProposalId, Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::approval::Proposal;
use glasshouse_persistence::audit::{AuditRecord, NewAuditRecord};

use crate::error::{CasinoError, Refusal};
use crate::idempotency::IdempotencyKey;

/// The maximum length of a reason or note in characters.
const MAXIMUM_NOTE_CHARACTERS: usize = 500;

const PROPOSAL_MADE: AuditAction = AuditAction::ProposalMade;

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

/// What an earlier request with the same key and values came to.
pub(crate) enum Repeated {
    /// It was done.
    Done,
    /// It was proposed to a second person.
    Proposed(ProposalId),
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
        let Some(key) = &self.key else {
            return Ok(None);
        };
        transaction.lock_audit_log()?;
        let found = transaction.audit_record_by_key(self.administrator, key.as_str())?;
        let is_same = |record: &AuditRecord| {
            record.action == event.action.as_str()
                && record.target_user_id == event.target.map(UserId::get)
                && record.subject == event.subject.as_ref().map(AuditSubject::to_string)
                && record.new_value == event.new_value
        };
        match found {
            Some(record) if !is_same(&record) => Err(Refusal::IdempotencyConflict.into()),
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
    ) -> Result<Option<Repeated>, CasinoError> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        transaction.lock_audit_log()?;
        let found = transaction.audit_record_by_key(self.administrator, key.as_str())?;
        let Some(record) = found.filter(|found| found.action == PROPOSAL_MADE.as_str()) else {
            let replay = self.find_replay(transaction, event)?;
            return Ok(replay.map(|_| Repeated::Done));
        };
        let Some(AuditSubject::Proposal(id)) = record.subject() else {
            return Err(Refusal::IdempotencyConflict.into());
        };
        match transaction.proposal(id)? {
            Some(proposal) if is_same(&proposal) => Ok(Some(Repeated::Proposed(id))),
            _ => Err(Refusal::IdempotencyConflict.into()),
        }
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
