//! Takes up the payment of a withdrawal, in the transaction that approves it.

use glasshouse_domain::{PayoutMethod, Timestamp, WithdrawalId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::money::{Payout, Withdrawal};

use crate::error::{CasinoError, PayoutRefusal, Refusal};
use crate::randomness;

/// Makes sure that a pending withdrawal can be approved now: its delay is over, and no payment of its player
/// is under review.
///
/// # Errors
/// [`Refusal::WithdrawalDelayed`], [`PayoutRefusal::OpenReview`], or a fault.
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
