//! Changes the role of a user, from the panel.

use glasshouse_domain::{AuditSubject, ProposedAct, Role, SecondPersonCause, Timestamp, UserId};
use glasshouse_persistence::admin::UserEntry;
use glasshouse_persistence::approval::Proposal;
use glasshouse_persistence::{Scope, Transaction};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::administrators::{role_action, store_role};
use crate::administration::approval::outcome::Outcome;
use crate::administration::approval::propose::{Intention, propose};
use crate::administration::lists::read_user;
use crate::error::{AccountRefusal, ApprovalRefusal, CasinoError, ClosureRefusal, Refusal};
use crate::house::House;

/// A request to change a role.
#[derive(Debug, Clone)]
pub struct RoleChange {
    /// The user.
    pub user: UserId,
    /// The new role.
    pub role: Role,
    /// Why.
    pub reason: String,
}

/// Changes the role of a user. A role that permits nothing more than the present one is given at once; any
/// other is proposed, because giving permissions needs two people.
///
/// # Errors
/// [`ApprovalRefusal::ReasonRequired`], [`ApprovalRefusal::OwnAccount`],
/// [`ApprovalRefusal::RoleUnchanged`], [`ApprovalRefusal::NoSecondPerson`],
/// [`ApprovalRefusal::AlreadyProposed`], [`ClosureRefusal::LastOwner`], [`AccountRefusal::Closed`],
/// [`Refusal::IdempotencyConflict`], [`Refusal::NotFound`], or a fault.
pub async fn change_role(
    house: &House,
    context: AdminContext,
    change: RoleChange,
) -> Result<Outcome<UserEntry>, CasinoError> {
    let reason = note(&change.reason)?.ok_or(ApprovalRefusal::ReasonRequired)?;
    let RoleChange { user, role, .. } = change;
    let at = house.now();
    let outcome = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            change_or_propose(transaction, &context, (user, role), &reason, at)
        })
        .await?;
    match outcome {
        Outcome::Done(()) => Ok(Outcome::Done(read_user(house, user).await?)),
        Outcome::Proposed(id) => Ok(Outcome::Proposed(id)),
    }
}

fn change_or_propose(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    (user, role): (UserId, Role),
    reason: &str,
    at: Timestamp,
) -> Result<Outcome<()>, CasinoError> {
    transaction.lock_audit_log()?;
    let old = transaction.lock_user(user)?.ok_or(Refusal::NotFound)?.role;
    let reason = Some(reason.to_owned());
    let is_same = |proposal: &Proposal| {
        matches!(proposal.act, ProposedAct::ChangeRole { to, .. } if to == role)
            && proposal.is_for(Some(user), reason.as_deref())
    };
    let event = role_event(user, (old, role), reason.clone());
    if let Some(earlier) = context.find_repeat(transaction, &event, is_same)? {
        return Ok(earlier);
    }
    if role == old {
        return Err(ApprovalRefusal::RoleUnchanged.into());
    }
    if !role.permits_more_than(old) {
        change_to(transaction, context, user, (old, role, reason), at)?;
        return Ok(Outcome::Done(()));
    }
    if user == context.administrator {
        return Err(ApprovalRefusal::OwnAccount.into());
    }
    let intention = Intention {
        act: ProposedAct::ChangeRole {
            from: old,
            to: role,
        },
        user: Some(user),
        reason,
        cause: SecondPersonCause::Role,
    };
    propose(transaction, context, intention, at).map(Outcome::Proposed)
}

/// Gives a user another role and records it.
///
/// # Errors
/// [`ApprovalRefusal::RoleChanged`] if the present role is another one, [`AccountRefusal::Closed`],
/// [`ClosureRefusal::LastOwner`], or a fault.
pub(crate) fn change_to(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    id: UserId,
    (from, to, reason): (Role, Role, Option<String>),
    at: Timestamp,
) -> Result<(), CasinoError> {
    let user = transaction.lock_user(id)?.ok_or(Refusal::NotFound)?;
    if user.role != from {
        return Err(ApprovalRefusal::RoleChanged.into());
    }
    if user.closed_at.is_some() {
        return Err(AccountRefusal::Closed.into());
    }
    if from == Role::Owner && !transaction.has_other_owner(id)? {
        return Err(ClosureRefusal::LastOwner.into());
    }
    store_role(transaction, &user, to)?;
    context.record(transaction, role_event(id, (from, to), reason), at)
}

fn role_event(user: UserId, (from, to): (Role, Role), reason: Option<String>) -> AuditEvent {
    AuditEvent {
        action: role_action(to),
        target: Some(user),
        subject: reason.map(AuditSubject::Reason),
        old_value: Some(from.as_str().to_owned()),
        new_value: Some(to.as_str().to_owned()),
    }
}
