//! How many rows the check reads at once, so that its memory use does not grow with the data.

/// The number of rounds, seed pairs, receipts or audit records.
pub(crate) const ROWS_PER_CHUNK: i64 = 2_000;

/// The number of batches, each of which may have the entries of some hundred rounds.
pub(crate) const BATCHES_PER_CHUNK: i64 = 500;
