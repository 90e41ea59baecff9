//! The audit log, its hash chain and its keys.

pub(crate) mod key;
pub(crate) mod log;
pub(crate) mod seal;

pub use key::AuditKeys;
pub use log::{AuditHead, AuditRecord, NewAuditRecord};
