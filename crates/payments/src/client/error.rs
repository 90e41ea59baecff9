//! The ways in which a call to the provider fails.

use std::time::Duration;

use crate::fields::Malformed;

/// Why a call failed. No variant carries a key, a password or a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The call was not made, because the provider could not be reached or has asked for a pause.
    /// Nothing was done.
    #[error("the provider was not called: {reason}")]
    NotSent {
        /// Why the call was not made.
        reason: String,
        /// The remaining duration of the pause, if there is one.
        retry_after: Option<Duration>,
    },
    /// The provider is overloaded or failing. The call can be retried, but not before the time the
    /// provider gave.
    #[error("the provider is not available: {reason}")]
    Unavailable {
        /// How the call failed.
        reason: String,
        /// How long to wait before the next try, if the provider said so.
        retry_after: Option<Duration>,
    },
    /// The call was sent but not answered, so it may have been carried out. Only calls with side
    /// effects fail like this.
    #[error("the outcome of a call to the provider is unknown: {0}")]
    OutcomeUnknown(String),
    /// The provider has understood the call and refuses it.
    #[error("the provider refused with {status} {code}: {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The provider's error code.
        code: String,
        /// The provider's error message.
        message: String,
    },
    /// The answer cannot be trusted. A call with side effects may have been carried out.
    #[error("the provider's answer is malformed: {0}")]
    Malformed(#[from] Malformed),
    /// Listing payments and paying out require the account's email and password, which are not
    /// configured.
    #[error("the provider's account is not configured")]
    NoAccount,
    /// Verifying a payout requires the secret of the account's authenticator, which is not
    /// configured.
    #[error("the secret that verifies payouts is not configured")]
    NoPayoutSecret,
    /// There are more payments or payouts than a listing may return.
    #[error("the provider lists too many payments or payouts")]
    TooMany,
    /// The request could not be built.
    #[error("the request to the provider cannot be built: {0}")]
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
            reason: "the provider has asked for a pause".to_owned(),
            retry_after: Some(left),
        }
    }

    /// Whether the provider certainly did not receive the call. After any other error it may have
    /// carried it out.
    #[must_use]
    pub const fn was_not_sent(&self) -> bool {
        matches!(self, Self::NotSent { .. } | Self::Unsendable(_))
    }

    /// Whether it is unknown if a call with side effects was carried out.
    #[must_use]
    pub const fn may_have_been_done(&self) -> bool {
        matches!(self, Self::OutcomeUnknown(_) | Self::Malformed(_))
    }

    /// Whether the provider does not know what the call asked about.
    #[must_use]
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::Refused { status: 404, .. })
    }

    /// Whether the provider does not know the ID, or does not take it for one.
    #[must_use]
    pub const fn is_unknown_id(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                status: 400 | 404,
                ..
            }
        )
    }

    /// Whether the provider refused the request itself, and not our API key.
    #[must_use]
    pub const fn is_request_refused(&self) -> bool {
        match self {
            Self::Refused { status, .. } => !matches!(status, 401 | 403),
            _ => false,
        }
    }

    /// Whether the same call may succeed later.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::NotSent { .. } | Self::Unavailable { .. })
    }
}
