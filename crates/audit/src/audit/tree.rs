//! Proves that entries are those of a signed tree: their hashes are appended to the tree of the
//! entries before, and the result is compared with the signed one.

use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::leaf_hash;
use glasshouse_transparency::proof::{checkpoint_at, prove_inclusion, verify_inclusion};
use glasshouse_transparency::tile::{
    FULL_WIDTH, ReadError, RightEdge, SizeError, StoredTile, Tile, TileSource,
};

use crate::audit::contradiction::Contradiction;
use crate::audit::failure::Failure;
use crate::fault::Fault;
use crate::log::{LogSource, ServedTiles, TileFailure};

/// What came of comparing entries with the signed tree.
pub(crate) enum TreeCheck {
    /// They are those of the signed tree, whose edge is now this one.
    Grown(Box<RightEdge>),
    /// An entry is another one than in the signed tree.
    Differs(Difference),
}

/// The first entry that is not in the signed tree.
pub(crate) struct Difference {
    /// The index.
    pub(crate) index: u64,
    /// Its leaf hash.
    pub(crate) served: Hash,
    /// The leaf hash in the signed tree.
    pub(crate) signed: Hash,
}

/// Appends leaf hashes to the tree of the entries before, and compares the result with the signed
/// tree. Nothing is believed but the signed root: the served tiles must lead to it.
pub(crate) async fn check_tree<S: LogSource>(
    tiles: &ServedTiles<S>,
    edge: &RightEdge,
    leaves: Vec<Hash>,
    target: Checkpoint,
) -> Result<TreeCheck, Failure> {
    let mut edge = edge.clone();
    let size = target.size;
    tiles
        .read(move |tiles| {
            let start = edge.checkpoint().size;
            let changed = edge.append(&leaves).map_err(too_large)?;
            let position = edge.checkpoint();
            match checkpoint_at(position.size, &target, tiles) {
                Ok(signed) if signed == position => Ok(TreeCheck::Grown(Box::new(edge))),
                Ok(_) => first_difference(tiles, start, &leaves, target),
                Err(ReadError::Inconsistent) => {
                    Err(wrong_tile(tiles, start, &leaves, &changed, target))
                }
                Err(error) => Err(unreadable(error, size, start)),
            }
        })
        .await?
}

/// Reads the edge of the tree at an earlier size, which was verified before.
pub(crate) async fn edge_of<S: LogSource>(
    tiles: &ServedTiles<S>,
    position: Checkpoint,
    target: Checkpoint,
) -> Result<RightEdge, Failure> {
    tiles
        .read(move |tiles| {
            RightEdge::read(&position, tiles)
                .map_err(|error| unreadable(error, target.size, position.size))
        })
        .await?
}

/// Finds the first entry that is not in the signed tree.
fn first_difference<T: TileSource<Error = TileFailure>>(
    tiles: &T,
    start: u64,
    leaves: &[Hash],
    target: Checkpoint,
) -> Result<TreeCheck, Failure> {
    for (index, served) in (start..).zip(leaves) {
        let path = prove_inclusion(&target, index, tiles)
            .map_err(|error| unreadable(error, target.size, index))?;
        if verify_inclusion(&path, index, *served, &target).is_err() {
            return Ok(TreeCheck::Differs(Difference {
                index,
                served: *served,
                signed: leaf_in(tiles, index, target)?,
            }));
        }
    }
    // The leaves lead to another root, so one of them differs.
    Err(Contradiction::WrongTiles {
        size: target.size,
        at: start,
    }
    .into())
}

/// The leaf hash in a tile that was verified by the proof before.
fn leaf_in<T: TileSource<Error = TileFailure>>(
    tiles: &T,
    index: u64,
    target: Checkpoint,
) -> Result<Hash, Failure> {
    let hashes = read_leaf_tile(tiles, index / u64::from(FULL_WIDTH), target)?;
    let offset = usize::try_from(index % u64::from(FULL_WIDTH)).map_err(Fault::interrupted)?;
    Ok(hashes
        .get(offset)
        .copied()
        .unwrap_or_else(|| leaf_hash(b"")))
}

