//! Everything that the house knows of one payment, and of one withdrawal.

use glasshouse_domain::WithdrawalId;
use glasshouse_payments::address::normal_form;
use glasshouse_payments::{Payment, PaymentId};
use glasshouse_persistence::admin::{PaymentDetails, WithdrawalDetails};
use glasshouse_persistence::money::WithdrawalAddress;
use glasshouse_persistence::queries;

use crate::administration::lists::read_entry;
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Everything that the house knows of one payment. The provider is not asked.
#[derive(Debug, Clone)]
pub struct KnownPayment {
    /// The provider's ID.
    pub id: String,
    /// What is stored.
    pub details: PaymentDetails,
    /// The payment as the provider last reported it; `None` if that cannot be read.
    pub reported: Option<Payment>,
}

/// Everything that the house knows of one withdrawal. The provider is not asked.
#[derive(Debug, Clone)]
pub struct KnownWithdrawal {
    /// What is stored.
    pub details: WithdrawalDetails,
    /// Its address in the player's address book, unless the player has removed it.
    pub address: Option<WithdrawalAddress>,
}

/// Reads what the house knows of a payment, whether or not it belongs to a deposit.
///
/// # Errors
/// [`Refusal::NotFound`], or a fault.
pub async fn read_payment(house: &House, id: &str) -> Result<KnownPayment, CasinoError> {
    let id = PaymentId::parse(id).ok_or(Refusal::NotFound)?.to_string();
    let wanted = id.clone();
    let details = read_entry(house, move |connection| {
        let details = queries::payment_details(connection, &wanted)?;
        Ok(Some(details).filter(|details| !details.is_empty()))
    })
    .await?;
    let record = details.record.as_ref();
    let reported = record.and_then(|record| Payment::parse(record.details.as_bytes()).ok());
    Ok(KnownPayment {
        id,
        details,
        reported,
    })
}

/// Reads what the house knows of a withdrawal.
///
/// # Errors
/// [`Refusal::NotFound`], or a fault.
pub async fn read_withdrawal(
    house: &House,
    id: WithdrawalId,
) -> Result<KnownWithdrawal, CasinoError> {
    let mut details = read_entry(house, move |connection| {
        queries::withdrawal_details(connection, id)
    })
    .await?;
    let withdrawal = &details.entry.withdrawal;
    let normal = normal_form(withdrawal.currency, &withdrawal.address);
    let book = std::mem::take(&mut details.address_book).into_iter();
    let address = book
        .filter(|known| known.currency == withdrawal.currency)
        .find(|known| normal_form(known.currency, &known.address) == normal);
    Ok(KnownWithdrawal { details, address })
}
