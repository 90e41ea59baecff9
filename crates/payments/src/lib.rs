//! The interface to the payment provider: its API, the signatures of its callbacks, what payments
//! are worth, and the validation of withdrawal addresses.
//!
//! This crate must not know players, balances, databases or HTTP routes.

pub mod address;
mod assessment;
mod client;
mod codes;
mod decimal;
mod exchange_rate;
mod explorer;
mod fields;
mod identifier;
mod invoice;
mod order;
mod payment;
mod payout;
pub mod signature;
mod status;

pub use assessment::{Rate, Terms, UnclearReason, Valuation, valuation};
pub use client::{
    Account, CallCounts, Client, ClientError, ClientOptions, ClientSetUpError, MinimumAmount,
    PaymentFilter, PayoutCode, RetryPolicy, Secret,
};
pub use codes::{currency_of, is_dollar_coin, provider_code};
pub use decimal::{Decimal, ParseDecimalError, ProportionError, proportion};
pub use exchange_rate::dollars_per_coin;
pub use explorer::{SANDBOX_TRANSACTION, transaction_url};
pub use fields::Malformed;
pub use identifier::{BatchId, InvoiceId, PaymentId, PayoutId};
pub use invoice::{Invoice, InvoiceRequest, PRICE_CURRENCY};
pub use order::{Mismatch, Order};
pub use payment::{CallbackPayload, Payment};
pub use payout::{Payout, PayoutRequest, PayoutStatus, payout_amount};
pub use status::PaymentStatus;
