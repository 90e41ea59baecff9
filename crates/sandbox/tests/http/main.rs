//! The client against the running sandbox, over HTTP, as the casino will use it.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod api;
mod callbacks;
mod outcomes;
mod pages;
mod restart;
mod support;
