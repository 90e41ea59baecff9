//! The formats against known answers, against each other, and against every small change.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics when an expectation fails"
)]

mod checkpoints;
mod entries;
mod go;
mod keys;
mod proofs;
mod receipts;
mod support;
mod tile_paths;
mod trees;
mod vectors;
mod witnesses;
