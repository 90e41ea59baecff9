//! Security events: what happened to the access to an account.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::AuditAction;
use crate::stored_names::stored_names;

/// The kind of a security event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum SecurityEventKind {
    /// Somebody signed in, at the registration as well.
    SignedIn,
    /// A sign-in was refused because of a wrong password.
    SignInFailed,
    /// A session ended by signing out.
    SignedOut,
    /// The owner ended one of the other sessions.
    SessionEnded,
    /// The owner ended all other sessions.
    OtherSessionsEnded,
    /// The house ended all sessions.
    SessionsEndedByHouse,
    /// The password or the second factor was entered again in a session, for an action that requires it.
    Confirmed,
    /// A wrong password was entered in a session.
    ConfirmationFailed,
    /// The owner changed the password.
    PasswordChanged,
    /// The house replaced the password by a one-time password.
    PasswordReset,
    /// The owner chose a new password with a link from a mail.
    PasswordRecovered,
    /// The owner verified an e-mail address, the first one or another.
    EmailChanged,
    /// The owner removed the e-mail address.
    EmailRemoved,
    /// A sign-in with the right password was refused because of a wrong code.
    SecondFactorFailed,
    /// A wrong code was entered in a session.
    ConfirmationCodeFailed,
    /// The owner set up an authenticator, the first or another one.
    AuthenticatorEnabled,
    /// The owner removed the authenticator.
    AuthenticatorRemoved,
    /// The owner added a passkey.
    PasskeyAdded,
    /// The owner removed a passkey.
    PasskeyRemoved,
    /// A passkey's signature was wrong, or the passkey seems to have been copied.
    PasskeyFailed,
    /// A recovery code was used in place of the authenticator or the passkey.
    RecoveryCodeUsed,
    /// The owner replaced the recovery codes.
    RecoveryCodesReplaced,
    /// The house removed the second factor of a user who had lost it.
    SecondFactorReset,
    /// The owner downloaded everything that is stored about them.
    DataExported,
    /// The owner closed the account.
    AccountClosed,
    /// The operator opened the closed account again.
    AccountReopened,
}

stored_names!(SecurityEventKind);

impl SecurityEventKind {
    /// Whether anybody can cause any number of these events by trying passwords or codes.
    #[must_use]
    pub const fn is_failed_attempt(self) -> bool {
        matches!(
            self,
            Self::SignInFailed
                | Self::ConfirmationFailed
                | Self::SecondFactorFailed
                | Self::ConfirmationCodeFailed
                | Self::PasskeyFailed
        )
    }

    /// The action that the audit log records if this happens to an administrator's account. A passkey can
    /// be refused at a sign-in and in a session; this is the former.
    #[must_use]
    pub const fn audited(self) -> Option<AuditAction> {
        match self {
            Self::SignedIn => Some(AuditAction::SignedIn),
            Self::SignInFailed | Self::SecondFactorFailed | Self::PasskeyFailed => {
                Some(AuditAction::SignInRefused)
            }
            Self::SignedOut => Some(AuditAction::SignedOut),
            Self::Confirmed => Some(AuditAction::SessionConfirmed),
            Self::ConfirmationFailed | Self::ConfirmationCodeFailed => {
                Some(AuditAction::ConfirmationRefused)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failed_attempt_is_audited_as_a_refusal() {
        for kind in SecurityEventKind::ALL {
            let is_refusal = matches!(
                kind.audited(),
                Some(AuditAction::SignInRefused | AuditAction::ConfirmationRefused)
            );
            assert_eq!(is_refusal, kind.is_failed_attempt(), "{kind:?}");
        }
    }
}
