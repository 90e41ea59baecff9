//! The sandbox provider: a small server that implements the payment provider's API, sends signed
//! callbacks and serves a payment page, so that all money flows work without an account and without
//! the internet (`docs/payments.md#sandbox`).
//!
//! This crate does not depend on the casino, which accesses it over HTTP like the real provider.
//! There is no real money in it, so anybody can pay anything on its page.

mod action;
mod api;
mod as_text;
mod callback;
mod callback_record;
mod error;
mod fault_injection;
mod handle;
mod json;
mod options;
mod pages;
mod payout_script;
mod payout_store;
mod payout_view;
mod random;
mod rates;
mod script;
mod server;
mod shared;
mod storage;
mod store;
mod wire;

pub use action::Action;
pub use callback_record::{Callback, CallbackOutcome};
pub use error::SandboxError;
pub use fault_injection::{Answer, FaultInjection};
pub use handle::Sandbox;
pub use options::SandboxOptions;
pub use payout_view::PayoutView;
