//! The sandbox's errors.

use std::net::SocketAddr;

/// An error of the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SandboxError {
    /// The invoice does not exist.
    #[error("Unknown invoice")]
    UnknownInvoice,
    /// The payment does not exist.
    #[error("Unknown payment")]
    UnknownPayment,
    /// The operation is not possible in the current state.
    #[error("{0}")]
    NotPossible(&'static str),
    /// The server cannot listen on its address.
    #[error("The sandbox cannot listen on {address}: {reason}")]
    Listening {
        /// The configured address.
        address: SocketAddr,
        /// The operating system's error message.
        reason: String,
    },
    /// The sandbox cannot start, or its data cannot be read or written.
    #[error("{0}")]
    Machine(String),
    /// Scripts and callbacks were not finished within the time limit.
    #[error("The sandbox is still busy")]
    StillAtWork,
}

impl SandboxError {
    pub(crate) fn machine(action: &str, error: impl std::fmt::Display) -> Self {
        Self::Machine(format!("{action}: {error}"))
    }
}
