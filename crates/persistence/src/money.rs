//! Deposits, payments, withdrawals and payment reviews.

pub(crate) mod deposits;
pub(crate) mod payments;
pub(crate) mod payout;
pub(crate) mod payouts;
pub(crate) mod pending_callbacks;
pub(crate) mod reviews;
pub(crate) mod withdrawal_addresses;
pub(crate) mod withdrawal_risk;
pub(crate) mod withdrawals;

pub use deposits::{Deposit, DepositKey, NewDeposit};
pub use payments::{MatchStatus, NewPaymentCredit, PaymentRecord};
pub use payout::{Payout, PayoutStop, ProviderPayout};
pub use pending_callbacks::PendingCallback;
pub use reviews::NewReview;
pub use withdrawal_addresses::{NewWithdrawalAddress, WithdrawalAddress};
pub use withdrawal_risk::{AddressUse, PlayerTotals};
pub use withdrawals::{NewWithdrawal, PaidWithdrawal, Withdrawal};
