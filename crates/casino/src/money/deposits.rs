//! Deposits: invoices, status and reconciliation.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod reconcile;
pub(crate) mod status;

pub use create::{DepositRequest, create_deposit};
pub use list::{
    DepositView, Wagering, WageringLine, await_deposit, read_deposits, read_payments, read_wagering,
};
pub use reconcile::{Reconciled, reconcile, reconcile_due};
