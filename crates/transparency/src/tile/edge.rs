//! The right edge of a tree, which is all that is needed to append to it.

use tlog_tiles::{Error, Hash, HashReader, stored_hash_count};

use super::{FULL_WIDTH, HEIGHT, ReadError, SizeError, Tile, TileSource, changed_tiles};
use crate::MAXIMUM_TREE_SIZE;
use crate::checkpoint::Checkpoint;

/// The incomplete tiles of a tree, at most one per level.
#[derive(Debug, Clone)]
pub struct RightEdge {
    size: u64,
    root: Hash,
    tiles: Vec<StoredTile>,
}

/// A tile with its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTile {
    /// Its position.
    pub tile: Tile,
    /// Its hashes, one after the other.
    pub data: Vec<u8>,
}

impl RightEdge {
    /// The edge of the empty tree.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            size: 0,
            root: tlog_tiles::EMPTY_HASH,
            tiles: Vec::new(),
        }
    }

    /// Reads the edge of the tree of a checkpoint.
    ///
    /// # Errors
    /// If the source fails, or its tiles do not lead to the checkpoint's root.
    pub fn read<S: TileSource>(
        checkpoint: &Checkpoint,
        source: &S,
    ) -> Result<Self, ReadError<S::Error>> {
        let tiles = partial_tiles(checkpoint.size).map_err(|_| ReadError::OutOfRange)?;
        let data = source.read_tiles(&tiles).map_err(ReadError::Source)?;
        let has_lengths = data.len() == tiles.len()
            && (tiles.iter().zip(&data)).all(|(tile, data)| tile.data_length() == data.len());
        if !has_lengths {
            return Err(ReadError::Inconsistent);
        }
        let tiles = tiles.into_iter().zip(data);
        let mut edge = Self {
            size: checkpoint.size,
            root: checkpoint.root,
            tiles: tiles
                .map(|(tile, data)| StoredTile { tile, data })
                .collect(),
        };
        edge.root = tlog_tiles::tree_hash(edge.size, &edge.growth())
            .map_err(|_| ReadError::Inconsistent)?;
        if edge.root == checkpoint.root {
            Ok(edge)
        } else {
            Err(ReadError::Inconsistent)
        }
    }

    /// The size and the root of the tree.
    #[must_use]
    pub const fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            size: self.size,
            root: self.root,
        }
    }

    /// Appends leaf hashes and returns the tiles that are new or wider.
    ///
    /// # Errors
    /// If the tree would become too large; the edge is then unchanged.
    pub fn append(&mut self, leaves: &[Hash]) -> Result<Vec<StoredTile>, SizeError> {
        let added = u64::try_from(leaves.len()).map_err(|_| SizeError)?;
        let size = self.size.checked_add(added).ok_or(SizeError)?;
        let positions = changed_tiles(self.size, size)?;
        // Reading cannot fail: the edge has all hashes that appending and its tiles need.
        let grown = self.grow(leaves, size, &positions);
        let (root, changed) = grown.map_err(|_| SizeError)?;
        self.tiles = partial_tiles(size)?
            .into_iter()
            .filter_map(|tile| {
                let of_tile = |stored: &&StoredTile| stored.tile == tile;
                let new = changed.iter().find(of_tile);
                new.or_else(|| self.tiles.iter().find(of_tile)).cloned()
            })
            .collect();
        self.size = size;
        self.root = root;
        Ok(changed)
    }

    fn grow(
        &self,
        leaves: &[Hash],
        size: u64,
        positions: &[Tile],
    ) -> Result<(Hash, Vec<StoredTile>), Error> {
        let mut growth = self.growth();
        for (index, leaf) in (self.size..).zip(leaves) {
            let new = tlog_tiles::stored_hashes_for_record_hash(index, *leaf, &growth)?;
            growth.new.extend(new);
        }
        let root = tlog_tiles::tree_hash(size, &growth)?;
        let changed = positions.iter().map(|tile| {
            let data = tile.to_library().read_data(&growth)?;
            Ok(StoredTile { tile: *tile, data })
        });
        Ok((root, changed.collect::<Result<_, Error>>()?))
    }

    fn growth(&self) -> Growth<'_> {
        Growth {
            edge: self,
            first_new: stored_hash_count(self.size),
            new: Vec::new(),
        }
    }
}

/// The positions of the incomplete tiles of a tree.
fn partial_tiles(size: u64) -> Result<Vec<Tile>, SizeError> {
    if size > MAXIMUM_TREE_SIZE {
        return Err(SizeError);
    }
    let mut tiles = Vec::new();
    let mut hashes = size;
    for level in 0.. {
        if hashes == 0 {
            break;
        }
        let width = hashes % u64::from(FULL_WIDTH);
        hashes >>= HEIGHT;
        // A full tile is not a part of the edge: it is one hash of the next level.
        let width = u16::try_from(width).map_err(|_| SizeError)?;
        tiles.extend(Tile::new(level, hashes, width));
    }
    Ok(tiles)
}

/// The hashes of the edge and the ones that are appended to it, by their storage indexes.
struct Growth<'e> {
    edge: &'e RightEdge,
    first_new: u64,
    /// The hashes from the first index on that the tree does not have yet.
    new: Vec<Hash>,
}

impl Growth<'_> {
    fn read(&self, index: u64) -> Result<Hash, Error> {
        if let Some(offset) = index.checked_sub(self.first_new) {
            let offset = usize::try_from(offset).map_err(|_| Error::IndexesNotInTree)?;
            return self.new.get(offset).copied().ok_or(Error::IndexesNotInTree);
        }
        let needed = Tile::from_library(&tlog_tiles::Tile::from_index(HEIGHT, index));
        let of_tile = |stored: &&StoredTile| {
            (stored.tile.level, stored.tile.index) == (needed.level, needed.index)
        };
        let stored = self.edge.tiles.iter().find(of_tile);
        let stored = stored.ok_or(Error::IndexesNotInTree)?;
        stored.tile.to_library().hash_at_index(&stored.data, index)
    }
}

impl HashReader for Growth<'_> {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<Hash>, Error> {
        indexes.iter().map(|index| self.read(*index)).collect()
    }
}
