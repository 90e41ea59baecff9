//! Makes a proposal, if there is a second person who could approve it.

use glasshouse_domain::{
    AuditAction, AuditSubject, ProposalId, ProposedAct, SecondPersonCause, Timestamp, UserId,
};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::approval::NewProposal;

use crate::administration::actor::{AdminContext, AuditEvent};
use crate::error::{ApprovalRefusal, CasinoError, cause_text};

/// What somebody wants to do and needs a second person for.
pub(crate) struct Intention {
    pub(crate) act: ProposedAct,
    /// The user whom it concerns; `None` if it concerns the house.
    pub(crate) user: Option<UserId>,
    pub(crate) reason: Option<String>,
    pub(crate) cause: SecondPersonCause,
}

/// Makes a proposal. The audit log must be locked, so that the same is not proposed twice.
///
/// # Errors
/// [`ApprovalRefusal::NoSecondPerson`], [`ApprovalRefusal::AlreadyProposed`], or a fault.
pub(crate) fn propose(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    intention: Intention,
    at: Timestamp,
) -> Result<ProposalId, CasinoError> {
    let Intention {
        act,
        user,
        reason,
        cause,
    } = intention;
    let proposed_by = context.administrator;
    let permission = act.kind().permission();
    let administrators = transaction.administrators()?;
    let is_second = |id: UserId| id != proposed_by && Some(id) != user;
    let has_second = administrators
        .iter()
        .any(|(id, role)| is_second(*id) && role.may_approve(permission));
    if !has_second {
        return Err(ApprovalRefusal::NoSecondPerson.into());
    }
    if transaction.is_proposed(&act, user, at)? {
        return Err(ApprovalRefusal::AlreadyProposed.into());
    }
    let new_value = act.recorded(reason.as_deref());
    let id = transaction.add_proposal(&NewProposal {
        act,
        user,
        reason,
        cause: cause_text(cause),
        proposed_by,
        at,
    })?;
    let event = AuditEvent {
        action: AuditAction::ProposalMade,
        target: user,
        subject: Some(AuditSubject::Proposal(id)),
        old_value: None,
        new_value: Some(new_value),
    };
    context.record(transaction, event, at)?;
    Ok(id)
}
