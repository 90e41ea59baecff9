//! Tests of the group commit's guarantees through the crate's public interface, on both databases.
//! Each test has its own database and forms a batch by holding the writer until all of the batch's
//! jobs are queued.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests panic on unexpected results"
)]

mod batches;
mod connections;
mod constraints;
mod exposures;
mod keys;
mod model;
mod notifications;
mod play;
mod proxy;
mod queues;
mod receipts;
mod refusals;
mod requests;
mod sessions;
mod support;
mod two_servers;
