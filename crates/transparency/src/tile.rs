//! Tiles, in which the log stores and serves the hashes of its tree (C2SP tlog-tiles).

use crate::MAXIMUM_TREE_SIZE;

mod edge;
mod path;
mod source;

pub use edge::{RightEdge, StoredTile};
pub use path::{TilePath, TilePathError};
pub(crate) use source::with_hashes;
pub use source::{ReadError, TileSource};

/// The number of hashes in a full tile, and of entries in a full bundle.
pub const FULL_WIDTH: u16 = 256;

/// The logarithm of [`FULL_WIDTH`].
const HEIGHT: u8 = 8;
/// The size of a hash in bytes.
const HASH_LENGTH: usize = 32;
const MAXIMUM_LEVEL: u8 = 63;

/// The position of up to 256 consecutive hashes of one level of tiles: level 0 has the leaf hashes,
/// and each hash of a higher level is the root of a full tile of the level below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    level: u8,
    index: u64,
    width: u16,
}

/// The position of up to 256 consecutive entries, which are served as one bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bundle {
    index: u64,
    width: u16,
}

/// A tree is larger than [`MAXIMUM_TREE_SIZE`], or smaller than the one that it follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the size of the tree is out of range")]
pub struct SizeError;

impl Tile {
    /// The tile with the given level up to 63, index within the level, and width of 1 to 256;
    /// `None` if one of them is out of range.
    #[must_use]
    pub fn new(level: u8, index: u64, width: u16) -> Option<Self> {
        let is_tile = level <= MAXIMUM_LEVEL && (1..=FULL_WIDTH).contains(&width);
        is_tile.then_some(Self {
            level,
            index,
            width,
        })
    }

    /// The level, counted from the leaf hashes.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// The index within the level.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// The number of hashes.
    #[must_use]
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// The size of the tile's data in bytes.
    #[must_use]
    pub fn data_length(&self) -> usize {
        usize::from(self.width) * HASH_LENGTH
    }

    /// Whether the other tile has the root of this one.
    fn is_child_of(&self, other: &Self) -> bool {
        (self.level + 1, self.index >> HEIGHT) == (other.level, other.index)
    }

    fn from_library(tile: &tlog_tiles::Tile) -> Self {
        // Tiles of this height are at most 256 wide.
        let width = u16::try_from(tile.width()).unwrap_or(FULL_WIDTH);
        Self {
            level: tile.level(),
            index: tile.level_index(),
            width,
        }
    }

    fn to_library(self) -> tlog_tiles::Tile {
        tlog_tiles::Tile::new(HEIGHT, self.level, self.index, self.width.into(), false)
    }
}

impl Bundle {
    /// The bundle with the given index and width of 1 to 256; `None` if the width is out of range.
    #[must_use]
    pub fn new(index: u64, width: u16) -> Option<Self> {
        Tile::new(0, index, width).map(|tile| Self::of_tile(&tile))
    }

    /// The index.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// The number of entries.
    #[must_use]
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// The bundle of the entries whose leaf hashes are in a tile of level 0.
    fn of_tile(tile: &Tile) -> Self {
        Self {
            index: tile.index,
            width: tile.width,
        }
    }

    fn to_tile(self) -> Tile {
        Tile {
            level: 0,
            index: self.index,
            width: self.width,
        }
    }
}

/// The tiles that are new or wider when a tree has grown from one size to another. A full tile never
/// changes again.
///
/// # Errors
/// If a size is out of range.
pub fn changed_tiles(old_size: u64, new_size: u64) -> Result<Vec<Tile>, SizeError> {
    if old_size > new_size || new_size > MAXIMUM_TREE_SIZE {
        return Err(SizeError);
    }
    let tiles = tlog_tiles::Tile::new_tiles(HEIGHT, old_size, new_size);
    Ok(tiles.iter().map(Tile::from_library).collect())
}

/// The bundles of entries that are new or wider when a tree has grown from one size to another.
///
/// # Errors
/// If a size is out of range.
pub fn changed_bundles(old_size: u64, new_size: u64) -> Result<Vec<Bundle>, SizeError> {
    let tiles = changed_tiles(old_size, new_size)?.into_iter();
    let leaves = tiles.filter(|tile| tile.level == 0);
    Ok(leaves.map(|tile| Bundle::of_tile(&tile)).collect())
}
