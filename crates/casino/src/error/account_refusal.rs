//! The refusals of changes to an account and to what protects it.

use glasshouse_domain::{PasswordError, UsernameError};

use super::code::{RefusalCode, RefusalKind};

/// Why an account cannot be created or changed as requested. The texts are shown to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AccountRefusal {
    /// The username is invalid.
    #[error(transparent)]
    Username(#[from] UsernameError),
    /// The username is taken.
    #[error("Username already exists")]
    UsernameTaken,
    /// The password is invalid.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The password is on the list of common passwords.
    #[error("This password is among the most common ones. Please choose another.")]
    PasswordTooCommon,
    /// The password is on the list of passwords from data breaches.
    #[error("This password appeared in a data breach, so attackers try it. Please choose another.")]
    PasswordBreached,
    /// The password is too weak for an administrator, who can move money.
    #[error(
        "An administrator's password must have at least 12 characters and be hard to guess. Please \
         choose another."
    )]
    AdministratorPassword,
    /// The one-time password can no longer be used.
    #[error("This one-time password has expired. Please ask for a new one.")]
    OneTimePasswordExpired,
    /// The new password is the current one.
    #[error("The new password is the same as the current one. Please choose another.")]
    PasswordUnchanged,
    /// The user wants to end the session of the request like another one.
    #[error("This is the session that you are using. Log out to end it.")]
    CurrentSession,
    /// The session of the request has ended since the request arrived.
    #[error("Your session has ended. Please sign in again.")]
    SessionEnded,
    /// The user has not accepted the newest version of the Terms of Service.
    #[error("Please read and accept the Terms of Service to continue.")]
    TermsNotAccepted,
    /// The user accepts a version of the Terms of Service that is not the newest one.
    #[error("The Terms of Service have changed since you opened them. Please read them again.")]
    TermsChanged,
    /// The password was right, and the second factor is needed, too.
    #[error(
        "Please enter the code that your authenticator shows, or a recovery code, or use a passkey."
    )]
    SecondFactorRequired,
    /// The second factor is wrong, or was used before.
    #[error("This code is wrong or was already used. Please try the next one.")]
    InvalidSecondFactor,
    /// The user has no second factor.
    #[error("No second factor is set up.")]
    NoSecondFactor,
    /// No authenticator is being set up, or for too long.
    #[error("The set-up has expired. Please start again.")]
    EnrolmentExpired,
    /// An administrator cannot be without a second factor.
    #[error("Administrators need a second factor. Set up another one first.")]
    SecondFactorMandatory,
    /// The account is closed.
    #[error("This account is closed. Please contact us if you want to open it again.")]
    Closed,
    /// An account that is to be opened again is not closed.
    #[error("This account is not closed")]
    NotClosed,
    /// Everything personal was removed from the closed account, so that it has no owner any more.
    #[error(
        "This account was closed so long ago that everything personal was removed from it. It cannot be \
         changed or opened again."
    )]
    Pseudonymised,
}

impl AccountRefusal {
    pub(super) const fn kind(self) -> RefusalKind {
        match self {
            Self::Username(_) => RefusalKind::Invalid,
            Self::SessionEnded | Self::InvalidSecondFactor => RefusalKind::Unauthorized,
            Self::OneTimePasswordExpired
            | Self::TermsNotAccepted
            | Self::SecondFactorRequired
            | Self::SecondFactorMandatory
            | Self::Closed => RefusalKind::Forbidden,
            Self::UsernameTaken
            | Self::CurrentSession
            | Self::TermsChanged
            | Self::NoSecondFactor
            | Self::EnrolmentExpired
            | Self::NotClosed
            | Self::Pseudonymised => RefusalKind::Conflict,
            Self::Password(_)
            | Self::PasswordTooCommon
            | Self::PasswordBreached
            | Self::AdministratorPassword
            | Self::PasswordUnchanged => RefusalKind::Unprocessable,
        }
    }

    pub(super) const fn code(self) -> RefusalCode {
        match self {
            Self::Username(_) => RefusalCode::InvalidUsername,
            Self::UsernameTaken => RefusalCode::UsernameTaken,
            Self::Password(_) => RefusalCode::InvalidPassword,
            Self::PasswordTooCommon | Self::AdministratorPassword => RefusalCode::PasswordTooCommon,
            Self::PasswordBreached => RefusalCode::PasswordBreached,
            Self::OneTimePasswordExpired => RefusalCode::OneTimePasswordExpired,
            Self::PasswordUnchanged => RefusalCode::PasswordUnchanged,
            Self::CurrentSession => RefusalCode::CurrentSession,
            Self::SessionEnded => RefusalCode::SessionEnded,
            Self::TermsNotAccepted => RefusalCode::TermsNotAccepted,
            Self::TermsChanged => RefusalCode::TermsChanged,
            Self::SecondFactorRequired => RefusalCode::SecondFactorRequired,
            Self::InvalidSecondFactor => RefusalCode::InvalidSecondFactor,
            Self::NoSecondFactor => RefusalCode::NoSecondFactor,
            Self::EnrolmentExpired => RefusalCode::EnrolmentExpired,
            Self::SecondFactorMandatory => RefusalCode::SecondFactorMandatory,
            Self::Closed => RefusalCode::AccountClosed,
            Self::NotClosed => RefusalCode::AccountNotClosed,
            Self::Pseudonymised => RefusalCode::AccountPseudonymised,
        }
    }
}
