//! E-mail addresses of users, and what can be done with a link from a mail: verify the address, and
//! choose a new password.
//!
//! No answer tells whether an address is known
//! (`docs/adr/0024-mails-are-queued-with-what-they-tell.md`).

pub(crate) mod address;
pub(crate) mod admission;
pub(crate) mod forget;
pub(crate) mod link_token;
pub(crate) mod purge;
pub(crate) mod records;
pub(crate) mod recovery;
pub(crate) mod register;
pub(crate) mod request_recovery;
pub(crate) mod verify;

pub use address::{EmailSettings, read_email, remove_email, request_email, set_notice};
pub use admission::{admit_link, admit_verification};
pub use purge::purge_email;
pub use records::{read_email_records, read_mails};
pub use recovery::recover_password;
pub use register::register_with_email;
pub use request_recovery::request_recovery;
pub use verify::verify_email;

pub use glasshouse_persistence::email::{AddressRecord, MailRecord};
