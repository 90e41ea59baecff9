//! Why a passkey cannot be added or used.

use glasshouse_domain::PasskeyNameError;

use super::code::{RefusalCode, RefusalKind};

/// Why a passkey cannot be added or used. The texts are shown to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyRefusal {
    /// The passkey is unknown, its signature is wrong, or it seems to have been copied. The text does
    /// not say which.
    #[error("This passkey cannot be used here. It may have been removed from your account.")]
    Invalid,
    /// The device has answered too late, or the answer was used before.
    #[error("This took too long. Please try again.")]
    CeremonyExpired,
    /// The house is reached by a number, and browsers have passkeys only for names.
    #[error("Passkeys cannot be used at this address.")]
    Unavailable,
    /// The user has the largest number of passkeys.
    #[error("You have 20 passkeys already. Please remove one first.")]
    TooMany,
    /// The user has no passkey.
    #[error("You have no passkey.")]
    None,
    /// The name is invalid.
    #[error(transparent)]
    Name(#[from] PasskeyNameError),
}

impl PasskeyRefusal {
    pub(super) const fn kind(self) -> RefusalKind {
        match self {
            Self::Invalid => RefusalKind::Unauthorized,
            Self::CeremonyExpired | Self::Unavailable | Self::TooMany | Self::None => {
                RefusalKind::Conflict
            }
            Self::Name(_) => RefusalKind::Invalid,
        }
    }

    pub(super) const fn code(self) -> RefusalCode {
        match self {
            Self::Invalid => RefusalCode::InvalidPasskey,
            Self::CeremonyExpired => RefusalCode::PasskeyCeremonyExpired,
            Self::Unavailable => RefusalCode::PasskeysUnavailable,
            Self::TooMany => RefusalCode::TooManyPasskeys,
            Self::None => RefusalCode::NoPasskey,
            Self::Name(_) => RefusalCode::InvalidPasskeyName,
        }
    }
}
