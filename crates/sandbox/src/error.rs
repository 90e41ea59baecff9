//! Why the sandbox does not do what it is told.

use std::net::SocketAddr;

/// Why the sandbox does not do what it is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SandboxError {
    /// There is no such invoice.
    #[error("There is no such invoice")]
    UnknownInvoice,
    /// There is no such payment.
    #[error("There is no such payment")]
    UnknownPayment,
    /// It makes no sense as things stand.
    #[error("{0}")]
    NotPossible(&'static str),
    /// It cannot listen where it is to.
    #[error("The sandbox cannot listen on {address}: {reason}")]
    Listening {
        /// Where it was to listen.
        address: SocketAddr,
        /// What the operating system says.
        reason: String,
    },
    /// It cannot start, or its data cannot be read or written.
    #[error("{0}")]
    Machine(String),
    /// It did not come to rest in time.
    #[error("The sandbox is still at work")]
    StillAtWork,
}

impl SandboxError {
    pub(crate) fn machine(what: &str, error: impl std::fmt::Display) -> Self {
        Self::Machine(format!("{what}: {error}"))
    }
}
