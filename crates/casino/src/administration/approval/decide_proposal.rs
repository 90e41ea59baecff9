//! Approves, refuses and withdraws proposals, each once.

use glasshouse_domain::{
    AuditAction, AuditSubject, PaymentReference, ProposalId, ProposalState, ProposedAct, Timestamp,
    UserId,
};
use glasshouse_persistence::approval::{Proposal, ProposalDecision, ProposalEntry};
use glasshouse_persistence::{Scope, Transaction};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::adjust_balance::adjust_by;
use crate::administration::approval::authority::Authority;
use crate::administration::approval::change_role::change_to;
use crate::administration::approval::overview::find_proposal;
use crate::administration::approval::thresholds::store_thresholds;
use crate::administration::confirm_payment::{
    Confirmation, confirm_in_transaction, refresh_from_provider,
};
use crate::administration::decide_withdrawal::approve_in_transaction;
use crate::administration::payment_id::IdKind;
use crate::error::{ApprovalRefusal, CasinoError, Refusal};
use crate::house::House;
use crate::money::cashier::Cashier;

/// Approves a proposal and carries it out in the same transaction, by the same rules as if one person did it
/// now. If these refuse it, the proposal stays open.
///
/// # Errors
/// [`Refusal::NotFound`], [`ApprovalRefusal::OwnProposal`], [`ApprovalRefusal::OwnAccount`],
/// [`ApprovalRefusal::NotPermitted`], [`ApprovalRefusal::ProposerNotPermitted`],
/// [`ApprovalRefusal::Decided`], [`ApprovalRefusal::Expired`], a refusal of the act,
/// [`Refusal::IdempotencyConflict`], or a fault.
pub async fn approve_proposal(
    cashier: &Cashier,
    context: AdminContext,
    id: ProposalId,
) -> Result<ProposalEntry, CasinoError> {
    let house = &cashier.house;
    let proposal = find_proposal(house, id).await?.proposal;
    if let Some(confirmation) = confirmation_of(&proposal) {
        refresh_from_provider(cashier, &confirmation).await;
    }
    let scope = match (&proposal.act, proposal.user) {
        (ProposedAct::ChangeRole { .. } | ProposedAct::ChangeThresholds(_), _) | (_, None) => {
            Scope::nobody()
        }
        (_, Some(player)) => Scope::player(player),
    };
    let at = house.now();
    let cashier_of_job = cashier.clone();
    house
        .database
        .write::<_, CasinoError, _>(scope, move |transaction| {
            let decision = Decision {
                state: ProposalState::Approved,
                action: AuditAction::ProposalApproved,
                reason: None,
            };
            let Some(proposal) = begin(transaction, &context, id, &decision, at)? else {
                return Ok(());
            };
            // The act's record has no key, because the key belongs to the decision.
            let keyless = AdminContext {
                key: None,
                ..context.clone()
            };
            carry_out(transaction, &cashier_of_job, &keyless, &proposal, at)?;
            finish(transaction, &context, &proposal, &decision, at)
        })
        .await?;
    find_proposal(house, id).await
}

/// Refuses a proposal for a reason.
///
/// # Errors
/// [`ApprovalRefusal::ReasonRequired`], and as for an approval.
pub async fn refuse_proposal(
    house: &House,
    context: AdminContext,
    id: ProposalId,
    reason: &str,
) -> Result<ProposalEntry, CasinoError> {
    let reason = note(reason)?.ok_or(ApprovalRefusal::ReasonRequired)?;
    let decision = Decision {
        state: ProposalState::Refused,
        action: AuditAction::ProposalRefused,
        reason: Some(reason),
    };
    decide(house, context, id, decision).await
}

/// Withdraws one's own proposal.
///
/// # Errors
/// [`ApprovalRefusal::OthersProposal`], and as for an approval.
pub async fn withdraw_proposal(
    house: &House,
    context: AdminContext,
    id: ProposalId,
) -> Result<ProposalEntry, CasinoError> {
    let decision = Decision {
        state: ProposalState::Withdrawn,
        action: AuditAction::ProposalWithdrawn,
        reason: None,
    };
    decide(house, context, id, decision).await
}

struct Decision {
    state: ProposalState,
    action: AuditAction,
    reason: Option<String>,
}

impl Decision {
    fn event(&self, proposal: &Proposal) -> AuditEvent {
        AuditEvent {
            action: self.action,
            target: proposal.user,
            subject: Some(AuditSubject::Proposal(proposal.id)),
            old_value: None,
            new_value: Some(proposal.act.recorded(self.reason.as_deref())),
        }
    }
}

async fn decide(
    house: &House,
    context: AdminContext,
    id: ProposalId,
    decision: Decision,
) -> Result<ProposalEntry, CasinoError> {
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            match begin(transaction, &context, id, &decision, at)? {
                Some(proposal) => finish(transaction, &context, &proposal, &decision, at),
                None => Ok(()),
            }
        })
        .await?;
    find_proposal(house, id).await
}

