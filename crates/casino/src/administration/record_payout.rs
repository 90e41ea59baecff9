//! What administrators record about the payment of an approved withdrawal: that they have sent it, that it has
//! arrived, that it has failed, and that its amount is returned.

use glasshouse_domain::{AuditAction, PayoutMethod, PayoutState, Timestamp, UserId, WithdrawalId};
use glasshouse_payments::{Decimal, dollars_per_coin};
use glasshouse_persistence::admin::WithdrawalEntry;
use glasshouse_persistence::money::Payout;
use glasshouse_persistence::{Scope, Transaction};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::decide_withdrawal::find_withdrawal;
use crate::error::{CasinoError, PayoutRefusal};
use crate::house::House;
use crate::money::payouts::progress::LockedPayout;

/// The length of a transaction's ID in characters.
const TRANSACTION_ID_LENGTHS: std::ops::RangeInclusive<usize> = 10..=128;

/// What has happened to the payment of a withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayoutRecord {
    /// The administrator has sent it.
    Sent(SentByHand),
    /// It has arrived.
    Confirmed,
    /// It did not take place, for this reason.
    Failed(String),
    /// It has failed, and its amount goes back to the balance.
    Returned,
}

/// A payment that was sent by hand. All texts have been validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentByHand {
    transaction_id: String,
    coin_amount: Decimal,
    network_fee: Option<Decimal>,
}

impl SentByHand {
    /// Validates what an administrator has entered; the fee may be empty.
    ///
    /// # Errors
    /// [`PayoutRefusal::TransactionId`], [`PayoutRefusal::CoinAmount`], [`PayoutRefusal::NetworkFee`].
    pub fn parse(
        transaction_id: &str,
        coin_amount: &str,
        network_fee: &str,
    ) -> Result<Self, PayoutRefusal> {
        let transaction_id = transaction_id.trim();
        let is_id = TRANSACTION_ID_LENGTHS.contains(&transaction_id.len())
            && transaction_id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric());
        if !is_id {
            return Err(PayoutRefusal::TransactionId);
        }
        let coin_amount: Decimal = coin_amount
            .trim()
            .parse()
            .map_err(|_| PayoutRefusal::CoinAmount)?;
        if coin_amount.is_zero() {
            return Err(PayoutRefusal::CoinAmount);
        }
        let network_fee = match network_fee.trim() {
            "" => None,
            fee => Some(fee.parse().map_err(|_| PayoutRefusal::NetworkFee)?),
        };
        Ok(Self {
            transaction_id: transaction_id.to_owned(),
            coin_amount,
            network_fee,
        })
    }

    fn fill(&self, payout: &mut Payout) {
        payout.transaction_id = Some(self.transaction_id.clone());
        payout.coin_amount = Some(self.coin_amount.to_string());
        payout.network_fee = self.network_fee.as_ref().map(Decimal::to_string);
    }
}

/// Records what has happened to the payment of a withdrawal, once. What the provider pays is reported by the
/// provider; by hand it can only be stopped before the provider was told to pay it.
///
/// # Errors
/// [`PayoutRefusal`], [`Refusal::IdempotencyConflict`], [`Refusal::NotFound`], or
/// a fault.
pub async fn record_payout(
    house: &House,
    context: AdminContext,
    id: WithdrawalId,
    record: PayoutRecord,
) -> Result<WithdrawalEntry, CasinoError> {
    let record = match record {
        PayoutRecord::Failed(reason) => {
            PayoutRecord::Failed(note(&reason)?.ok_or(PayoutRefusal::ReasonRequired)?)
        }
        other => other,
    };
    let player = find_withdrawal(house, id).await?.withdrawal.player;
    if player == context.administrator {
        return Err(PayoutRefusal::OwnWithdrawal.into());
    }
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(player), move |transaction| {
            record_in_transaction(transaction, &context, (player, id), &record, at)
        })
        .await?;
    find_withdrawal(house, id).await
}

