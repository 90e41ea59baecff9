//! Deposits, withdrawals and the payment provider.

pub(crate) mod cryptocurrencies;
pub(crate) mod deposits;
pub(crate) mod ipn;
pub(crate) mod statements;
pub(crate) mod withdrawal_addresses;
pub(crate) mod withdrawals;