/// Locks a proposal and judges whether it can be decided so. Returns `None` if this request repeats an
/// earlier one.
fn begin(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    id: ProposalId,
    decision: &Decision,
    at: Timestamp,
) -> Result<Option<Proposal>, CasinoError> {
    transaction.lock_audit_log()?;
    let proposal = transaction.lock_proposal(id)?.ok_or(Refusal::NotFound)?;
    let event = decision.event(&proposal);
    if context.find_replay(transaction, &event)?.is_some() {
        return Ok(None);
    }
    judge_persons(transaction, context, &proposal, decision.state)?;
    match proposal.stored_state.at(at, proposal.expires_at) {
        ProposalState::Open => Ok(Some(proposal)),
        ProposalState::Expired => Err(ApprovalRefusal::Expired.into()),
        state => Err(ApprovalRefusal::Decided(state).into()),
    }
}

fn judge_persons(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    proposal: &Proposal,
    state: ProposalState,
) -> Result<(), CasinoError> {
    let decider = context.administrator;
    let is_own = decider == proposal.proposed_by;
    if state == ProposalState::Withdrawn {
        return if is_own {
            Ok(())
        } else {
            Err(ApprovalRefusal::OthersProposal.into())
        };
    }
    if is_own {
        return Err(ApprovalRefusal::OwnProposal.into());
    }
    if proposal.user == Some(decider) {
        return Err(ApprovalRefusal::OwnAccount.into());
    }
    // Whoever changes a role or bans somebody waits for the lock of the audit log, which this transaction
    // holds.
    let administrators = transaction.administrators()?;
    let permission = proposal.act.kind().permission();
    let may = |person: UserId| {
        let found = administrators.iter().find(|(id, _)| *id == person);
        found.is_some_and(|(_, role)| role.may(permission))
    };
    if !may(decider) {
        return Err(ApprovalRefusal::NotPermitted.into());
    }
    if state == ProposalState::Approved && !may(proposal.proposed_by) {
        return Err(ApprovalRefusal::ProposerNotPermitted.into());
    }
    Ok(())
}

fn carry_out(
    transaction: &mut Transaction<'_, '_>,
    cashier: &Cashier,
    context: &AdminContext,
    proposal: &Proposal,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let authority = Authority::Approved(proposal.id);
    let who = (context, authority);
    match (&proposal.act, proposal.user) {
        (ProposedAct::AdjustBalance { .. }, Some(player)) => {
            adjust_by(transaction, who, player, proposal, at)
        }
        (ProposedAct::ConfirmPayment { .. }, Some(_)) => {
            let request = confirmation_of(proposal)
                .ok_or_else(|| CasinoError::corrupt(format!("proposal {}", proposal.id)))?;
            confirm_in_transaction(transaction, cashier, who, &request, at).map(drop)
        }
        (ProposedAct::ApproveWithdrawal { id, .. }, Some(player)) => {
            let method = cashier.house.payout_method;
            approve_in_transaction(transaction, who, (*id, player, method), at).map(drop)
        }
        (ProposedAct::ChangeRole { from, to }, Some(user)) => {
            let reason = proposal.reason.clone();
            change_to(transaction, context, user, (*from, *to, reason), at)
        }
        (ProposedAct::ChangeThresholds(thresholds), None) => {
            let reason = proposal.reason.clone();
            store_thresholds(transaction, Some(context), thresholds, reason, at)
        }
        _ => Err(CasinoError::corrupt(format!(
            "proposal {} concerns nobody, or somebody",
            proposal.id
        ))),
    }
}

/// The request that a proposal to confirm a payment stands for.
fn confirmation_of(proposal: &Proposal) -> Option<Confirmation> {
    let ProposedAct::ConfirmPayment {
        payment,
        amount,
        currency,
    } = &proposal.act
    else {
        return None;
    };
    let (id, kind) = match payment {
        PaymentReference::Payment(id) => (id, IdKind::Payment),
        PaymentReference::Invoice(id) => (id, IdKind::Invoice),
    };
    Some(Confirmation {
        id: id.clone(),
        id_kind: Some(kind),
        player: proposal.user?,
        amount: *amount,
        currency: currency.clone(),
        reason: proposal.reason.clone().unwrap_or_default(),
        may_propose: false,
    })
}

fn finish(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    proposal: &Proposal,
    decision: &Decision,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let decided = ProposalDecision {
        state: decision.state,
        by: context.administrator,
        reason: decision.reason.as_deref(),
        at,
    };
    transaction.decide_proposal(proposal.id, decided)?;
    context.record(transaction, decision.event(proposal), at)
}
