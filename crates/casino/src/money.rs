//! Deposits and withdrawals through the payment provider.

pub mod deposits;
pub mod payments;
pub mod payouts;

pub(crate) mod balance_cache;
pub(crate) mod cancel_withdrawal;
pub(crate) mod cashier;
pub(crate) mod coin_book;
pub(crate) mod coins;
pub(crate) mod provider_balance;
pub(crate) mod provider_watch;
pub(crate) mod withdrawal_addresses;
pub(crate) mod withdrawal_delay;
pub(crate) mod withdrawals;

pub use balance_cache::{CoinBalance, KnownBalance, ProviderBalance};
pub use cancel_withdrawal::cancel_withdrawal;
pub use cashier::{Cashier, CashierOptions, RateTerms, TransferLimits};
pub use coin_book::CoinTerms;
pub use coins::{coin_terms, refresh_coins};
pub use provider_balance::read_provider_balance;
pub use provider_watch::{ProviderWatch, watch_provider};
pub use withdrawal_addresses::{
    NewAddress, add_withdrawal_address, label_withdrawal_address, read_withdrawal_addresses,
    remove_withdrawal_address,
};
pub use withdrawal_delay::read_withdrawal_delay;
pub use withdrawals::{
    WithdrawalRequest, WithdrawalRequested, read_withdrawals, request_withdrawal,
};
