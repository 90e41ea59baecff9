//! The audit log, its chain and its key.

pub(crate) mod key;
pub(crate) mod log;
pub(crate) mod seal;

pub use key::{AuditKey, AuditKeys, AuditKeysError};
pub use log::{AuditHead, AuditRecord, NewAuditRecord};
