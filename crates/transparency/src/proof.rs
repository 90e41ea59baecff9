//! Proofs that an entry is in the log, and that a later log continues an earlier one (RFC 6962).

use tlog_tiles::{EMPTY_HASH, Hash};

use crate::MAXIMUM_TREE_SIZE;
use crate::checkpoint::Checkpoint;
use crate::tile::{ReadError, TileSource, with_hashes};

/// A proof does not prove what it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProof {
    /// The entry is not in the log.
    #[error("the proof does not show that the entry is in the log")]
    Inclusion,
    /// The later log does not continue the earlier one.
    #[error("the proof does not show that the later log continues the earlier one")]
    Consistency,
}

/// The checkpoint that the tree had at an earlier size.
///
/// # Errors
/// If the tree was never of that size, the source fails, or its tiles do not lead to the root.
pub fn checkpoint_at<S: TileSource>(
    size: u64,
    checkpoint: &Checkpoint,
    source: &S,
) -> Result<Checkpoint, ReadError<S::Error>> {
    if checkpoint.size > MAXIMUM_TREE_SIZE || size > checkpoint.size {
        return Err(ReadError::OutOfRange);
    }
    if size == 0 {
        return Ok(Checkpoint {
            size,
            root: EMPTY_HASH,
        });
    }
    let root = with_hashes(source, checkpoint, |hashes| {
        tlog_tiles::tree_hash(size, hashes)
    })?;
    Ok(Checkpoint { size, root })
}

/// The path from the entry with the given index to the root.
///
/// # Errors
/// If there is no such entry, the source fails, or its tiles do not lead to the root.
pub fn prove_inclusion<S: TileSource>(
    checkpoint: &Checkpoint,
    index: u64,
    source: &S,
) -> Result<Vec<Hash>, ReadError<S::Error>> {
    let Checkpoint { size, .. } = *checkpoint;
    if size > MAXIMUM_TREE_SIZE || index >= size {
        return Err(ReadError::OutOfRange);
    }
    with_hashes(source, checkpoint, |hashes| {
        tlog_tiles::prove_record(size, index, hashes)
    })
}

/// Verifies that an entry with the given index and leaf hash is in the log.
///
/// # Errors
/// If the path does not prove it.
pub fn verify_inclusion(
    path: &[Hash],
    index: u64,
    leaf: Hash,
    checkpoint: &Checkpoint,
) -> Result<(), InvalidProof> {
    tlog_tiles::check_record(
        &path.to_vec(),
        checkpoint.size,
        checkpoint.root,
        index,
        leaf,
    )
    .map_err(|_| InvalidProof::Inclusion)
}

/// The proof that the log of a checkpoint continues the one that had the given size. It is empty for
/// the size 0 and for the checkpoint's own size.
///
/// # Errors
/// If the log had no such size, the source fails, or its tiles do not lead to the root.
pub fn prove_consistency<S: TileSource>(
    old_size: u64,
    checkpoint: &Checkpoint,
    source: &S,
) -> Result<Vec<Hash>, ReadError<S::Error>> {
    let Checkpoint { size, .. } = *checkpoint;
    if size > MAXIMUM_TREE_SIZE || old_size > size {
        return Err(ReadError::OutOfRange);
    }
    if old_size == 0 || old_size == size {
        return Ok(Vec::new());
    }
    with_hashes(source, checkpoint, |hashes| {
        tlog_tiles::prove_tree(size, old_size, hashes)
    })
}

/// Verifies that a later log continues an earlier one: it begins with the same entries.
///
/// # Errors
/// If the proof does not prove it, or the later log is smaller.
pub fn verify_consistency(
    proof: &[Hash],
    old: &Checkpoint,
    new: &Checkpoint,
) -> Result<(), InvalidProof> {
    let is_proved = if old.size == 0 {
        // Every log continues the empty one; there is nothing to prove.
        proof.is_empty() && old.root == EMPTY_HASH && (new.size > 0 || new.root == EMPTY_HASH)
    } else {
        tlog_tiles::check_tree(&proof.to_vec(), new.size, new.root, old.size, old.root).is_ok()
    };
    if is_proved {
        Ok(())
    } else {
        Err(InvalidProof::Consistency)
    }
}
