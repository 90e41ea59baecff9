//! The refusals that have to do with e-mail addresses and with links from mails.

use glasshouse_domain::EmailAddressError;

use super::code::{RefusalCode, RefusalKind};

/// Why an address or a link is refused. None of the texts says whether an address is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EmailRefusal {
    /// The address is invalid.
    #[error(transparent)]
    Address(#[from] EmailAddressError),
    /// The user has no address to remove.
    #[error("There is no e-mail address to remove")]
    NoAddress,
    /// The link was used, has expired, or was replaced by a newer one.
    #[error("This link cannot be used (any more). Please ask for a new one.")]
    LinkUnusable,
    /// The address was not added; a mail to it says why.
    #[error("This address was not added. We have sent a mail to it that says why.")]
    AddressRefused,
}

impl EmailRefusal {
    pub(super) const fn kind(self) -> RefusalKind {
        match self {
            Self::Address(_) => RefusalKind::Invalid,
            Self::NoAddress | Self::AddressRefused => RefusalKind::Conflict,
            Self::LinkUnusable => RefusalKind::Unprocessable,
        }
    }

    pub(super) const fn code(self) -> RefusalCode {
        match self {
            Self::Address(_) => RefusalCode::InvalidEmail,
            Self::NoAddress => RefusalCode::NoEmail,
            Self::LinkUnusable => RefusalCode::LinkUnusable,
            Self::AddressRefused => RefusalCode::EmailRefused,
        }
    }
}
