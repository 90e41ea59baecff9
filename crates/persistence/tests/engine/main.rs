//! What the group commit promises, asked of the crate's public interface on both databases: each
//! test has a database of its own, and makes its batches by holding the writer until all their work
//! is queued.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where something is not as it should be"
)]

mod batches;
mod connections;
mod constraints;
mod keys;
mod model;
mod notifications;
mod play;
mod proxy;
mod queues;
mod refusals;
mod support;
mod two_servers;
