//! Reading hashes from tiles that are not trusted until they lead to the root of the tree.

use std::cell::RefCell;

use tlog_tiles::{Error, TileHashReader, TileReader};

use super::{FULL_WIDTH, HEIGHT, Tile};
use crate::checkpoint::Checkpoint;

/// Where tiles are read from: a database, a server, or a cache.
pub trait TileSource {
    /// Why tiles cannot be read.
    type Error;

    /// The data of each of the tiles, `width` hashes of 32 bytes each, in the order of the tiles.
    /// Each tile is requested with the width that it has in the tree; if only a wider one is
    /// stored, its beginning is meant.
    ///
    /// # Errors
    /// If a tile cannot be read.
    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, Self::Error>;
}

impl<S: TileSource> TileSource for &S {
    type Error = S::Error;

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, Self::Error> {
        S::read_tiles(self, tiles)
    }
}

/// Why nothing can be computed from a log's tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadError<E> {
    /// The source failed.
    #[error("the tiles of the log cannot be read")]
    Source(#[source] E),
    /// The tiles are not those of the tree.
    #[error("the tiles of the log do not lead to the root of its tree")]
    Inconsistent,
    /// The tree does not have the entry or the earlier size that was asked for, or is too large.
    #[error("the tree has no such entry or size")]
    OutOfRange,
}

/// Calls a function of the library with a reader of the hashes of a checkpoint's tree, which are
/// verified against the root. The tree must not be empty.
pub(crate) fn with_hashes<S: TileSource, T>(
    source: &S,
    checkpoint: &Checkpoint,
    function: impl FnOnce(&TileHashReader<'_>) -> Result<T, Error>,
) -> Result<T, ReadError<S::Error>> {
    let tiles = Tiles {
        source,
        failure: RefCell::new(None),
    };
    let reader = TileHashReader::new(checkpoint.size, checkpoint.root, &tiles);
    let result = function(&reader);
    let failure = tiles.failure.into_inner();
    result.map_err(|_| failure.map_or(ReadError::Inconsistent, ReadError::Source))
}

/// Checks that each full tile is the one whose root is in the tile of the next level.
///
/// The library does the same, but skips as many tiles as the root has subtrees, some of which can be
/// in one tile. It requests the tile of the next level for each full tile, and derives the root from
/// all others.
fn check_parents(tiles: &[Tile], data: &[Vec<u8>]) -> Result<(), Error> {
    let has_lengths = data.len() == tiles.len()
        && (tiles.iter().zip(data)).all(|(tile, data)| tile.data_length() == data.len());
    if !has_lengths {
        return Err(Error::InvalidTile);
    }
    let stored = tiles.iter().zip(data);
    for (tile, data) in stored.clone() {
        if tile.width < FULL_WIDTH {
            continue;
        }
        let root = tlog_tiles::Tile::subtree_hash(data);
        let (parent, parent_data) = stored
            .clone()
            .find(|(parent, _)| tile.is_child_of(parent))
            .ok_or(Error::InconsistentTile)?;
        let index = tlog_tiles::stored_hash_index(parent.level * HEIGHT, tile.index);
        if parent.to_library().hash_at_index(parent_data, index)? != root {
            return Err(Error::InconsistentTile);
        }
    }
    Ok(())
}

/// A source as the library reads it. The library's errors cannot contain the source's, so that one
/// is kept aside.
struct Tiles<'s, S: TileSource> {
    source: &'s S,
    failure: RefCell<Option<S::Error>>,
}

impl<S: TileSource> TileReader for Tiles<'_, S> {
    fn height(&self) -> u8 {
        HEIGHT
    }

    fn read_tiles(&self, tiles: &[tlog_tiles::Tile]) -> Result<Vec<Vec<u8>>, Error> {
        let tiles: Vec<Tile> = tiles.iter().map(Tile::from_library).collect();
        let data = self.source.read_tiles(&tiles).map_err(|error| {
            self.failure.replace(Some(error));
            Error::InvalidTile
        })?;
        check_parents(&tiles, &data)?;
        Ok(data)
    }

    fn save_tiles(&self, _: &[tlog_tiles::Tile], _: &[Vec<u8>]) {}
}
