//! Why a call to the provider gave no answer, or not the one that was hoped for.

use std::time::Duration;

use crate::fields::Malformed;

/// Why a call failed. Nothing of it carries a key, a password or a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The call was not made: the provider was not reached, or it has asked for a pause that is
    /// not over. Nothing was done.
    #[error("the provider was not asked: {reason}")]
    NotSent {
        /// What happened.
        reason: String,
        /// When the pause is over, if there is one.
        retry_after: Option<Duration>,
    },
    /// The provider is overloaded or out of order. The call can be made again, not before the time
    /// that the provider asked for.
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

    pub(super) fn paused(left: Duration) -> Self {
        Self::NotSent {
            reason: "it has asked for a pause".to_owned(),
            retry_after: Some(left),
        }
    }

    /// Whether the provider cannot have done what it was asked for. Every other error may be a
    /// mistaken answer to a call that was carried out.
    #[must_use]
    pub const fn was_not_sent(&self) -> bool {
        matches!(self, Self::NotSent { .. } | Self::Unsendable(_))
    }

    /// Whether there is no telling, from the answer, if a call that does something was done.
    #[must_use]
    pub const fn may_have_been_done(&self) -> bool {
        matches!(self, Self::OutcomeUnknown(_) | Self::Malformed(_))
    }

    /// Whether the same call may well succeed later.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::NotSent { .. } | Self::Unavailable { .. })
    }
}
