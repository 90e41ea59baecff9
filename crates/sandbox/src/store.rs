//! The sandbox's state: invoices, payments and their scheduled status changes, and payouts.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use glasshouse_domain::Currency;
use glasshouse_payments::{Decimal, currency_of, provider_code};
use serde::{Deserialize, Serialize};

use crate::as_text;
use crate::error::SandboxError;
use crate::payout_store::PayoutStore;
use crate::random::{random_hex, random_id};
use crate::rates;

/// How long a payment may wait, like the provider's.
const INVOICE_LIFETIME: Duration = Duration::from_hours(7 * 24);
/// How long a payment at a fixed rate may wait.
const FIXED_RATE_LIFETIME: Duration = Duration::from_mins(20);

/// An invoice as requested.
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
    /// The provider's code of the coin.
    pub(crate) currency: String,
    pub(crate) address: String,
    /// The amount to pay, in the coin.
    #[serde(rename = "asked", with = "as_text")]
    pub(crate) pay_amount: Decimal,
    #[serde(with = "as_text")]
    pub(crate) paid: Decimal,
    pub(crate) hash: Option<String>,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
    /// The current price of its coin, in percent of the initial price.
    #[serde(default = "full_price")]
    pub(crate) price_percent: u32,
    /// The outcome of all that was received so far, each part at the price on its arrival, in the
    /// outcome currency.
    #[serde(rename = "brought_in", default, with = "as_text")]
    pub(crate) outcome: Decimal,
    /// The scheduled status changes.
    pub(crate) script: VecDeque<Step>,
}

/// A scheduled status change of a payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) status: String,
    /// The total received by then.
    #[serde(with = "as_text")]
    pub(crate) paid: Decimal,
}

/// The complete state.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Store {
    pub(crate) invoices: BTreeMap<u64, InvoiceRecord>,
    pub(crate) payments: BTreeMap<u64, PaymentRecord>,
    /// How far the sandbox's clock is ahead of the system clock, in seconds.
    #[serde(default)]
    pub(crate) seconds_ahead: u64,
    /// The payouts; a file of an earlier version has none.
    #[serde(default)]
    pub(crate) payouts: PayoutStore,
    /// The payments whose scripts are running.
    #[serde(skip)]
    pub(crate) running: BTreeSet<u64>,
}

impl PaymentRecord {
    pub(crate) fn currency(&self) -> Option<Currency> {
        currency_of(&self.currency)
    }

    /// The status after all scheduled status changes.
    pub(crate) fn last_status(&self) -> &str {
        self.script.back().map_or(&self.status, |step| &step.status)
    }

    /// The total received after all scheduled status changes.
    pub(crate) fn last_paid(&self) -> &Decimal {
        self.script.back().map_or(&self.paid, |step| &step.paid)
    }
}

impl PaymentRecord {
    /// Appends a status change to the script.
    pub(crate) fn push(&mut self, status: &str, paid: Decimal) {
        let status = status.to_owned();
        self.script.push_back(Step { status, paid });
    }

    /// Schedules the expiry of an unpaid payment.
    pub(crate) fn expire(&mut self) -> Result<(), SandboxError> {
        if self.last_status() != "waiting" {
            return Err(SandboxError::NotPossible("Only a waiting payment expires"));
        }
        self.push("expired", self.paid.clone());
        Ok(())
    }
}

impl Store {
    /// The current time by the sandbox's clock.
    pub(crate) fn now(&self) -> String {
        self.timestamp()
            .strftime("%Y-%m-%dT%H:%M:%S%.3fZ")
            .to_string()
    }

    fn timestamp(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
            .checked_add(Duration::from_secs(self.seconds_ahead))
            .unwrap_or(jiff::Timestamp::MAX)
    }

    /// Advances the clock. Returns the payments that expire because of it.
    pub(crate) fn pass_time(&mut self, passed: Duration) -> Vec<u64> {
        self.seconds_ahead = self.seconds_ahead.saturating_add(passed.as_secs());
        let now = self.timestamp();
        let mut expired = Vec::new();
        for record in self.payments.values_mut() {
            let invoice = self.invoices.get(&record.invoice);
            let lifetime = if invoice.is_some_and(|invoice| invoice.is_fixed_rate) {
                FIXED_RATE_LIFETIME
            } else {
                INVOICE_LIFETIME
            };
            let opened: Option<jiff::Timestamp> = record.created_at.parse().ok();
            let is_over = opened.is_some_and(|opened| {
                Duration::try_from(now.duration_since(opened)).is_ok_and(|age| age > lifetime)
            });
            if is_over && record.expire().is_ok() {
                expired.push(record.id);
            }
        }
        expired
    }

    /// Opens a payment of an invoice in a coin, with the status `waiting`.
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
        let pay_amount = rates::in_coins(&record.price, currency)
            .ok_or(SandboxError::NotPossible("The price is too high"))?;
        let address = format!("sandbox-{}-{}", currency.code(), random_hex()?);
        self.add_payment(invoice, None, currency, address, pay_amount)
    }

    /// Opens a payment for further money to the same address: it has its own amount, but the price
    /// and order of its parent.
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
        pay_amount: Decimal,
    ) -> Result<u64, SandboxError> {
        let id = random_id(5_000_000_000)?;
        let now = self.now();
        let status = "waiting".to_owned();
        let paid = Decimal::default();
        // The first step notifies the house of the new payment.
        let first_step = Step {
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
            pay_amount,
            paid,
            hash: None,
            price_percent: parent
                .and_then(|parent| self.payments.get(&parent))
                .map_or(full_price(), |parent| parent.price_percent),
            outcome: Decimal::default(),
            created_at: now.clone(),
            updated_at: now,
            script: VecDeque::from([first_step]),
        };
        self.payments.insert(id, record);
        Ok(id)
    }

    /// Applies the next step of a payment's script. Returns `None` if there is none; the script is
    /// then no longer running.
    pub(crate) fn apply_next_step(&mut self, payment: u64) -> Option<()> {
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
        let received = step.paid.minus_at_most(&record.paid);
        if let Some(currency) = record.currency() {
            let dollars = rates::outcome(&received, currency, record.price_percent);
            record.outcome = record.outcome.plus(&dollars);
        }
        record.status = step.status;
        record.paid = step.paid;
        record.updated_at = now;
    }
}

const fn full_price() -> u32 {
    100
}
