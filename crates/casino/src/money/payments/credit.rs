//! Crediting a payment, whoever says so: payment, credit, ledger entry and account at once.

use glasshouse_domain::{LedgerReference, Money, Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::money::{Deposit, NewPaymentCredit, PaymentRecord};

use crate::error::CasinoError;
use crate::money::deposits::status::recompute_status;

/// What is credited of a payment.
#[derive(Clone, Copy)]
pub(crate) struct Credit {
    pub(crate) amount: Money,
    /// By whose word, if not the provider's.
    pub(crate) confirmed_by: Option<UserId>,
    pub(crate) at: Timestamp,
}

/// Credits an amount of a payment, by the provider's word or an administrator's: payment, credit,
/// ledger entry and account at once.
pub(crate) fn credit_payment(
    transaction: &mut Transaction<'_, '_>,
    mut account: Account,
    record: &mut PaymentRecord,
    credit: Credit,
    is_new: bool,
) -> Result<(), CasinoError> {
    record.credits += 1;
    record.credited = record
        .credited
        .checked_add(credit.amount)
        .ok_or_else(|| CasinoError::corrupt("credits beyond all bounds"))?;
    transaction.save_payment(record, is_new)?;
    let movement = account.wallet.deposit(credit.amount)?;
    // One entry for each credit: the unique key that no second one can have.
    let reference = LedgerReference::PaymentCredit {
        payment: record.id.clone(),
        number: record.credits,
    };
    transaction.add_entry(&mut account, movement, reference, credit.at);
    transaction.add_payment_credit(&NewPaymentCredit {
        payment: &record.id,
        number: record.credits,
        player: account.player,
        amount: credit.amount,
        confirmed_by: credit.confirmed_by,
        at: credit.at,
    })?;
    transaction.save_account(account);
    Ok(())
}

/// Writes a deposit back as its payments now make it.
pub(crate) fn save_status(
    transaction: &mut Transaction<'_, '_>,
    deposit: &mut Deposit,
    now: Timestamp,
) -> Result<(), CasinoError> {
    let payments = transaction.payments_of(deposit.id)?;
    recompute_status(deposit, &payments, now);
    Ok(transaction.save_deposit(deposit)?)
}
