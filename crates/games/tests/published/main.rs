//! Published rounds: what is published of a round can be verified without its seeds, and no change
//! of it can.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod changes;
mod choices;
mod support;
mod terms;
mod vectors;
mod verified;
