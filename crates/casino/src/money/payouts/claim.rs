//! Takes up the payment of a withdrawal, in the transaction that approves it.

use glasshouse_domain::{PayoutMethod, Timestamp, WithdrawalId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::money::{Payout, Withdrawal};

use crate::error::{CasinoError, OperatingRefusal, PayoutRefusal, Refusal};
use crate::randomness;

/// Makes sure that a pending withdrawal can be approved now: its delay is over, its player may withdraw,
/// and no payment of the player is under review.
///
/// # Errors
/// [`Refusal::WithdrawalDelayed`], [`OperatingRefusal::PlayerMayNotWithdraw`], [`PayoutRefusal::OpenReview`], or a fault.
pub(crate) fn require_payable(
    transaction: &mut Transaction<'_, '_>,
    withdrawal: &Withdrawal,
    at: Timestamp,
) -> Result<(), CasinoError> {
    if let Some(delay) = &withdrawal.delay
        && at < delay.payable_from
    {
        return Err(Refusal::WithdrawalDelayed(delay.payable_from).into());
    }
    let account = transaction.account(withdrawal.player)?;
    let rules = account.play_rules.as_deref();
    if rules.is_some_and(|rules| rules.is_withdrawing_blocked) {
        return Err(OperatingRefusal::PlayerMayNotWithdraw.into());
    }
    if transaction.has_open_review(withdrawal.player)? {
        return Err(PayoutRefusal::OpenReview.into());
    }
    Ok(())
}

/// Takes up the payment, under an ID that nobody can guess.
///
/// # Errors
/// On a fault.
pub(crate) fn claim_payout(
    transaction: &mut Transaction<'_, '_>,
    withdrawal: WithdrawalId,
    method: PayoutMethod,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let external_id = format!("gw-{}", hex::encode(randomness::bytes::<16>()?));
    let payout = Payout::claimed(withdrawal, method, external_id, at);
    Ok(transaction.add_payout(&payout)?)
}
