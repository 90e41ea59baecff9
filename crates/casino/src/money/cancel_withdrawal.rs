//! Cancels a withdrawal that has not been decided yet, at its player's request.

use glasshouse_domain::{Timestamp, UserId, WithdrawalId, WithdrawalStatus};
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::money::withdrawals::{WithdrawalRequested, return_amount};

/// Cancels a pending withdrawal and returns the whole amount to its player, once: a repeated call changes
/// nothing. Of a cancellation and an administrator's decision, the first takes effect.
///
/// # Errors
/// [`Refusal::AlreadyDecided`], [`Refusal::NotFound`], also for another player's withdrawal, or a fault.
pub async fn cancel_withdrawal(
    house: &House,
    player: UserId,
    id: WithdrawalId,
) -> Result<WithdrawalRequested, CasinoError> {
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(player), move |transaction| {
            cancel(transaction, player, id, at)
        })
        .await
}

fn cancel(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    id: WithdrawalId,
    at: Timestamp,
) -> Result<WithdrawalRequested, CasinoError> {
    let account = transaction.account(player)?;
    let mut withdrawal = transaction
        .lock_withdrawal(id)?
        .filter(|withdrawal| withdrawal.player == player)
        .ok_or(Refusal::NotFound)?;
    match withdrawal.status {
        WithdrawalStatus::Pending => {}
        WithdrawalStatus::Cancelled => {
            return Ok(WithdrawalRequested {
                withdrawal,
                wallet: account.wallet,
            });
        }
        decided => return Err(Refusal::AlreadyDecided(decided).into()),
    }
    transaction.cancel_withdrawal(id, at)?;
    withdrawal.status = WithdrawalStatus::Cancelled;
    withdrawal.decided_at = Some(at);
    let wallet = return_amount(transaction, account, &withdrawal, at)?;
    Ok(WithdrawalRequested { withdrawal, wallet })
}
