//! The formats that make the house verifiable: receipts, the public log's entries, checkpoints,
//! tiles and proofs, and what witnesses sign.
//!
//! Pure: no I/O, database, clock or randomness; callers pass in tiles, times and random bytes. The
//! formats are those of C2SP (signed-note, tlog-checkpoint, tlog-tiles, tlog-cosignature,
//! tlog-witness), so that other tools can verify them. Parsers are strict: a text that differs in any
//! way from what this crate would have written is refused.

pub mod checkpoint;
pub mod cosignature;
pub mod entry;
pub mod keys;
pub mod origin;
pub mod proof;
pub mod receipt;
pub mod receipt_tree;
pub mod tile;
pub mod time;
pub mod witness;

mod encoding;

pub use tlog_tiles::{EMPTY_HASH, Hash};

/// The largest tree that is accepted. Larger sizes, which no log reaches, would overflow the
/// arithmetic of tiles and of browsers.
pub const MAXIMUM_TREE_SIZE: u64 = (1 << 53) - 1;
