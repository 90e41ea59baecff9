//! Approves or rejects a withdrawal, once.

use glasshouse_domain::{AuditAction, LedgerReference, UserId, WithdrawalId, WithdrawalStatus};
use glasshouse_persistence::accounts::RequestOrigin;
use glasshouse_persistence::admin::WithdrawalEntry;
use glasshouse_persistence::{Scope, queries};
use glasshouse_transparency::receipt::Payment;

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::lists::read_entry;
use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::mail::message::Occasion;
use crate::mail::notices::notify;
use crate::money::withdrawals::facts_of;
use crate::statements::add_payment_receipt;

/// A decision on a withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The withdrawal will be sent.
    Approve,
    /// The withdrawal is refused for the given reason, and its amount is returned to the player.
    Reject(String),
}

/// Decides on a withdrawal. The first decision is final; a later one is refused as a conflict. A delayed
/// withdrawal can be rejected at any time, but not approved before its delay ends.
///
/// # Errors
/// [`Refusal::RejectionReasonRequired`], [`Refusal::OwnWithdrawal`], [`Refusal::AlreadyDecided`],
/// [`Refusal::WithdrawalDelayed`], [`Refusal::IdempotencyConflict`], [`Refusal::NotFound`], or a fault.
pub async fn decide_withdrawal(
    house: &House,
    context: AdminContext,
    id: WithdrawalId,
    decision: Decision,
) -> Result<WithdrawalEntry, CasinoError> {
    let reason = match &decision {
        Decision::Approve => None,
        Decision::Reject(reason) => Some(note(reason)?.ok_or(Refusal::RejectionReasonRequired)?),
    };
    let player = find_withdrawal(house, id).await?.withdrawal.player;
    if player == context.administrator {
        return Err(Refusal::OwnWithdrawal.into());
    }
    decide(house, context, (id, player), decision, reason).await?;
    find_withdrawal(house, id).await
}

async fn decide(
    house: &House,
    context: AdminContext,
    (id, player): (WithdrawalId, UserId),
    decision: Decision,
    reason: Option<String>,
) -> Result<(), CasinoError> {
    let at = house.now();
    let (status, action) = match decision {
        Decision::Approve => (WithdrawalStatus::Approved, AuditAction::WithdrawalApproved),
        Decision::Reject(_) => (WithdrawalStatus::Rejected, AuditAction::WithdrawalRejected),
    };
    house
        .database
        .write(Scope::player(player), move |transaction| {
            let mut account = transaction.account(player)?;
            let withdrawal = transaction.lock_withdrawal(id)?.ok_or(Refusal::NotFound)?;
            let event = AuditEvent {
                action,
                target: Some(player),
                subject: Some(withdrawal.subject()),
                old_value: Some(WithdrawalStatus::Pending.as_str().to_owned()),
                new_value: Some(withdrawal.decision_text(status, reason.as_deref())),
            };
            if context.find_replay(transaction, &event)?.is_some() {
                return Ok(());
            }
            if withdrawal.status != WithdrawalStatus::Pending {
                return Err(Refusal::AlreadyDecided(withdrawal.status).into());
            }
            if status == WithdrawalStatus::Approved
                && let Some(delay) = &withdrawal.delay
                && at < delay.payable_from
            {
                return Err(Refusal::WithdrawalDelayed(delay.payable_from).into());
            }
            let decider = context.administrator;
            transaction.decide_withdrawal(id, status, reason.as_deref(), decider, at)?;
            let payment = match status {
                WithdrawalStatus::Rejected => Payment::WithdrawalReturned(id.get()),
                _ => Payment::WithdrawalPaid(id.get()),
            };
            if status == WithdrawalStatus::Rejected {
                let posting = account.wallet.return_withdrawal(withdrawal.amount)?;
                let reference = LedgerReference::Withdrawal(id);
                transaction.add_entry(&mut account, posting, reference, at);
            }
            add_payment_receipt(transaction, &account, (payment, withdrawal.amount), at)?;
            transaction.save_account(account);
            let transfer = facts_of(&withdrawal);
            let occasion = match &reason {
                None => Occasion::WithdrawalSent(transfer),
                Some(reason) => Occasion::WithdrawalRejected {
                    transfer,
                    reason: reason.clone(),
                },
            };
            notify(transaction, player, occasion, &RequestOrigin::default(), at)?;
            context.record(transaction, event, at)
        })
        .await
}

async fn find_withdrawal(house: &House, id: WithdrawalId) -> Result<WithdrawalEntry, CasinoError> {
    read_entry(house, move |connection| {
        queries::withdrawal_entry(connection, id)
    })
    .await
}
