//! All that the sandbox remembers: invoices, payments, and what is still to happen to them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use glasshouse_domain::Currency;
use glasshouse_payments::{Decimal, currency_of, provider_code};
use rand::TryRng;
use rand::rngs::{SysError, SysRng};
use serde::{Deserialize, Serialize};

use crate::error::SandboxError;
use crate::rates;

/// How long a payment may wait: as long as the provider's.
const INVOICE_LIFE: Duration = Duration::from_hours(7 * 24);
/// The same at a fixed rate.
const FIXED_RATE_LIFE: Duration = Duration::from_mins(20);

/// An invoice, as it was asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct InvoiceRecord {
    pub(crate) id: u64,
    #[serde(with = "as_text")]
    pub(crate) price: Decimal,
    pub(crate) price_currency: String,
    pub(crate) pay_currency: Option<String>,
    pub(crate) order_id: Option<String>,
    pub(crate) order_description: Option<String>,
    pub(crate) ipn_callback_url: Option<String>,
    pub(crate) success_url: Option<String>,
    pub(crate) cancel_url: Option<String>,
    #[serde(default)]
    pub(crate) is_fixed_rate: bool,
    pub(crate) created_at: String,
}

/// A payment of an invoice.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PaymentRecord {
    pub(crate) id: u64,
    pub(crate) invoice: u64,
    pub(crate) parent: Option<u64>,
    pub(crate) purchase_id: u64,
    pub(crate) status: String,
    /// The provider's code.
    pub(crate) currency: String,
    pub(crate) address: String,
    #[serde(with = "as_text")]
    pub(crate) asked: Decimal,
    #[serde(with = "as_text")]
    pub(crate) paid: Decimal,
    pub(crate) hash: Option<String>,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
    /// What its coin is worth now, in percent of its price.
    #[serde(default = "whole_price")]
    pub(crate) price_percent: u32,
    /// What was received so far brought in when it came, in the coin of the outcome.
    #[serde(default, with = "as_text")]
    pub(crate) brought_in: Decimal,
    /// What is still to happen to it.
    pub(crate) script: VecDeque<Step>,
}

/// The next thing to happen to a payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) status: String,
    /// What has been received by then.
    #[serde(with = "as_text")]
    pub(crate) paid: Decimal,
}

/// All of it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Store {
    pub(crate) invoices: BTreeMap<u64, InvoiceRecord>,
    pub(crate) payments: BTreeMap<u64, PaymentRecord>,
    /// How far the sandbox's clock is ahead of the computer's.
    #[serde(default)]
    pub(crate) seconds_ahead: u64,
    /// The payments whose script somebody is going through.
    #[serde(skip)]
    pub(crate) running: BTreeSet<u64>,
}

impl PaymentRecord {
    pub(crate) fn currency(&self) -> Option<Currency> {
        currency_of(&self.currency)
    }

    /// Where it stands once all that is under way has happened.
    pub(crate) fn last_status(&self) -> &str {
        self.script.back().map_or(&self.status, |step| &step.status)
    }

    /// What has been received by then.
    pub(crate) fn last_paid(&self) -> &Decimal {
        self.script.back().map_or(&self.paid, |step| &step.paid)
    }
}

impl PaymentRecord {
    /// Puts a status at the end of the script.
    pub(crate) fn push(&mut self, status: &str, paid: Decimal) {
        let status = status.to_owned();
        self.script.push_back(Step { status, paid });
    }

    /// Nothing is paid in time.
    pub(crate) fn expire(&mut self) -> Result<(), SandboxError> {
        if self.last_status() != "waiting" {
            return Err(SandboxError::NotPossible("Only a waiting payment expires"));
        }
        self.push("expired", self.paid.clone());
        Ok(())
    }
}

impl Store {
    /// The present moment by the sandbox's clock.
    pub(crate) fn now(&self) -> String {
        self.moment().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
    }

    fn moment(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
            .checked_add(Duration::from_secs(self.seconds_ahead))
            .unwrap_or(jiff::Timestamp::MAX)
    }

    /// Lets time pass. What has waited for too long expires: which payments.
    pub(crate) fn pass_time(&mut self, passed: Duration) -> Vec<u64> {
        self.seconds_ahead = self.seconds_ahead.saturating_add(passed.as_secs());
        let now = self.moment();
        let mut expired = Vec::new();
        for record in self.payments.values_mut() {
            let invoice = self.invoices.get(&record.invoice);
            let life = if invoice.is_some_and(|invoice| invoice.is_fixed_rate) {
                FIXED_RATE_LIFE
            } else {
                INVOICE_LIFE
            };
            let opened: Option<jiff::Timestamp> = record.created_at.parse().ok();
            let is_over = opened.is_some_and(|opened| {
                Duration::try_from(now.duration_since(opened)).is_ok_and(|age| age > life)
            });
            if is_over && record.expire().is_ok() {
                expired.push(record.id);
            }
        }
        expired
    }

