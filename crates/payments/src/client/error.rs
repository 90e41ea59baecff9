//! Why a call to the provider gave no answer, or not the one that was hoped for.

use std::time::Duration;

use crate::fields::Malformed;

/// Why a call failed. Nothing of it carries a key, a password or a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The provider was not reached, is overloaded or out of order. Nothing was done; the call can
    /// be made again, not before the time that the provider asked for.
    #[error("the provider is not available: {reason}")]
    Unavailable {
        /// What happened.
        reason: String,
        /// When to come again, if the provider said so.
        retry_after: Option<Duration>,
    },
    /// The call went out and no answer came back, so what was asked for may have been done. Only
    /// calls that do something end like this.
    #[error("the provider may or may not have done it: {0}")]
    OutcomeUnknown(String),
    /// The provider has understood the call and says no.
    #[error("the provider refuses with {status} {code}: {message}")]
    Refused {
        /// The status of HTTP.
        status: u16,
        /// The provider's word for it.
        code: String,
        /// The provider's sentence for it.
        message: String,
    },
    /// The answer is not one that can be trusted. A call that does something may have been done.
    #[error("the provider's answer is malformed: {0}")]
    Malformed(#[from] Malformed),
    /// Listing needs the account's e-mail and password, which are not configured.
    #[error("the provider's account is not configured")]
    NoAccount,
    /// There are more payments than are ever listed at once.
    #[error("the provider has more payments to list than can be right")]
    TooMany,
    /// The call could not even be put together.
    #[error("the call to the provider cannot be made: {0}")]
    Unsendable(String),
}

impl ClientError {
    pub(super) fn unavailable(reason: impl Into<String>) -> Self {
        Self::Unavailable {
            reason: reason.into(),
            retry_after: None,
        }
    }

    /// Whether a call that does something may have been done in spite of this.
    #[must_use]
    pub const fn may_have_been_done(&self) -> bool {
        matches!(self, Self::OutcomeUnknown(_) | Self::Malformed(_))
    }

    /// Whether the same call may well succeed later.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}
