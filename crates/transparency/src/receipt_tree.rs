//! The Merkle tree (RFC 6962) of the receipts of one database commit.

use tlog_tiles::{Error, Hash, HashReader};

use crate::checkpoint::ReceiptsRoot;

/// The tree over the leaf hashes of one commit's receipts, in their order.
#[derive(Debug, Clone, Default)]
pub struct ReceiptTree {
    hashes: StoredHashes,
    size: u64,
}

/// A path does not lead from the leaf to the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the path does not lead from the receipt to the signed root")]
pub struct PathError;

impl ReceiptTree {
    /// Builds the tree.
    #[must_use]
    pub fn new(leaves: impl IntoIterator<Item = Hash>) -> Self {
        let mut tree = Self::default();
        for leaf in leaves {
            // Reading from memory cannot fail.
            let added = tlog_tiles::stored_hashes_for_record_hash(tree.size, leaf, &tree.hashes);
            tree.hashes.0.extend(added.unwrap_or_default());
            tree.size += 1;
        }
        tree
    }

    /// The size and the root of the tree, which are to be signed; `None` if it has no leaf.
    #[must_use]
    pub fn root(&self) -> Option<ReceiptsRoot> {
        if self.size == 0 {
            return None;
        }
        let root = tlog_tiles::tree_hash(self.size, &self.hashes).ok()?;
        Some(ReceiptsRoot {
            size: self.size,
            root,
        })
    }

    /// The path from a leaf to the root; `None` if there is no such leaf.
    #[must_use]
    pub fn path(&self, index: u64) -> Option<Vec<Hash>> {
        tlog_tiles::prove_record(self.size, index, &self.hashes).ok()
    }
}

/// Checks that a path leads from a receipt's leaf hash to the root.
///
/// # Errors
/// If it does not.
pub fn verify_path(
    path: &[Hash],
    index: u64,
    leaf: Hash,
    root: &ReceiptsRoot,
) -> Result<(), PathError> {
    tlog_tiles::check_record(&path.to_vec(), root.size, root.root, index, leaf)
        .map_err(|_| PathError)
}

/// The hashes of a tree in memory, in the order of their storage indexes.
#[derive(Debug, Clone, Default)]
struct StoredHashes(Vec<Hash>);

impl HashReader for StoredHashes {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<Hash>, Error> {
        let read = |index: &u64| {
            let index = usize::try_from(*index).ok();
            let hash = index.and_then(|index| self.0.get(index));
            hash.copied().ok_or(Error::IndexesNotInTree)
        };
        indexes.iter().map(read).collect()
    }
}
