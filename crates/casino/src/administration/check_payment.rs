//! Requests a payment from the provider for an administrator.

use glasshouse_domain::Timestamp;
use glasshouse_payments::{Payment, PaymentId, PaymentStatus};
use glasshouse_persistence::money::{Deposit, DepositKey, PaymentRecord};
use glasshouse_persistence::{Scope, queries};

use crate::administration::payment_id::IdKind;
use crate::error::{CasinoError, Fault, Refusal};
use crate::money::cashier::Cashier;
use crate::money::deposits::reconcile::{check_deposit, list_provider_payments};
use crate::money::payments::settle::settle_payment;

/// The provider's data of a payment, and our record of it.
#[derive(Debug, Clone)]
pub struct PaymentCheck {
    /// The ID of the payment or invoice.
    pub id: String,
    /// Whether it is a payment or an invoice.
    pub kind: IdKind,
    /// The provider's status. An invoice without a payment is waiting.
    pub status: PaymentStatus,
    /// The payment as last reported by the provider; for an invoice, its newest payment.
    pub fetched: Option<Payment>,
    /// Our record of the payment.
    pub record: Option<PaymentRecord>,
    /// The deposit that the payment belongs to.
    pub deposit: Option<Deposit>,
    /// The time of the check.
    pub at: Timestamp,
}

/// Requests a payment, or all payments of an invoice, from the provider and settles them. Without a
/// kind, an ID that both a payment and an invoice have is taken for the payment's.
///
/// # Errors
/// [`Refusal::UnknownPayment`] if neither the provider nor we know the ID, or a fault.
pub async fn check_payment(
    cashier: &Cashier,
    id: &str,
    kind: Option<IdKind>,
) -> Result<PaymentCheck, CasinoError> {
    if let Some(fetched) = fetch(cashier, id, kind).await? {
        settle_payment(cashier, fetched.clone(), None).await?;
        note_check(cashier, &fetched).await?;
        compare(cashier, fetched).await
    } else {
        let deposit = deposit_of(cashier, id).await?;
        check_deposit(cashier, deposit.id).await?;
        describe_invoice(cashier, id, deposit, None).await
    }
}

/// Like [`check_payment`], but without settling anything or changing our records.
///
/// # Errors
/// [`Refusal::UnknownPayment`] if neither the provider nor we know the ID, or a fault.
pub async fn inspect_payment(
    cashier: &Cashier,
    id: &str,
    kind: Option<IdKind>,
) -> Result<PaymentCheck, CasinoError> {
    if let Some(fetched) = fetch(cashier, id, kind).await? {
        return compare(cashier, fetched).await;
    }
    let deposit = deposit_of(cashier, id).await?;
    let newest = list_provider_payments(cashier, &deposit).await?;
    let newest = newest
        .into_iter()
        .max_by(|one, other| one.created_at.cmp(&other.created_at));
    describe_invoice(cashier, id, deposit, newest).await
}

/// Fetches the payment with this ID; `None` if the ID can only be an invoice's.
async fn fetch(
    cashier: &Cashier,
    id: &str,
    kind: Option<IdKind>,
) -> Result<Option<Payment>, CasinoError> {
    let payment = PaymentId::parse(id).ok_or(Refusal::UnknownPayment)?;
    if kind == Some(IdKind::Invoice) {
        return Ok(None);
    }
    match cashier.fetch(&payment).await {
        Ok(fetched) => Ok(Some(fetched)),
        Err(error) if error.is_unknown_id() && kind.is_none() => Ok(None),
        Err(error) if error.is_unknown_id() => Err(Refusal::UnknownPayment.into()),
        Err(error) => Err(Fault::Provider(error).into()),
    }
}

async fn note_check(cashier: &Cashier, fetched: &Payment) -> Result<(), CasinoError> {
    let at = cashier.house.now();
    let id = fetched.id.to_string();
    cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            Ok::<_, CasinoError>(transaction.note_check(&id, at)?)
        })
        .await
}

/// Combines the provider's data with our record.
async fn compare(cashier: &Cashier, fetched: Payment) -> Result<PaymentCheck, CasinoError> {
    let id = fetched.id.to_string();
    let payment_id = id.clone();
    let (record, deposit) = cashier
        .house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let record = queries::payment(connection, &payment_id)?;
            let deposit = match record.as_ref().and_then(|record| record.deposit) {
                Some(deposit) => queries::deposit(connection, DepositKey::Id(deposit))?,
                None => None,
            };
            Ok((record, deposit))
        })
        .await?;
    Ok(PaymentCheck {
        id,
        kind: IdKind::Payment,
        status: fetched.status.clone(),
        fetched: Some(fetched),
        record,
        deposit,
        at: cashier.house.now(),
    })
}

async fn deposit_of(cashier: &Cashier, invoice: &str) -> Result<Deposit, CasinoError> {
    let invoice = invoice.to_owned();
    cashier
        .house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            queries::deposit(connection, DepositKey::Invoice(&invoice))
        })
        .await?
        .ok_or_else(|| Refusal::UnknownPayment.into())
}

/// Describes an invoice by its newest payment: the listed one, or else the newest that we know.
async fn describe_invoice(
    cashier: &Cashier,
    id: &str,
    deposit: Deposit,
    listed: Option<Payment>,
) -> Result<PaymentCheck, CasinoError> {
    let (deposit, payments) = cashier
        .house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let payments = queries::payments_of(connection, deposit.id)?;
            let deposit = queries::deposit(connection, DepositKey::Id(deposit.id))?;
            Ok((deposit, payments))
        })
        .await?;
    let record = match &listed {
        Some(listed) => payments
            .into_iter()
            .find(|payment| payment.id == listed.id.as_str()),
        None => payments
            .into_iter()
            .max_by_key(|payment| payment.first_seen_at),
    };
    let stored_payment = |record: &PaymentRecord| Payment::parse(record.details.as_bytes()).ok();
    let fetched = listed.or_else(|| record.as_ref().and_then(stored_payment));
    Ok(PaymentCheck {
        id: id.to_owned(),
        kind: IdKind::Invoice,
        status: fetched
            .as_ref()
            .map_or(PaymentStatus::Waiting, |fetched| fetched.status.clone()),
        fetched,
        record,
        deposit,
        at: cashier.house.now(),
    })
}
