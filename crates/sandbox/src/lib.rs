//! The sandbox provider: a small server that speaks the payment provider's API, sends its signed
//! callbacks and shows a page to pay on, so that the whole of the money path runs with no account
//! and no internet (`docs/payments.md#sandbox`).
//!
//! This crate must not know the casino: it is reached over HTTP only, as the real provider is. No
//! money is in it, so its page lets anybody pay anything.

mod action;
mod api;
mod callback;
mod callback_record;
mod error;
mod fault_injection;
mod handle;
mod json;
mod options;
mod pages;
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
