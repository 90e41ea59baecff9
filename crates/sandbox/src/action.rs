//! Events in the life of a payment, and the statuses that they lead to.

use glasshouse_domain::Currency;
use glasshouse_payments::Decimal;

use crate::error::SandboxError;
use crate::rates;
use crate::store::{PaymentRecord, Store};

/// An event in the life of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// The payer pays the missing amount.
    PayFull,
    /// The payer pays this amount in addition, which may be too little, enough or too much.
    Pay(Decimal),
    /// The payment expires and is then paid in full.
    PayLate,
    /// The payment expires unpaid.
    Expire,
    /// The payment fails for good.
    Fail,
    /// The provider refunds what was paid.
    Refund,
    /// The payer sends more to the same address, which creates a child payment.
    Redeposit(Decimal),
    /// The payer sends a different coin to the same address, which creates a child payment.
    WrongAsset(Currency, Decimal),
}

/// The statuses that money passes through after its arrival.
const IN_PROGRESS_STATUSES: [&str; 3] = ["confirming", "confirmed", "sending"];

impl Store {
    /// Appends the effects of an action to the payment's script. Returns the affected payment,
    /// which is a new one if the action creates a child.
    pub(crate) fn act(&mut self, payment: u64, action: &Action) -> Result<u64, SandboxError> {
        let record = self
            .payments
            .get_mut(&payment)
            .ok_or(SandboxError::UnknownPayment)?;
        let currency = record
            .currency()
            .ok_or(SandboxError::NotPossible("The currency is unknown"))?;
        match action {
            Action::PayFull => {
                let missing = record.pay_amount.minus_at_most(record.last_paid());
                pay(record, currency, &missing)?;
            }
            Action::Pay(amount) => pay(record, currency, amount)?,
            Action::PayLate => {
                if record.last_status() != "expired" {
                    record.expire()?;
                }
                let pay_amount = record.pay_amount.clone();
                pay(record, currency, &pay_amount)?;
            }
            Action::Expire => record.expire()?,
            Action::Fail => finish(record, "failed")?,
            Action::Refund => finish(record, "refunded")?,
            Action::Redeposit(amount) => return self.pay_child(payment, currency, amount),
            Action::WrongAsset(currency, amount) => {
                return self.pay_child(payment, *currency, amount);
            }
        }
        Ok(payment)
    }

    fn pay_child(
        &mut self,
        parent: u64,
        currency: Currency,
        amount: &Decimal,
    ) -> Result<u64, SandboxError> {
        let child = self.open_child(parent, currency, amount)?;
        if let Some(record) = self.payments.get_mut(&child) {
            pay(record, currency, amount)?;
        }
        Ok(child)
    }
}

fn pay(
    record: &mut PaymentRecord,
    currency: Currency,
    amount: &Decimal,
) -> Result<(), SandboxError> {
    if !rates::is_payable(amount, currency) {
        return Err(SandboxError::NotPossible("This amount cannot be paid"));
    }
    let status = record.last_status();
    let is_additional = match status {
        "waiting" | "expired" => false,
        "partially_paid" => true,
        _ => {
            return Err(SandboxError::NotPossible(
                "Only an open payment can be paid",
            ));
        }
    };
    let paid = record.last_paid().plus(amount);
    if !rates::is_payable(&paid, currency) {
        return Err(SandboxError::NotPossible("This amount cannot be paid"));
    }
    let final_status = if paid >= record.pay_amount {
        "finished"
    } else {
        "partially_paid"
    };
    // The provider reports an additional part only when it has fully arrived.
    let intermediate: &[&str] = if is_additional {
        &[]
    } else {
        &IN_PROGRESS_STATUSES
    };
    for status in intermediate.iter().chain([&final_status]) {
        record.push(status, paid.clone());
    }
    Ok(())
}

fn finish(record: &mut PaymentRecord, status: &str) -> Result<(), SandboxError> {
    if matches!(record.last_status(), "failed" | "refunded") {
        return Err(SandboxError::NotPossible("The payment has already ended"));
    }
    let paid = record.last_paid().clone();
    record.push(status, paid);
    Ok(())
}
