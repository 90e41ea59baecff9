//! Moves the payment of a withdrawal forward, whether the provider reports it or an administrator records it.
//! Every move is made under the locks of the account, the withdrawal and the payment, in this order.

use glasshouse_domain::{PayoutState, Timestamp, UserId, WithdrawalId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::{Account, RequestOrigin};
use glasshouse_persistence::money::{Payout, PayoutStop, Withdrawal};
use glasshouse_transparency::receipt::Payment;

use crate::error::{CasinoError, PayoutRefusal, Refusal};
use crate::mail::message::Occasion;
use crate::mail::notices::notify;
use crate::money::withdrawals::{facts_of, return_amount};
use crate::statements::add_payment_receipt;

/// A payment, with everything that its progress concerns. All of it is locked.
pub(crate) struct LockedPayout {
    pub(crate) withdrawal: Withdrawal,
    pub(crate) payout: Payout,
    account: Account,
}

/// When something happened, and who recorded it: nobody, if the provider reported it.
pub(crate) type Record = (Timestamp, Option<UserId>);

impl LockedPayout {
    /// Locks the payment of a withdrawal.
    ///
    /// # Errors
    /// [`Refusal::NotFound`], [`PayoutRefusal::NotApproved`], or a fault.
    pub(crate) fn lock(
        transaction: &mut Transaction<'_, '_>,
        player: UserId,
        id: WithdrawalId,
    ) -> Result<Self, CasinoError> {
        let account = transaction.account(player)?;
        let withdrawal = transaction
            .lock_withdrawal(id)?
            .filter(|withdrawal| withdrawal.player == player)
            .ok_or(Refusal::NotFound)?;
        let payout = transaction
            .lock_payout(id)?
            .ok_or(PayoutRefusal::NotApproved)?;
        Ok(Self {
            withdrawal,
            payout,
            account,
        })
    }

    /// Whether its player may not withdraw.
    pub(crate) fn is_blocked(&self) -> bool {
        let rules = self.account.play_rules.as_deref();
        rules.is_some_and(|rules| rules.is_withdrawing_blocked)
    }

    /// Marks the payment as sent, and tells the player.
    ///
    /// # Errors
    /// [`PayoutRefusal::State`], or a fault.
    pub(crate) fn send(
        &mut self,
        transaction: &mut Transaction<'_, '_>,
        (at, by): Record,
    ) -> Result<(), CasinoError> {
        self.enter(PayoutState::Sent)?;
        self.payout.sent_at = Some(at);
        self.payout.sent_by = by;
        self.payout.problem = None;
        transaction.save_payout(&self.payout)?;
        let occasion = Occasion::WithdrawalSent(facts_of(&self.withdrawal));
        let origin = RequestOrigin::default();
        notify(transaction, self.withdrawal.player, occasion, &origin, at)
    }

    /// Marks the payment as arrived. From now on the player has a receipt that it was paid.
    ///
    /// # Errors
    /// [`PayoutRefusal::State`], or a fault.
    pub(crate) fn confirm(
        mut self,
        transaction: &mut Transaction<'_, '_>,
        (at, by): Record,
    ) -> Result<(), CasinoError> {
        self.enter(PayoutState::Confirmed)?;
        self.payout.confirmed_at = Some(at);
        self.payout.confirmed_by = by;
        self.payout.next_step_at = None;
        transaction.save_payout(&self.payout)?;
        let paid = (
            Payment::WithdrawalPaid(self.withdrawal.id.get()),
            self.withdrawal.amount,
        );
        add_payment_receipt(transaction, &self.account, paid, at)?;
        transaction.save_account(self.account);
        Ok(())
    }

    /// Marks the payment as failed, for a reason. The amount stays held until somebody returns it.
    ///
    /// # Errors
    /// [`PayoutRefusal::State`], or a fault.
    pub(crate) fn fail(
        &mut self,
        transaction: &mut Transaction<'_, '_>,
        reason: String,
        (at, by): Record,
    ) -> Result<(), CasinoError> {
        self.enter(PayoutState::Failed)?;
        self.payout.failed_at = Some(at);
        self.payout.failed_by = by;
        self.payout.problem = Some(reason);
        self.payout.next_step_at = None;
        Ok(transaction.save_payout(&self.payout)?)
    }

    /// Has the provider not told again to pay.
    ///
    /// # Errors
    /// [`PayoutRefusal::State`], [`PayoutRefusal::UnderWay`], or a fault.
    pub(crate) fn stop(
        &mut self,
        transaction: &mut Transaction<'_, '_>,
        stop: PayoutStop,
    ) -> Result<(), CasinoError> {
        if !self.payout.state.can_become(PayoutState::Failed) {
            return Err(PayoutRefusal::State(self.payout.state).into());
        }
        if !self.payout.can_be_stopped() {
            return Err(PayoutRefusal::UnderWay.into());
        }
        self.payout.next_step_at = Some(stop.at);
        self.payout.stop = Some(stop);
        Ok(transaction.save_payout(&self.payout)?)
    }

    /// Returns the amount of a failed payment to the balance, and tells the player.
    ///
    /// # Errors
    /// [`PayoutRefusal::State`], or a fault.
    pub(crate) fn give_back(
        mut self,
        transaction: &mut Transaction<'_, '_>,
        by: UserId,
        at: Timestamp,
    ) -> Result<(), CasinoError> {
        self.enter(PayoutState::Returned)?;
        self.payout.returned_at = Some(at);
        self.payout.returned_by = Some(by);
        transaction.save_payout(&self.payout)?;
        let Self {
            withdrawal,
            account,
            ..
        } = self;
        return_amount(transaction, account, &withdrawal, at)?;
        let occasion = Occasion::WithdrawalReturned(facts_of(&withdrawal));
        let origin = RequestOrigin::default();
        notify(transaction, withdrawal.player, occasion, &origin, at)
    }

    fn enter(&mut self, state: PayoutState) -> Result<(), PayoutRefusal> {
        if !self.payout.state.can_become(state) {
            return Err(PayoutRefusal::State(self.payout.state));
        }
        self.payout.state = state;
        Ok(())
    }
}
