//! Proposes and sets the approval thresholds.

use glasshouse_domain::{
    ApprovalThresholds, AuditAction, AuditSubject, ProposedAct, SecondPersonCause, Timestamp,
};
use glasshouse_persistence::approval::{Proposal, ProposalEntry};
use glasshouse_persistence::audit::NewAuditRecord;
use glasshouse_persistence::{Scope, Transaction};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::approval::outcome::Outcome;
use crate::administration::approval::overview::find_proposal;
use crate::administration::approval::propose::{Intention, propose};
use crate::administration::operator::operator_record;
use crate::error::{ApprovalRefusal, CasinoError, Refusal};
use crate::house::House;

/// Proposes new thresholds, which always needs a second person.
///
/// # Errors
/// [`ApprovalRefusal::Thresholds`], [`ApprovalRefusal::ReasonRequired`],
/// [`ApprovalRefusal::NoSecondPerson`], [`ApprovalRefusal::AlreadyProposed`],
/// [`Refusal::IdempotencyConflict`], or a fault.
pub async fn propose_thresholds(
    house: &House,
    context: AdminContext,
    thresholds: ApprovalThresholds,
    reason: &str,
) -> Result<ProposalEntry, CasinoError> {
    let thresholds = thresholds.validated().map_err(ApprovalRefusal::from)?;
    let reason = note(reason)?.ok_or(ApprovalRefusal::ReasonRequired)?;
    let at = house.now();
    let id = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            transaction.lock_audit_log()?;
            let act = ProposedAct::ChangeThresholds(thresholds);
            let is_same =
                |proposal: &Proposal| proposal.act == act && proposal.is_for(None, Some(&reason));
            let event = thresholds_event(None, &thresholds, Some(reason.clone()));
            match context.find_repeat(transaction, &event, is_same)? {
                Some(Outcome::Proposed(id)) => return Ok(id),
                // Thresholds are never set by a request of one person.
                Some(Outcome::Done(())) => return Err(Refusal::IdempotencyConflict.into()),
                None => {}
            }
            let intention = Intention {
                act: act.clone(),
                user: None,
                reason: Some(reason.clone()),
                cause: SecondPersonCause::Thresholds,
            };
            propose(transaction, &context, intention, at)
        })
        .await?;
    find_proposal(house, id).await
}

/// Sets the thresholds on behalf of the operator, whose machine holds the database anyway. Returns those in
/// force now.
///
/// # Errors
/// [`ApprovalRefusal::Thresholds`], or a fault.
pub async fn set_thresholds(
    house: &House,
    change: impl Fn(ApprovalThresholds) -> ApprovalThresholds + Send + 'static,
) -> Result<ApprovalThresholds, CasinoError> {
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            transaction.lock_audit_log()?;
            let present = transaction.approval_thresholds()?.thresholds;
            let new = change(present).validated().map_err(ApprovalRefusal::from)?;
            if new != present {
                store_thresholds(transaction, None, &new, None, at)?;
            }
            Ok(new)
        })
        .await
}

/// Sets and records new thresholds; without a context on behalf of the operator.
pub(crate) fn store_thresholds(
    transaction: &mut Transaction<'_, '_>,
    context: Option<&AdminContext>,
    new: &ApprovalThresholds,
    reason: Option<String>,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let old = transaction.approval_thresholds()?.thresholds;
    let event = thresholds_event(Some(&old), new, reason);
    match context {
        Some(context) => context.record(transaction, event, at)?,
        None => transaction.add_audit_record(&NewAuditRecord {
            old_value: event.old_value,
            new_value: event.new_value,
            ..operator_record(event.action, None, at)
        })?,
    }
    Ok(transaction.add_approval_thresholds(new, at)?)
}

fn thresholds_event(
    old: Option<&ApprovalThresholds>,
    new: &ApprovalThresholds,
    reason: Option<String>,
) -> AuditEvent {
    AuditEvent {
        action: AuditAction::ThresholdsChanged,
        target: None,
        subject: reason.map(AuditSubject::Reason),
        old_value: old.map(ApprovalThresholds::to_string),
        new_value: Some(new.to_string()),
    }
}
