//! Payments: callbacks, valuation and crediting.

pub(crate) mod assess;
pub(crate) mod credit;
pub(crate) mod ipn;
pub(crate) mod reviews;
pub(crate) mod settle;
pub(crate) mod unmatched;

pub use ipn::{IpnOutcome, handle_ipn};
