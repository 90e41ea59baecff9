//! Whether an administrator may do something that moves money, and the record of it.

use glasshouse_domain::{
    Money, MoneyAct, MoneyActKind, ProposalId, ProposedAct, SecondPersonCause, Timestamp, UserId,
};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::approval::{NewMoneyAct, Proposal};

use crate::administration::actor::{AdminContext, AuditEvent};
use crate::administration::approval::propose::{Intention, propose};
use crate::error::{ApprovalRefusal, CasinoError};

/// Who answers for an act.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Authority {
    /// One person. If a second one is needed, the act is proposed, or refused.
    Alone {
        /// Whether it may be proposed.
        may_propose: bool,
    },
    /// Two, because this proposal is approved in the same transaction.
    Approved(ProposalId),
}

/// An act that moves money, to be judged and recorded.
pub(crate) struct JudgedAct {
    pub(crate) kind: MoneyActKind,
    pub(crate) player: UserId,
    /// Negative if it is taken from the balance.
    pub(crate) amount: Money,
    /// See [`MoneyAct::exceeds_payment`].
    pub(crate) exceeds_payment: bool,
    /// What would be proposed.
    pub(crate) proposed: ProposedAct,
    pub(crate) reason: Option<String>,
}

impl JudgedAct {
    /// Judges whether the act may be done, under the lock of the audit log, so that no other act of this day
    /// is judged meanwhile. Returns the proposal, if it was proposed instead. The account must be locked.
    ///
    /// # Errors
    /// [`ApprovalRefusal::SecondPersonRequired`] if it may not be proposed, a refusal of the proposal, or a
    /// fault.
    pub(crate) fn authorise(
        &self,
        transaction: &mut Transaction<'_, '_>,
        context: &AdminContext,
        authority: Authority,
        at: Timestamp,
    ) -> Result<Option<ProposalId>, CasinoError> {
        let Authority::Alone { may_propose } = authority else {
            return Ok(None);
        };
        transaction.lock_audit_log()?;
        let Some(cause) = self.second_person(transaction, context.administrator, at)? else {
            return Ok(None);
        };
        if !may_propose {
            return Err(ApprovalRefusal::SecondPersonRequired(cause).into());
        }
        let intention = Intention {
            act: self.proposed.clone(),
            user: Some(self.player),
            reason: self.reason.clone(),
            cause,
        };
        propose(transaction, context, intention, at).map(Some)
    }

    fn second_person(
        &self,
        transaction: &mut Transaction<'_, '_>,
        person: UserId,
        at: Timestamp,
    ) -> Result<Option<SecondPersonCause>, CasinoError> {
        let thresholds = transaction.approval_thresholds()?.thresholds;
        let today = transaction.moved_today(person, at)?;
        let own_credits = match self.kind {
            MoneyActKind::Withdrawal => transaction.own_credits(person, self.player, at)?,
            MoneyActKind::Adjustment | MoneyActKind::Confirmation => Money::ZERO,
        };
        let act = MoneyAct {
            kind: self.kind,
            amount: Money::from_cents(self.amount.cents().saturating_abs()),
            exceeds_payment: self.exceeds_payment,
            own_credits,
        };
        Ok(act.second_person(&thresholds, today))
    }

    /// Records the act, once it is done.
    ///
    /// # Errors
    /// On a fault.
    pub(crate) fn record(
        &self,
        transaction: &mut Transaction<'_, '_>,
        (context, authority): (&AdminContext, Authority),
        event: AuditEvent,
        at: Timestamp,
    ) -> Result<(), CasinoError> {
        context.record(transaction, event, at)?;
        let proposal = match authority {
            Authority::Alone { .. } => None,
            Authority::Approved(id) => Some(id),
        };
        Ok(transaction.add_money_act(&NewMoneyAct {
            administrator: context.administrator,
            player: self.player,
            kind: self.kind,
            amount: self.amount,
            proposal,
            at,
        })?)
    }

    /// Whether a proposal was made by an earlier request for this act.
    pub(crate) fn is_same(&self, proposal: &Proposal) -> bool {
        proposal.act == self.proposed && proposal.is_for(Some(self.player), self.reason.as_deref())
    }
}
