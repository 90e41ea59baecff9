//! A callback: before it is sent, and what came of it.

use glasshouse_payments::PaymentId;

/// A callback that was to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// The payment that it is about.
    pub payment: PaymentId,
    /// The status that it tells.
    pub status: String,
    /// Where it was sent.
    pub url: String,
    /// What was sent.
    pub body: String,
    /// The signature that was sent with it.
    pub signature: String,
    /// What came of it.
    pub outcome: CallbackOutcome,
}

/// What came of a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallbackOutcome {
    /// It was answered with this status of HTTP.
    Answered(u16),
    /// No answer came, for this reason.
    NoAnswer(String),
    /// It was not sent, as the sandbox was told.
    Dropped,
}

/// A callback before it is sent.
#[derive(Debug, Clone)]
pub(crate) struct OutgoingCallback {
    pub(crate) payment: u64,
    pub(crate) status: String,
    pub(crate) url: String,
    pub(crate) body: String,
}