fn record_in_transaction(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    (player, id): (UserId, WithdrawalId),
    record: &PayoutRecord,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let mut locked = LockedPayout::lock(transaction, player, id)?;
    let event = event_of(&locked, record);
    if context.find_replay(transaction, &event)?.is_some() {
        return Ok(());
    }
    let by = (at, Some(context.administrator));
    match record {
        PayoutRecord::Sent(sent) => {
            require_manual(&locked.payout)?;
            let net = locked.withdrawal.net();
            let rate = dollars_per_coin(net, &sent.coin_amount);
            locked.payout.rate = rate.map(|rate| rate.to_string());
            sent.fill(&mut locked.payout);
            locked.send(transaction, by)?;
        }
        PayoutRecord::Confirmed => {
            require_manual(&locked.payout)?;
            locked.confirm(transaction, by)?;
        }
        PayoutRecord::Failed(reason) => {
            require_stoppable(&locked.payout)?;
            locked.fail(transaction, reason.clone(), by)?;
        }
        PayoutRecord::Returned => {
            require_other_person(transaction, context, &locked)?;
            locked.give_back(transaction, context.administrator, at)?;
        }
    }
    context.record(transaction, event, at)
}

/// Makes sure that persons record how far this payment has come.
fn require_manual(payout: &Payout) -> Result<(), PayoutRefusal> {
    match payout.method {
        PayoutMethod::Manual => Ok(()),
        PayoutMethod::Provider => Err(PayoutRefusal::ByProvider),
    }
}

/// Makes sure that the provider was not told to pay it yet. Once it has failed, the provider never is, because
/// that is decided under the same locks.
fn require_stoppable(payout: &Payout) -> Result<(), PayoutRefusal> {
    if payout.state.can_become(PayoutState::Failed) && !payout.can_be_stopped() {
        return Err(PayoutRefusal::UnderWay);
    }
    Ok(())
}

/// Whoever has said that a payment did not take place does not return it as well if it was recorded as sent, or if
/// the amount is large: if it was sent after all, the player would have it twice.
fn require_other_person(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    locked: &LockedPayout,
) -> Result<(), CasinoError> {
    if locked.payout.failed_by != Some(context.administrator) {
        return Ok(());
    }
    if locked.payout.sent_at.is_some() {
        return Err(PayoutRefusal::OtherPersonRequired.into());
    }
    let threshold = transaction.approval_thresholds()?.thresholds.adjustment;
    if locked.withdrawal.amount > threshold {
        return Err(PayoutRefusal::OtherPersonRequired.into());
    }
    Ok(())
}

fn event_of(locked: &LockedPayout, record: &PayoutRecord) -> AuditEvent {
    let (action, new_value) = match record {
        PayoutRecord::Sent(sent) => {
            let mut payout = locked.payout.clone();
            sent.fill(&mut payout);
            (AuditAction::PayoutSent, payout.sent_text())
        }
        PayoutRecord::Confirmed => (
            AuditAction::PayoutConfirmed,
            PayoutState::Confirmed.as_str().to_owned(),
        ),
        PayoutRecord::Failed(reason) => (AuditAction::PayoutFailed, format!("failed: {reason}")),
        PayoutRecord::Returned => (
            AuditAction::PayoutReturned,
            PayoutState::Returned.as_str().to_owned(),
        ),
    };
    AuditEvent {
        action,
        target: Some(locked.withdrawal.player),
        subject: Some(locked.withdrawal.subject()),
        old_value: Some(locked.payout.state.as_str().to_owned()),
        new_value: Some(new_value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_validated() {
        let id = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";
        let sent = SentByHand::parse(&format!(" {id} "), " 0.00120 ", "").unwrap();
        assert_eq!(sent.transaction_id, id);
        assert_eq!(sent.coin_amount.to_string(), "0.0012");
        assert_eq!(sent.network_fee, None);
        let with_fee = SentByHand::parse(id, "2", "0.00001").unwrap();
        assert_eq!(with_fee.network_fee.unwrap().to_string(), "0.00001");
        for (id, coins, fee, refusal) in [
            ("", "1", "", PayoutRefusal::TransactionId),
            ("short", "1", "", PayoutRefusal::TransactionId),
            (
                "https://evil.example",
                "1",
                "",
                PayoutRefusal::TransactionId,
            ),
            (id, "", "", PayoutRefusal::CoinAmount),
            (id, "0", "", PayoutRefusal::CoinAmount),
            (id, "-1", "", PayoutRefusal::CoinAmount),
            (id, "1", "free", PayoutRefusal::NetworkFee),
        ] {
            assert_eq!(
                SentByHand::parse(id, coins, fee),
                Err(refusal),
                "{id} {coins} {fee}"
            );
        }
    }
}
