//! Mails to be sent, users' addresses, and the links from mails that wait to be followed.

pub(crate) mod addresses;
pub(crate) mod declined_notices;
pub(crate) mod outbox;
pub(crate) mod records;
pub(crate) mod recoveries;
pub(crate) mod verifications;

pub use addresses::VerifiedAddress;
pub use outbox::{NewMail, WaitingMail};
pub use records::{AddressRecord, MailRecord};
pub use recoveries::PendingRecovery;
pub use verifications::PendingVerification;
