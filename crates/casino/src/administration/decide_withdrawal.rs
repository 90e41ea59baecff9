//! Approves or rejects a withdrawal, once.

use glasshouse_domain::{
    AuditAction, MoneyActKind, PayoutMethod, ProposedAct, Timestamp, UserId, WithdrawalId,
    WithdrawalStatus,
};
use glasshouse_persistence::accounts::RequestOrigin;
use glasshouse_persistence::admin::WithdrawalEntry;
use glasshouse_persistence::money::Withdrawal;
use glasshouse_persistence::{Scope, Transaction, queries};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::approval::authority::{Authority, JudgedAct};
use crate::administration::approval::outcome::Outcome;
use crate::administration::lists::read_entry;
use crate::error::{CasinoError, PayoutRefusal, Refusal};
use crate::house::House;
use crate::mail::message::Occasion;
use crate::mail::notices::notify;
use crate::money::payouts::claim::{claim_payout, require_payable};
use crate::money::withdrawals::{facts_of, return_amount};

/// A decision on a withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The withdrawal will be sent.
    Approve {
        /// Whether the approval may be proposed if it needs a second person.
        may_propose: bool,
    },
    /// The withdrawal is refused for the given reason, and its amount is returned to the player.
    Reject(String),
}

/// Decides on a withdrawal. The first decision is final; a later one is refused as a conflict. A delayed
/// withdrawal can be rejected at any time, but not approved before its delay ends. An approval that needs a
/// second person is proposed if that is allowed.
///
/// # Errors
/// [`Refusal::RejectionReasonRequired`], [`PayoutRefusal::OwnWithdrawal`], [`Refusal::AlreadyDecided`],
/// [`Refusal::WithdrawalDelayed`], [`PayoutRefusal::OpenReview`],
/// [`crate::ApprovalRefusal::SecondPersonRequired`] or the refusals of a proposal, [`Refusal::IdempotencyConflict`], [`Refusal::NotFound`], or a fault.
pub async fn decide_withdrawal(
    house: &House,
    context: AdminContext,
    id: WithdrawalId,
    decision: Decision,
) -> Result<Outcome<WithdrawalEntry>, CasinoError> {
    let decision = match decision {
        Decision::Reject(reason) => {
            Decision::Reject(note(&reason)?.ok_or(Refusal::RejectionReasonRequired)?)
        }
        approval @ Decision::Approve { .. } => approval,
    };
    let player = find_withdrawal(house, id).await?.withdrawal.player;
    if player == context.administrator {
        return Err(PayoutRefusal::OwnWithdrawal.into());
    }
    let at = house.now();
    let method = house.payout_method;
    let outcome = house
        .database
        .write::<_, CasinoError, _>(Scope::player(player), move |transaction| {
            let withdrawal = (id, player, method);
            match &decision {
                Decision::Approve { may_propose } => {
                    let authority = Authority::Alone {
                        may_propose: *may_propose,
                    };
                    approve_in_transaction(transaction, (&context, authority), withdrawal, at)
                }
                Decision::Reject(reason) => {
                    reject_in_transaction(transaction, &context, (id, player), reason, at)
                        .map(Outcome::Done)
                }
            }
        })
        .await?;
    match outcome {
        Outcome::Done(()) => Ok(Outcome::Done(find_withdrawal(house, id).await?)),
        Outcome::Proposed(id) => Ok(Outcome::Proposed(id)),
    }
}

/// Approves a withdrawal and takes up its payment, or proposes to.
pub(crate) fn approve_in_transaction(
    transaction: &mut Transaction<'_, '_>,
    (context, authority): (&AdminContext, Authority),
    (id, player, method): (WithdrawalId, UserId, PayoutMethod),
    at: Timestamp,
) -> Result<Outcome<()>, CasinoError> {
    transaction.account(player)?;
    let withdrawal = transaction.lock_withdrawal(id)?.ok_or(Refusal::NotFound)?;
    let event = decision_event(&withdrawal, WithdrawalStatus::Approved, None);
    let act = JudgedAct {
        kind: MoneyActKind::Withdrawal,
        player,
        amount: withdrawal.amount,
        exceeds_payment: false,
        proposed: ProposedAct::ApproveWithdrawal {
            id,
            amount: withdrawal.amount,
        },
        reason: None,
    };
    if let Some(earlier) = context.find_repeat(transaction, &event, |made| act.is_same(made))? {
        return Ok(earlier);
    }
    require_pending(&withdrawal)?;
    require_payable(transaction, &withdrawal, at)?;
    if let Some(id) = act.authorise(transaction, context, authority, at)? {
        return Ok(Outcome::Proposed(id));
    }
    let status = WithdrawalStatus::Approved;
    let administrator = Some(context.administrator);
    transaction.decide_withdrawal(id, status, None, administrator, at)?;
    claim_payout(transaction, id, method, at)?;
    act.record(transaction, (context, authority), event, at)?;
    Ok(Outcome::Done(()))
}

/// Rejects a withdrawal and returns its amount to the balance.
fn reject_in_transaction(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    (id, player): (WithdrawalId, UserId),
    reason: &str,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let account = transaction.account(player)?;
    let withdrawal = transaction.lock_withdrawal(id)?.ok_or(Refusal::NotFound)?;
    let status = WithdrawalStatus::Rejected;
    let event = decision_event(&withdrawal, status, Some(reason));
    if context.find_replay(transaction, &event)?.is_some() {
        return Ok(());
    }
    require_pending(&withdrawal)?;
    let administrator = Some(context.administrator);
    transaction.decide_withdrawal(id, status, Some(reason), administrator, at)?;
    return_amount(transaction, account, &withdrawal, at)?;
    let occasion = Occasion::WithdrawalRejected {
        transfer: facts_of(&withdrawal),
        reason: reason.to_owned(),
    };
    notify(transaction, player, occasion, &RequestOrigin::default(), at)?;
    context.record(transaction, event, at)
}

fn require_pending(withdrawal: &Withdrawal) -> Result<(), Refusal> {
    match withdrawal.status {
        WithdrawalStatus::Pending => Ok(()),
        status => Err(Refusal::AlreadyDecided(status)),
    }
}

fn decision_event(
    withdrawal: &Withdrawal,
    status: WithdrawalStatus,
    reason: Option<&str>,
) -> AuditEvent {
    let action = match status {
        WithdrawalStatus::Rejected => AuditAction::WithdrawalRejected,
        _ => AuditAction::WithdrawalApproved,
    };
    AuditEvent {
        action,
        target: Some(withdrawal.player),
        subject: Some(withdrawal.subject()),
        old_value: Some(WithdrawalStatus::Pending.as_str().to_owned()),
        new_value: Some(withdrawal.decision_text(status, reason)),
    }
}

pub(crate) async fn find_withdrawal(
    house: &House,
    id: WithdrawalId,
) -> Result<WithdrawalEntry, CasinoError> {
    read_entry(house, move |connection| {
        queries::withdrawal_entry(connection, id)
    })
    .await
}
