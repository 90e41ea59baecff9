//! A user's data and the end of the account: the export of everything that is stored, closing the account,
//! opening it again, and removing everything personal from it in the end.

pub(crate) mod close;
pub(crate) mod data_export;
pub(crate) mod pseudonymise;
pub(crate) mod reopen;

pub use close::{Closure, close_account};
pub use data_export::record_data_export;
pub use pseudonymise::{PseudonymisationPass, pseudonymise_accounts};
pub use reopen::reopen_account;