fn read_leaf_tile<T: TileSource<Error = TileFailure>>(
    tiles: &T,
    tile_index: u64,
    target: Checkpoint,
) -> Result<Vec<Hash>, Failure> {
    let Some(tile) = leaf_tile(tile_index, target) else {
        return Ok(Vec::new());
    };
    let data = tiles
        .read_tiles(&[tile])
        .map_err(|error| unreadable(ReadError::Source(error), target.size, 0))?;
    Ok(data.iter().flat_map(|data| hashes_of(data)).collect())
}

/// The tile of level 0 with this index, as wide as it is in the signed tree.
fn leaf_tile(index: u64, target: Checkpoint) -> Option<Tile> {
    let first = index.checked_mul(FULL_WIDTH.into())?;
    let width = target.size.checked_sub(first)?.min(FULL_WIDTH.into());
    Tile::new(0, index, u16::try_from(width).ok()?)
}

fn hashes_of(data: &[u8]) -> impl Iterator<Item = Hash> {
    data.as_chunks().0.iter().map(|hash| Hash(*hash))
}

/// Says which of the served tiles does not agree with the entries.
fn wrong_tile<T: TileSource<Error = TileFailure>>(
    tiles: &T,
    start: u64,
    leaves: &[Hash],
    changed: &[StoredTile],
    target: Checkpoint,
) -> Failure {
    let found = wrong_leaf_tile(tiles, start, leaves, target).and_then(|wrong| match wrong {
        Some(wrong) => Ok(Some(wrong)),
        None => wrong_upper_tile(tiles, changed, target.size),
    });
    match found {
        Err(failure) => failure,
        Ok(Some((tile, at))) => Contradiction::WrongTile {
            tile,
            at,
            size: target.size,
        }
        .into(),
        Ok(None) => Contradiction::WrongTiles {
            size: target.size,
            at: start,
        }
        .into(),
    }
}

fn wrong_leaf_tile<T: TileSource<Error = TileFailure>>(
    tiles: &T,
    start: u64,
    leaves: &[Hash],
    target: Checkpoint,
) -> Result<Option<(Tile, u64)>, Failure> {
    let mut known: Option<(u64, Vec<Hash>)> = None;
    for (index, leaf) in (start..).zip(leaves) {
        let tile_index = index / u64::from(FULL_WIDTH);
        if known.as_ref().is_none_or(|(known, _)| *known != tile_index) {
            known = Some((tile_index, read_leaf_tile(tiles, tile_index, target)?));
        }
        let offset = usize::try_from(index % u64::from(FULL_WIDTH)).map_err(Fault::interrupted)?;
        let served = known.as_ref().and_then(|(_, hashes)| hashes.get(offset));
        if served != Some(leaf) {
            return Ok(leaf_tile(tile_index, target).map(|tile| (tile, index)));
        }
    }
    Ok(None)
}

fn wrong_upper_tile<T: TileSource<Error = TileFailure>>(
    tiles: &T,
    changed: &[StoredTile],
    size: u64,
) -> Result<Option<(Tile, u64)>, Failure> {
    for stored in changed.iter().filter(|stored| stored.tile.level() > 0) {
        let served = tiles
            .read_tiles(&[stored.tile])
            .map_err(|error| unreadable(ReadError::Source(error), size, 0))?;
        if served.first() != Some(&stored.data) {
            let entries_per_tile = u64::from(FULL_WIDTH)
                .checked_pow(u32::from(stored.tile.level()) + 1)
                .unwrap_or(u64::MAX);
            let first = stored.tile.index().saturating_mul(entries_per_tile);
            return Ok(Some((stored.tile, first)));
        }
    }
    Ok(None)
}

/// What it means that tiles cannot be read. `at` is the number of entries verified before.
pub(crate) fn unreadable(error: ReadError<TileFailure>, size: u64, at: u64) -> Failure {
    match error {
        ReadError::Source(TileFailure::Fault(fault)) => fault.into(),
        ReadError::Source(TileFailure::Missing(tile)) => {
            Contradiction::TileMissing { tile, size }.into()
        }
        ReadError::Inconsistent => Contradiction::WrongTiles { size, at }.into(),
        ReadError::OutOfRange => Fault::interrupted("a size is out of range").into(),
    }
}

fn too_large(error: SizeError) -> Failure {
    Fault::interrupted(error).into()
}
