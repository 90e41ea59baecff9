//! The sandbox in the hand of a test or of another program.

use std::fmt;
use std::time::Duration;

use glasshouse_domain::Currency;
use glasshouse_payments::{
    Account, ClientOptions, ClientSetUpError, Decimal, InvoiceId, PaymentId, Secret,
};

use crate::action::Action;
use crate::callback_record::Callback;
use crate::error::SandboxError;
use crate::fault_injection::{FaultInjection, Switches};
use crate::options::SandboxOptions;
use crate::script;
use crate::server::{self, Running};

/// How long a sandbox may take to come to rest.
const MAXIMUM_WORK_DURATION: Duration = Duration::from_secs(30);

/// A running sandbox; it stops when this is dropped.
pub struct Sandbox {
    running: Running,
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Sandbox")
            .field("address", &self.address())
            .finish_non_exhaustive()
    }
}

impl Sandbox {
    /// Starts a sandbox on a thread of its own, from within any runtime or none.
    ///
    /// # Errors
    /// If it cannot listen, or its data cannot be read.
    pub fn start(options: SandboxOptions) -> Result<Self, SandboxError> {
        server::start(options).map(|running| Self { running })
    }

    /// Where its pages are, such as `http://127.0.0.1:8090`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.running.shared.public_url
    }

    /// Where its API is for the programs of this machine, which may not come to where its pages are.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/v1", self.running.shared.local_url)
    }

    /// The key that calls must carry.
    #[must_use]
    pub fn api_key(&self) -> &str {
        &self.running.shared.options.api_key
    }

    /// The secret that callbacks are signed with.
    #[must_use]
    pub fn ipn_secret(&self) -> &str {
        &self.running.shared.options.ipn_secret
    }

    /// Options with which a client of the provider talks to this sandbox.
    ///
    /// # Errors
    /// If the keys of the sandbox are none that could be sent.
    pub fn client_options(&self) -> Result<ClientOptions, ClientSetUpError> {
        let options = &self.running.shared.options;
        let key = Secret::new(options.api_key.clone())?;
        let mut client = ClientOptions::new(self.url(), key);
        client.account = Some(Account {
            email: options.email.clone(),
            password: Secret::new(options.password.clone())?,
        });
        Ok(client)
    }

    /// All invoices with our own order ids, in no particular order.
    #[must_use]
    pub fn invoices(&self) -> Vec<(InvoiceId, Option<String>)> {
        self.running.shared.read(|store| {
            let invoices = store.invoices.values();
            invoices
                .filter_map(|invoice| {
                    let id = InvoiceId::parse(&invoice.id.to_string())?;
                    Some((id, invoice.order_id.clone()))
                })
                .collect()
        })
    }

    /// A new payment of an invoice, which is told to the house as waiting.
    ///
    /// # Errors
    /// If there is no such invoice, or it is in another currency.
    pub fn open(&self, invoice: &InvoiceId, currency: Currency) -> Result<PaymentId, SandboxError> {
        let invoice = number(invoice.as_str()).ok_or(SandboxError::UnknownInvoice)?;
        identifier(script::open(&self.running.shared, invoice, currency)?)
    }

    /// Something happens to a payment. Which payment it happened to: another, where a child is made.
    ///
    /// # Errors
    /// If there is no such payment, or it makes no sense as the payment stands.
    pub fn act(&self, payment: &PaymentId, action: &Action) -> Result<PaymentId, SandboxError> {
        let payment = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        identifier(script::act(&self.running.shared, payment, action)?)
    }

    /// Opens a payment of an invoice, and something happens to it.
    ///
    /// # Errors
    /// See [`Sandbox::open`] and [`Sandbox::act`].
    pub fn pay(
        &self,
        invoice: &InvoiceId,
        currency: Currency,
        action: &Action,
    ) -> Result<PaymentId, SandboxError> {
        let payment = self.open(invoice, currency)?;
        self.act(&payment, action)
    }

    /// Puts a payment at a status, sensible or not, known or not, after all that is under way, and
    /// tells the house.
    ///
    /// # Errors
    /// If there is no such payment.
    pub fn set_status(&self, payment: &PaymentId, status: &str) -> Result<(), SandboxError> {
        let payment = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        script::set_status(&self.running.shared, payment, status)
    }

    /// Sends a callback about a payment as it stands now, beside all that is under way.
    ///
    /// # Errors
    /// If there is no such payment.
    pub fn call_back(&self, payment: &PaymentId) -> Result<(), SandboxError> {
        let payment = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        let shared = &self.running.shared;
        if !shared.read(|store| store.payments.contains_key(&payment)) {
            return Err(SandboxError::UnknownPayment);
        }
        script::notify(shared, payment);
        Ok(())
    }

    /// What a payment asks for, in its currency.
    ///
    /// # Errors
    /// If there is no such payment.
    pub fn asked(&self, payment: &PaymentId) -> Result<Decimal, SandboxError> {
        let id = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        self.running
            .shared
            .read(|store| {
                let record = store.payments.get(&id);
                record.map(|record| record.asked.clone())
            })
            .ok_or(SandboxError::UnknownPayment)
    }

    /// Lets the next callbacks and calls go wrong. The default ends all of that.
    pub fn inject_fault(&self, fault_injection: FaultInjection) {
        *self.running.shared.switches() = Switches::new(fault_injection);
    }

    /// Lets time pass for the sandbox; payments that have waited too long expire.
    ///
    /// # Errors
    /// If its state cannot be kept.
    pub fn pass_time(&self, passed: Duration) -> Result<(), SandboxError> {
        script::pass_time(&self.running.shared, passed)
    }

    /// Lets a payment's coin be worth so many percent of its price from now on, for its children too.
    ///
    /// # Errors
    /// If there is no such payment.
    pub fn set_price(&self, payment: &PaymentId, percent: u32) -> Result<(), SandboxError> {
        let payment = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        script::set_price(&self.running.shared, payment, percent)
    }

    /// How many calls of the API have come, however they were answered.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.running.shared.calls()
    }

    /// Lets the tokens of all listings expire.
    pub fn forget_tokens(&self) {
        self.running.shared.forget_tokens();
    }

    /// All callbacks so far, in the order in which their outcome was known.
    #[must_use]
    pub fn callbacks(&self) -> Vec<Callback> {
        self.running.shared.callbacks().iter().cloned().collect()
    }

    /// Waits until all payments have come to the end of their ways and all callbacks are sent.
    ///
    /// # Errors
    /// If that takes very long.
    pub async fn rest(&self) -> Result<(), SandboxError> {
        let mut pending = self.running.shared.pending();
        let is_at_rest = pending.wait_for(|count| *count == 0);
        match tokio::time::timeout(MAXIMUM_WORK_DURATION, is_at_rest).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(SandboxError::StillAtWork),
        }
    }
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok()
}

fn identifier(payment: u64) -> Result<PaymentId, SandboxError> {
    PaymentId::parse(&payment.to_string()).ok_or(SandboxError::UnknownPayment)
}
