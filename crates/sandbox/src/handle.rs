//! The handle with which a test or another program controls a sandbox.

use std::fmt;
use std::time::Duration;

use glasshouse_domain::Currency;
use glasshouse_payments::{
    Account, ClientOptions, ClientSetUpError, Decimal, InvoiceId, PaymentId, Secret,
};

use crate::action::Action;
use crate::callback_record::Callback;
use crate::error::SandboxError;
use crate::fault_injection::FaultInjection;
use crate::options::SandboxOptions;
use crate::payout_script;
use crate::payout_view::PayoutView;
use crate::script;
use crate::server::{self, Running};

/// How long [`Sandbox::rest`] waits.
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
    /// Starts a sandbox on its own thread; works inside and outside an async runtime.
    ///
    /// # Errors
    /// If it cannot listen, or its data cannot be read.
    pub fn start(options: SandboxOptions) -> Result<Self, SandboxError> {
        server::start(options).map(|running| Self { running })
    }

    /// The base URL of its pages, such as `http://127.0.0.1:8090`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.running.shared.public_url
    }

    /// The base URL of its API for programs on this machine, which may not be able to use the
    /// public URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/v1", self.running.shared.local_url)
    }

    /// The key that API requests must carry.
    #[must_use]
    pub fn api_key(&self) -> &str {
        &self.running.shared.options.api_key
    }

    /// The secret that signs callbacks.
    #[must_use]
    pub fn ipn_secret(&self) -> &str {
        &self.running.shared.options.ipn_secret
    }

    /// Options for a client of this sandbox.
    ///
    /// # Errors
    /// If the sandbox's keys cannot be sent in a header.
    pub fn client_options(&self) -> Result<ClientOptions, ClientSetUpError> {
        let options = &self.running.shared.options;
        let key = Secret::new(options.api_key.clone())?;
        let mut client = ClientOptions::new(self.url(), key);
        client.account = Some(Account {
            email: options.email.clone(),
            password: Secret::new(options.password.clone())?,
        });
        client.payout_secret = Some(Secret::new(options.payout_secret.clone())?);
        Ok(client)
    }

    /// All invoices with the house's order IDs, in no particular order.
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

    /// Opens a payment of an invoice; the house is notified of its status `waiting`.
    ///
    /// # Errors
    /// If the invoice does not exist or requires another currency.
    pub fn open(&self, invoice: &InvoiceId, currency: Currency) -> Result<PaymentId, SandboxError> {
        let invoice = number(invoice.as_str()).ok_or(SandboxError::UnknownInvoice)?;
        identifier(script::open(&self.running.shared, invoice, currency)?)
    }

    /// Applies an action to a payment. Returns the affected payment, which is a new one if the
    /// action creates a child.
    ///
    /// # Errors
    /// If the payment does not exist or its status does not permit the action.
    pub fn act(&self, payment: &PaymentId, action: &Action) -> Result<PaymentId, SandboxError> {
        let payment = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        identifier(script::act(&self.running.shared, payment, action)?)
    }

    /// Opens a payment of an invoice and applies an action to it.
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

    /// Sets the status of a payment to any text, after all scheduled steps, and notifies the house.
    ///
    /// # Errors
    /// If the payment does not exist.
    pub fn set_status(&self, payment: &PaymentId, status: &str) -> Result<(), SandboxError> {
        let payment = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        script::set_status(&self.running.shared, payment, status)
    }

    /// Sends a callback about a payment's current status, independently of its script.
    ///
    /// # Errors
    /// If the payment does not exist.
    pub fn call_back(&self, payment: &PaymentId) -> Result<(), SandboxError> {
        let payment = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        let shared = &self.running.shared;
        if !shared.read(|store| store.payments.contains_key(&payment)) {
            return Err(SandboxError::UnknownPayment);
        }
        script::notify(shared, payment);
        Ok(())
    }

    /// The amount to pay, in the payment's currency.
    ///
    /// # Errors
    /// If the payment does not exist.
    pub fn asked(&self, payment: &PaymentId) -> Result<Decimal, SandboxError> {
        let id = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        self.running
            .shared
            .read(|store| {
                let record = store.payments.get(&id);
                record.map(|record| record.pay_amount.clone())
            })
            .ok_or(SandboxError::UnknownPayment)
    }

    /// All payouts, in the order in which they were created.
    #[must_use]
    pub fn payouts(&self) -> Vec<PayoutView> {
        let shared = &self.running.shared;
        shared.read(|store| PayoutView::all(&store.payouts))
    }

    /// Injects faults into the next callbacks and requests. The default value ends all faults.
    pub fn inject_fault(&self, fault_injection: FaultInjection) {
        payout_script::set_faults(&self.running.shared, fault_injection);
    }

    /// Advances the sandbox's clock; payments that have waited too long expire.
    ///
    /// # Errors
    /// If the state cannot be written.
    pub fn pass_time(&self, passed: Duration) -> Result<(), SandboxError> {
        script::pass_time(&self.running.shared, passed)
    }

    /// Changes the price of a payment's coin to a percentage of its initial price, also for its
    /// children.
    ///
    /// # Errors
    /// If the payment does not exist.
    pub fn set_price(&self, payment: &PaymentId, percent: u32) -> Result<(), SandboxError> {
        let payment = number(payment.as_str()).ok_or(SandboxError::UnknownPayment)?;
        script::set_price(&self.running.shared, payment, percent)
    }

    /// The number of API requests received, including those answered with faults.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.running.shared.calls()
    }

    /// Invalidates all tokens of the account.
    pub fn forget_tokens(&self) {
        self.running.shared.forget_tokens();
    }

    /// All callbacks so far, in the order of their outcomes.
    #[must_use]
    pub fn callbacks(&self) -> Vec<Callback> {
        self.running.shared.callbacks().iter().cloned().collect()
    }

    /// Waits until all scripts of payments and payouts are finished and all callbacks are sent. A
    /// payout that an injected fault holds does not count.
    ///
    /// # Errors
    /// If that takes more than 30 seconds.
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
