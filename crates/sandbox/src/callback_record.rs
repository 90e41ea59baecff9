//! Callbacks: pending ones, and the record of those sent.

use glasshouse_payments::PaymentId;

/// A callback that was sent, or dropped by an injected fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// The payment concerned.
    pub payment: PaymentId,
    /// The reported status.
    pub status: String,
    /// The callback URL.
    pub url: String,
    /// The request body.
    pub body: String,
    /// The signature header.
    pub signature: String,
    /// The outcome.
    pub outcome: CallbackOutcome,
}

/// The outcome of a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallbackOutcome {
    /// The house responded with this HTTP status.
    Answered(u16),
    /// There was no response, for this reason.
    NoAnswer(String),
    /// It was not sent because of an injected fault.
    Dropped,
}

/// A callback that has not been sent yet.
#[derive(Debug, Clone)]
pub(crate) struct OutgoingCallback {
    pub(crate) payment: u64,
    pub(crate) status: String,
    pub(crate) url: String,
    pub(crate) body: String,
}
