//! An administrator asks the provider about a payment.

use glasshouse_domain::Timestamp;
use glasshouse_payments::{ClientError, Payment, PaymentId, PaymentStatus};
use glasshouse_persistence::{Deposit, DepositKey, PaymentRecord, Scope, queries};

use crate::cashier::Cashier;
use crate::check_deposits::check_deposit;
use crate::error::{CasinoError, Fault, Refusal};
use crate::settle_payment::settle_payment;

/// What the provider says of a payment, and what we know of it after that was settled.
#[derive(Debug, Clone)]
pub struct PaymentCheck {
    /// What was asked about: a payment, or an invoice.
    pub id: String,
    /// The provider's word. An invoice without a payment waits for one.
    pub status: PaymentStatus,
    /// As the provider told it last; of an invoice, its newest payment.
    pub fetched: Option<Payment>,
    /// As we know it.
    pub record: Option<PaymentRecord>,
    /// The deposit that it pays.
    pub deposit: Option<Deposit>,
    /// When.
    pub at: Timestamp,
}

/// Asks the provider about a payment, or about all payments of an invoice, and settles what it says.
///
/// # Errors
/// [`Refusal::UnknownPayment`] if neither the provider nor we know anything of that id, or a fault.
pub async fn check_payment(cashier: &Cashier, id: &str) -> Result<PaymentCheck, CasinoError> {
    let payment = PaymentId::parse(id).ok_or(Refusal::UnknownPayment)?;
    match cashier.fetch(&payment).await {
        Ok(fetched) => {
            settle_payment(cashier, fetched.clone(), None).await?;
            checked(cashier, fetched).await
        }
        Err(ClientError::Refused {
            status: 400 | 404, ..
        }) => check_invoice(cashier, id).await,
        Err(error) => Err(Fault::Provider(error).into()),
    }
}

async fn checked(cashier: &Cashier, fetched: Payment) -> Result<PaymentCheck, CasinoError> {
    let at = cashier.house.now();
    let id = fetched.id.to_string();
    let asked = id.clone();
    let database = &cashier.house.database;
    database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            Ok(transaction.note_check(&asked, at)?)
        })
        .await?;
    let asked = id.clone();
    let (record, deposit) = database
        .read::<_, CasinoError, _>(move |connection| {
            let record = queries::payment(connection, &asked)?;
            let deposit = match record.as_ref().and_then(|record| record.deposit) {
                Some(deposit) => queries::deposit(connection, DepositKey::Id(deposit))?,
                None => None,
            };
            Ok((record, deposit))
        })
        .await?;
    Ok(PaymentCheck {
        id,
        status: fetched.status.clone(),
        fetched: Some(fetched),
        record,
        deposit,
        at,
    })
}

async fn check_invoice(cashier: &Cashier, id: &str) -> Result<PaymentCheck, CasinoError> {
    let database = &cashier.house.database;
    let invoice = id.to_owned();
    let deposit = database
        .read::<_, CasinoError, _>(move |connection| {
            queries::deposit(connection, DepositKey::Invoice(&invoice))
        })
        .await?
        .ok_or(Refusal::UnknownPayment)?;
    check_deposit(cashier, deposit.id).await?;
    let (deposit, payments) = database
        .read::<_, CasinoError, _>(move |connection| {
            let payments = queries::payments_of(connection, deposit.id)?;
            let deposit = queries::deposit(connection, DepositKey::Id(deposit.id))?;
            Ok((deposit, payments))
        })
        .await?;
    let record = payments
        .into_iter()
        .max_by_key(|payment| payment.first_seen_at);
    let status = record.as_ref().map_or(PaymentStatus::Waiting, |record| {
        PaymentStatus::parse(&record.status)
    });
    Ok(PaymentCheck {
        id: id.to_owned(),
        status,
        fetched: record
            .as_ref()
            .and_then(|record| Payment::parse(record.details.as_bytes()).ok()),
        record,
        deposit,
        at: cashier.house.now(),
    })
}
