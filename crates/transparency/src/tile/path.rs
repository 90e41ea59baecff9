//! The addresses of tiles and bundles below the address of the log.

use std::fmt;
use std::str::FromStr;

use super::{Bundle, FULL_WIDTH, MAXIMUM_LEVEL, Tile};

/// What an address in the log names, such as `tile/0/x001/234` or `tile/entries/005.p/17`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TilePath {
    /// A tile of hashes.
    Hashes(Tile),
    /// A bundle of entries.
    Entries(Bundle),
}

/// The text is not the address of a tile or bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the path of a tile or bundle")]
pub struct TilePathError;

// The library reads and writes Go's older form, which names the height of tiles and calls entries
// data.
const LIBRARY_PREFIX: &str = "tile/8/";
const LIBRARY_ENTRIES: &str = "data";

impl FromStr for TilePath {
    type Err = TilePathError;

    fn from_str(text: &str) -> Result<Self, TilePathError> {
        let path = text.strip_prefix("tile/").ok_or(TilePathError)?;
        let (level, index) = path.split_once('/').ok_or(TilePathError)?;
        // The library panics on these numbers if they are out of range.
        let is_hashes = level != "entries";
        let is_level = |level: u8| level <= MAXIMUM_LEVEL;
        if is_hashes && !level.parse().is_ok_and(is_level) {
            return Err(TilePathError);
        }
        let is_partial_width = |width: u16| (1..FULL_WIDTH).contains(&width);
        if let Some((_, width)) = index.split_once(".p/")
            && !width.parse().is_ok_and(is_partial_width)
        {
            return Err(TilePathError);
        }
        let level = if is_hashes { level } else { LIBRARY_ENTRIES };
        let tile = tlog_tiles::Tile::from_path(&format!("{LIBRARY_PREFIX}{level}/{index}"))
            .map_err(|_| TilePathError)?;
        let tile = Tile::from_library(&tile);
        Ok(if is_hashes {
            Self::Hashes(tile)
        } else {
            Self::Entries(Bundle::of_tile(&tile))
        })
    }
}

impl fmt::Display for TilePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (level, tile) = match self {
            Self::Hashes(tile) => (tile.level.to_string(), *tile),
            Self::Entries(bundle) => ("entries".to_owned(), bundle.to_tile()),
        };
        let tile = Tile { level: 0, ..tile };
        let path = tile.to_library().path();
        let prefix = format!("{LIBRARY_PREFIX}0/");
        let index = path.strip_prefix(&prefix).unwrap_or(&path);
        write!(formatter, "tile/{level}/{index}")
    }
}
