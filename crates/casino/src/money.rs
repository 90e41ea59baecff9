//! Deposits and withdrawals through the payment provider.

pub mod deposits;
pub mod payments;

pub(crate) mod cashier;
pub(crate) mod coin_book;
pub(crate) mod coins;
pub(crate) mod withdrawals;

pub use cashier::{Cashier, CashierOptions, RateTerms, TransferLimits};
pub use coin_book::CoinTerms;
pub use coins::{coin_terms, refresh_coins};
pub use withdrawals::{
    WithdrawalPage, WithdrawalRequest, WithdrawalRequested, read_withdrawals, request_withdrawal,
};
