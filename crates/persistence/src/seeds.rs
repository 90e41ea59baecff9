//! Seed pairs: the commitments to their server seeds, and the keys that these are derived from.

pub(crate) mod conversion;
pub(crate) mod key;
pub(crate) mod keys_in_use;
pub(crate) mod pairs;
pub(crate) mod published;
pub(crate) mod stored;

pub use key::SeedKeys;
pub use keys_in_use::seed_keys_in_use;
pub use pairs::{FirstSeedPairs, NextSeedPair, SeedRotation, UnrevealedPairs};
pub use published::{FormerSeedPair, SeedState};
pub use stored::{SeedCommitment, StoredServerSeed};
