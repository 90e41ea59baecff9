//! Approves small withdrawals without a person, if the owners have set a limit for that.

use glasshouse_domain::{
    ApprovalThresholds, AuditAction, HouseSwitch, Money, PayoutMethod, Timestamp, UserId,
    WithdrawalId, WithdrawalStatus,
};
use glasshouse_persistence::audit::NewAuditRecord;
use glasshouse_persistence::{DatabaseError, Scope, Transaction, queries};

use crate::error::CasinoError;
use crate::money::cashier::Cashier;
use crate::money::payouts::claim::{claim_payout, require_payable};

/// The maximum number of withdrawals per pass.
const WITHDRAWALS_PER_PASS: i64 = 16;

/// Approves pending withdrawals that need no person: the provider pays them, they have no risk factor, and
/// both the player's automatic withdrawals of the day and those of the house are within the limits. Returns
/// how many were approved. One that meets a fault does not hold up the others; it is tried again in the next pass.
///
/// # Errors
/// If the candidates cannot be read.
pub async fn approve_automatically(cashier: &Cashier) -> Result<usize, CasinoError> {
    let house = &cashier.house;
    if house.payout_method != PayoutMethod::Provider {
        return Ok(0);
    }
    let at = house.now();
    let candidates = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            let limit = queries::approval_thresholds(connection)?
                .thresholds
                .automatic_withdrawal;
            let settings = queries::house_settings(connection)?;
            let is_stopped = settings.switches.stop(HouseSwitch::Withdrawals).is_some();
            if !limit.is_positive() || is_stopped {
                return Ok(Vec::new());
            }
            let times = (at, Timestamp::start_of_day(at.day()));
            queries::automatic_candidates(connection, limit, times, WITHDRAWALS_PER_PASS)
        })
        .await?;
    let mut approved = 0;
    for (id, player) in candidates {
        let judged = house
            .database
            .write::<_, CasinoError, _>(Scope::player(player), move |transaction| {
                approve(transaction, (id, player), at)
            })
            .await;
        match judged {
            Ok(is_approved) => approved += usize::from(is_approved),
            Err(error) => tracing::warn!(
                withdrawal = %id, %error, "a withdrawal could not be approved automatically and is tried later"
            ),
        }
    }
    Ok(approved)
}

/// Judges a withdrawal again under its locks and the lock of the audit log, so that no other one is approved
/// automatically meanwhile.
fn approve(
    transaction: &mut Transaction<'_, '_>,
    (id, player): (WithdrawalId, UserId),
    at: Timestamp,
) -> Result<bool, CasinoError> {
    transaction.account(player)?;
    let Some(withdrawal) = transaction.lock_withdrawal(id)? else {
        return Ok(false);
    };
    if withdrawal.status != WithdrawalStatus::Pending || withdrawal.risk.points() > 0 {
        return Ok(false);
    }
    let is_stopped = transaction
        .house_switches()?
        .stop(HouseSwitch::Withdrawals)
        .is_some();
    if is_stopped {
        return Ok(false);
    }
    match require_payable(transaction, &withdrawal, at) {
        Ok(()) => {}
        Err(CasinoError::Refused(_)) => return Ok(false),
        Err(fault) => return Err(fault),
    }
    transaction.lock_audit_log()?;
    let thresholds = transaction.approval_thresholds()?.thresholds;
    let today = Timestamp::start_of_day(at.day());
    let of_player = transaction.approved_automatically(Some(player), today)?;
    let of_house = transaction.approved_automatically(None, today)?;
    if !is_within(withdrawal.amount, of_player, of_house, &thresholds) {
        return Ok(false);
    }
    let status = WithdrawalStatus::Approved;
    transaction.decide_withdrawal(id, status, None, None, at)?;
    claim_payout(transaction, id, PayoutMethod::Provider, at)?;
    transaction.add_audit_record(&NewAuditRecord {
        actor: None,
        action: AuditAction::WithdrawalApprovedAutomatically,
        target: Some(player),
        subject: Some(withdrawal.subject()),
        old_value: Some(WithdrawalStatus::Pending.as_str().to_owned()),
        new_value: Some(withdrawal.decision_text(status, None)),
        address: None,
        idempotency_key: None,
        at,
    })?;
    Ok(true)
}

/// Whether an amount can be added to what was approved automatically today.
fn is_within(
    amount: Money,
    of_player: Money,
    of_house: Money,
    thresholds: &ApprovalThresholds,
) -> bool {
    let fits =
        |sum: Money, limit: Money| sum.checked_add(amount).is_some_and(|total| total <= limit);
    fits(of_player, thresholds.automatic_withdrawal) && fits(of_house, thresholds.house_per_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_limits_for_a_player_and_for_the_house() {
        let thresholds = ApprovalThresholds {
            automatic_withdrawal: Money::from_cents(5_000),
            house_per_day: Money::from_cents(20_000),
            ..ApprovalThresholds::INITIAL
        };
        let check = |amount, player, house, expected| {
            let cents = Money::from_cents;
            let is_allowed = is_within(cents(amount), cents(player), cents(house), &thresholds);
            assert_eq!(is_allowed, expected, "{amount} {player} {house}");
        };
        check(5_000, 0, 0, true);
        check(5_001, 0, 0, false);
        check(2_000, 3_000, 3_000, true);
        check(2_000, 3_001, 3_001, false);
        check(5_000, 0, 15_000, true);
        check(5_000, 0, 15_001, false);
        check(5_000, i64::MAX, 0, false);
    }
}
