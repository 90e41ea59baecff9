//! Tests the client against the running sandbox over HTTP, as the casino uses it.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails where a result is not as expected"
)]

mod api;
mod callbacks;
mod outcomes;
mod pages;
mod payout_failures;
mod payouts;
mod payouts_api;
mod restart;
mod support;
