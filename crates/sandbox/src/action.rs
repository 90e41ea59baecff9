//! What a payer or the world can do to a payment, and the statuses that it then goes through.

use glasshouse_domain::Currency;
use glasshouse_payments::Decimal;

use crate::error::SandboxError;
use crate::rates;
use crate::store::{PaymentRecord, Store};

/// What happens to a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// What is still missing is paid.
    PayFull,
    /// This much more is paid: too little, enough or too much.
    Pay(Decimal),
    /// The payment expires, and all of it is paid after that.
    PayLate,
    /// Nothing is paid in time.
    Expire,
    /// It goes wrong for good.
    Fail,
    /// What was paid is sent back.
    Refund,
    /// More is sent to the same address: a new payment, whose parent this is.
    Redeposit(Decimal),
    /// Something else is sent to the same address: a new payment, whose parent this is.
    WrongAsset(Currency, Decimal),
}

/// The way of money that arrives.
const IN_PROGRESS_STATUSES: [&str; 3] = ["confirming", "confirmed", "sending"];

impl Store {
    /// Puts what an action leads to at the end of the payment's script. The payment that it
    /// happens to is another one where a child is made.
    pub(crate) fn act(&mut self, payment: u64, action: &Action) -> Result<u64, SandboxError> {
        let record = self
            .payments
            .get_mut(&payment)
            .ok_or(SandboxError::UnknownPayment)?;
        let currency = record
            .currency()
            .ok_or(SandboxError::NotPossible("The currency is not known"))?;
        match action {
            Action::PayFull => {
                let missing = record.asked.minus_at_most(record.last_paid());
                pay(record, currency, &missing)?;
            }
            Action::Pay(amount) => pay(record, currency, amount)?,
            Action::PayLate => {
                if record.last_status() != "expired" {
                    record.expire()?;
                }
                let asked = record.asked.clone();
                pay(record, currency, &asked)?;
            }
            Action::Expire => record.expire()?,
            Action::Fail => end(record, "failed")?,
            Action::Refund => end(record, "refunded")?,
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
    let was = record.last_status();
    let is_second = match was {
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
    let last = if paid >= record.asked {
        "finished"
    } else {
        "partially_paid"
    };
    // The provider tells of a second part only when it is there.
    let under_way: &[&str] = if is_second {
        &[]
    } else {
        &IN_PROGRESS_STATUSES
    };
    for status in under_way.iter().chain([&last]) {
        record.push(status, paid.clone());
    }
    Ok(())
}

fn end(record: &mut PaymentRecord, status: &str) -> Result<(), SandboxError> {
    if matches!(record.last_status(), "failed" | "refunded") {
        return Err(SandboxError::NotPossible("The payment has already ended"));
    }
    let paid = record.last_paid().clone();
    record.push(status, paid);
    Ok(())
}
