//! The payment of approved withdrawals (`docs/adr/0031-withdrawals-are-paid-once.md`).

pub(crate) mod claim;
pub(crate) mod progress;
pub(crate) mod quote;

mod automatic;
mod job;
mod plan;
mod step;

pub use glasshouse_payments::transaction_url;

pub use automatic::approve_automatically;
pub use quote::{CoinQuote, quote_withdrawal};
pub use step::{pay_due, pay_withdrawals};
