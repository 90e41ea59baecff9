//! A user's data and the end of the account: the export of everything that is stored, closing the account
//! and opening it again.

pub(crate) mod close;
pub(crate) mod data_export;
pub(crate) mod reopen;

pub use close::{Closure, close_account};
pub use data_export::record_data_export;
pub use reopen::reopen_account;
