//! What was found to be wrong before the rounds are replayed, so that the rounds can be named.

use std::collections::{BTreeMap, BTreeSet};

use glasshouse_transparency::Hash;

/// No more is kept of each kind: the rounds that are named are only the first ones anyway.
const MAXIMUM: usize = 1_000;

/// Entries and batches that are wrong.
#[derive(Debug, Default)]
pub(crate) struct Suspects {
    /// What is wrong with entries, by their leaf hashes.
    entries: BTreeMap<[u8; 32], String>,
    /// Batches whose receipts are not what was signed.
    batches: BTreeSet<i64>,
}

impl Suspects {
    pub(crate) fn add_entry(&mut self, leaf: Hash, problem: String) {
        if self.entries.len() < MAXIMUM {
            self.entries.insert(leaf.0, problem);
        }
    }

    pub(crate) fn add_batch(&mut self, id: i64) {
        if self.batches.len() < MAXIMUM {
            self.batches.insert(id);
        }
    }

    /// What is wrong with an entry, if anything is.
    pub(crate) fn problem_of(&self, leaf: Hash) -> Option<&str> {
        self.entries.get(&leaf.0).map(String::as_str)
    }

    pub(crate) fn has_batch(&self, id: i64) -> bool {
        self.batches.contains(&id)
    }
}
