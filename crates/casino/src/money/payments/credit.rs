//! Credits a payment: writes payment, credit, ledger entry and account in one transaction.

use glasshouse_domain::{LedgerReference, Money, Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::money::{Deposit, NewPaymentCredit, PaymentRecord};
use glasshouse_transparency::receipt::Payment;

use crate::error::CasinoError;
use crate::money::deposits::status::recompute_status;
use crate::statements::add_payment_receipt;

/// A credit of a payment.
#[derive(Clone, Copy)]
pub(crate) struct Credit {
    pub(crate) amount: Money,
    /// The administrator who confirmed it; `None` if the provider did.
    pub(crate) confirmed_by: Option<UserId>,
    pub(crate) at: Timestamp,
}

/// Credits an amount of a payment, as confirmed by the provider or an administrator. Writes
/// payment, credit, ledger entry and account together.
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
        .ok_or_else(|| CasinoError::corrupt("the sum of a payment's credits overflows"))?;
    transaction.save_payment(record, is_new)?;
    let posting = account.wallet.deposit(credit.amount)?;
    // The reference has a unique key, so each credit has exactly one ledger entry.
    let reference = LedgerReference::PaymentCredit {
        payment: record.id.clone(),
        number: record.credits,
    };
    transaction.add_entry(&mut account, posting, reference, credit.at);
    transaction.add_payment_credit(&NewPaymentCredit {
        payment: &record.id,
        number: record.credits,
        player: account.player,
        amount: credit.amount,
        confirmed_by: credit.confirmed_by,
        at: credit.at,
    })?;
    if let Some(deposit) = record.deposit {
        let payment = Payment::DepositCredited(deposit.get());
        add_payment_receipt(transaction, &account, (payment, credit.amount), credit.at)?;
    }
    transaction.save_account(account);
    Ok(())
}

/// Recomputes a deposit's status from its payments and saves it.
pub(crate) fn save_status(
    transaction: &mut Transaction<'_, '_>,
    deposit: &mut Deposit,
    now: Timestamp,
) -> Result<(), CasinoError> {
    let payments = transaction.payments_of(deposit.id)?;
    recompute_status(deposit, &payments, now);
    Ok(transaction.save_deposit(deposit)?)
}