    /// A payment of an invoice in a coin, waiting to be paid.
    pub(crate) fn open_payment(
        &mut self,
        invoice: u64,
        currency: Currency,
    ) -> Result<u64, SandboxError> {
        let record = self
            .invoices
            .get(&invoice)
            .ok_or(SandboxError::UnknownInvoice)?;
        if let Some(only) = record.pay_currency.as_deref().and_then(currency_of)
            && only != currency
        {
            return Err(SandboxError::NotPossible(
                "The invoice is in another currency",
            ));
        }
        let asked = rates::in_coins(&record.price, currency)
            .ok_or(SandboxError::NotPossible("The price is too high"))?;
        let address = format!("sandbox-{}-{}", currency.code(), random_hex()?);
        self.add_payment(invoice, None, currency, address, asked)
    }

    /// A payment that came after another, to the same address: it has an amount of its own, and
    /// price and order of its parent.
    pub(crate) fn open_child(
        &mut self,
        parent: u64,
        currency: Currency,
        amount: &Decimal,
    ) -> Result<u64, SandboxError> {
        let record = self
            .payments
            .get(&parent)
            .ok_or(SandboxError::UnknownPayment)?;
        if !rates::is_payable(amount, currency) {
            return Err(SandboxError::NotPossible("This amount cannot be paid"));
        }
        let (invoice, address) = (record.invoice, record.address.clone());
        self.add_payment(invoice, Some(parent), currency, address, amount.clone())
    }

    fn add_payment(
        &mut self,
        invoice: u64,
        parent: Option<u64>,
        currency: Currency,
        address: String,
        asked: Decimal,
    ) -> Result<u64, SandboxError> {
        let id = random_id(5_000_000_000)?;
        let now = self.now();
        let status = "waiting".to_owned();
        let paid = Decimal::default();
        // The first thing to happen is that the house is told of it.
        let told = Step {
            status: status.clone(),
            paid: paid.clone(),
        };
        let record = PaymentRecord {
            id,
            invoice,
            parent,
            purchase_id: random_id(6_000_000_000)?,
            status,
            currency: provider_code(currency).to_owned(),
            address,
            asked,
            paid,
            hash: None,
            price_percent: parent
                .and_then(|parent| self.payments.get(&parent))
                .map_or(whole_price(), |parent| parent.price_percent),
            brought_in: Decimal::default(),
            created_at: now.clone(),
            updated_at: now,
            script: VecDeque::from([told]),
        };
        self.payments.insert(id, record);
        Ok(id)
    }

    /// Lets the next step of a payment's script happen; none, if there is none, and then nobody is
    /// going through it any more.
    pub(crate) fn take_step(&mut self, payment: u64) -> Option<()> {
        let step = self
            .payments
            .get_mut(&payment)
            .and_then(|record| record.script.pop_front());
        let Some(step) = step else {
            self.running.remove(&payment);
            return None;
        };
        self.set(payment, step);
        Some(())
    }

    fn set(&mut self, payment: u64, step: Step) {
        let now = self.now();
        let Some(record) = self.payments.get_mut(&payment) else {
            return;
        };
        if record.hash.is_none() && !step.paid.is_zero() {
            record.hash = random_hex().ok().map(|hex| hex.repeat(4));
        }
        let more = step.paid.minus_at_most(&record.paid);
        if let Some(currency) = record.currency() {
            let dollars = rates::outcome(&more, currency, record.price_percent);
            record.brought_in = record.brought_in.plus(&dollars);
        }
        record.status = step.status;
        record.paid = step.paid;
        record.updated_at = now;
    }
}

/// A random id of ten digits, so that a sandbox that forgot all does not give out old ones again.
pub(crate) fn random_id(from: u64) -> Result<u64, SandboxError> {
    Ok(from + SysRng.try_next_u64().map_err(no_chance)? % 1_000_000_000)
}

/// Sixteen random hexadecimal digits.
pub(crate) fn random_hex() -> Result<String, SandboxError> {
    let number = SysRng.try_next_u64().map_err(no_chance)?;
    Ok(format!("{number:016x}"))
}

fn no_chance(error: SysError) -> SandboxError {
    SandboxError::machine("There is no randomness", error)
}

const fn whole_price() -> u32 {
    100
}

/// Numbers are kept as texts, so that no reader of the file makes doubles of them.
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
