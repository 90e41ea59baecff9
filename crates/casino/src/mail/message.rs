//! What a mail says, as it is stored until the mail is sent.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long a link that verifies an address can be used.
pub(crate) const VERIFICATION_VALIDITY: Duration = Duration::from_hours(24);
/// How long a link with which a password is chosen can be used.
pub(crate) const RECOVERY_VALIDITY: Duration = Duration::from_mins(30);
/// After this long, a mail that cannot be sent is given up.
const MAXIMUM_DELAY: Duration = Duration::from_hours(24);

/// What a mail says. Its text is written when it is sent.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Message {
    /// The link that verifies an address.
    VerifyAddress { username: String, token: String },
    /// To the address itself: it could not be added to the account.
    AddressRefused { username: String },
    /// The link with which a new password is chosen.
    RecoverPassword { username: String, token: String },
    /// An administrator has asked for such a link.
    RecoverAdministrator { username: String },
    /// Something has happened to the account.
    Notice(Notice),
}

/// Something that has happened to an account.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Notice {
    pub(crate) username: String,
    pub(crate) occasion: Occasion,
    pub(crate) at_micros: i64,
    /// The browser and operating system that it came from.
    pub(crate) device: Option<String>,
    /// The network address that it came from.
    pub(crate) address: Option<String>,
}

/// What has happened.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub(crate) enum Occasion {
    NewDevice,
    PasswordChanged,
    PasswordReset,
    PasswordRecovered,
    EmailChanged,
    EmailRemoved,
    SessionEnded,
    OtherSessionsEnded,
    /// The house ended all sessions.
    SessionsEndedByHouse,
    AuthenticatorEnabled,
    AuthenticatorRemoved,
    PasskeyAdded,
    PasskeyRemoved,
    RecoveryCodeUsed,
    RecoveryCodesReplaced,
    SecondFactorReset,
    DataExported,
    AccountClosed,
    WithdrawalRequested(TransferFacts),
    WithdrawalSent(TransferFacts),
    WithdrawalRejected {
        #[serde(flatten)]
        transfer: TransferFacts,
        reason: String,
    },
    WithdrawalReturned(TransferFacts),
}

/// A withdrawal, as its player knows it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct TransferFacts {
    /// The amount in US dollars.
    pub(crate) amount: String,
    /// The coin's name.
    pub(crate) currency: String,
    /// Where the coins go.
    pub(crate) destination: String,
}

impl Message {
    /// The name of the kind, for the operator.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::VerifyAddress { .. } => "verify_address",
            Self::AddressRefused { .. } => "address_refused",
            Self::RecoverPassword { .. } => "recover_password",
            Self::RecoverAdministrator { .. } => "recover_administrator",
            Self::Notice(_) => "notice",
        }
    }

    /// How long it is tried to send the mail: no longer than its link can be used.
    pub(crate) fn deadline(&self) -> Duration {
        match self {
            Self::VerifyAddress { .. } => VERIFICATION_VALIDITY.min(MAXIMUM_DELAY),
            Self::RecoverPassword { .. } => RECOVERY_VALIDITY,
            Self::AddressRefused { .. } | Self::RecoverAdministrator { .. } | Self::Notice(_) => {
                MAXIMUM_DELAY
            }
        }
    }
}
