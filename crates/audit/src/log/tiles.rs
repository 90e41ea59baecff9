//! The tiles of hashes that a log serves, as a source for proofs. They prove nothing by themselves:
//! the functions that read from a source check that its tiles lead to the root of a checkpoint.

use std::collections::HashMap;
use std::sync::Arc;

use glasshouse_transparency::tile::{FULL_WIDTH, Tile, TilePath, TileSource};
use tokio::runtime::Handle;
use tokio::sync::Mutex;

use crate::fault::Fault;
use crate::log::source::{LogSource, fetch_tile};

/// More than the proofs about one size of a log need.
const MAXIMUM_CACHED: usize = 512;

/// Why tiles cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TileFailure {
    /// It is not known whether they are served.
    #[error(transparent)]
    Fault(Fault),
    /// A tile is not served, or has another length than it must have.
    #[error("{} is not served as a tile of {} hashes", TilePath::Hashes(*_0), _0.width())]
    Missing(Tile),
}

/// The tiles of a log of some size. Clones share what was read.
pub(crate) struct ServedTiles<S> {
    source: Arc<S>,
    /// The size of the log.
    size: u64,
    cache: Arc<Mutex<HashMap<Tile, Vec<u8>>>>,
}

impl<S> Clone for ServedTiles<S> {
    fn clone(&self) -> Self {
        Self {
            source: Arc::clone(&self.source),
            size: self.size,
            cache: Arc::clone(&self.cache),
        }
    }
}

impl<S: LogSource> ServedTiles<S> {
    pub(crate) fn new(source: Arc<S>, size: u64) -> Self {
        Self {
            source,
            size,
            cache: Arc::default(),
        }
    }

    /// Reads a tile. As a log need not keep the tiles of its former sizes, the tile is read as wide
    /// as it is now.
    pub(crate) async fn tile(&self, tile: Tile) -> Result<Vec<u8>, TileFailure> {
        let widest = self.widest(tile);
        let mut hashes = self.cached(widest).await?;
        hashes.truncate(tile.data_length());
        Ok(hashes)
    }

    async fn cached(&self, tile: Tile) -> Result<Vec<u8>, TileFailure> {
        if let Some(hashes) = self.cache.lock().await.get(&tile) {
            return Ok(hashes.clone());
        }
        let hashes = fetch_tile(&*self.source, tile)
            .await
            .map_err(TileFailure::Fault)?
            .filter(|hashes| hashes.len() == tile.data_length())
            .ok_or(TileFailure::Missing(tile))?;
        let mut cache = self.cache.lock().await;
        if cache.len() >= MAXIMUM_CACHED {
            cache.clear();
        }
        cache.insert(tile, hashes.clone());
        Ok(hashes)
    }

    /// The tile as wide as it is in the log.
    fn widest(&self, tile: Tile) -> Tile {
        let hashes_of_level = self
            .size
            .checked_shr(u32::from(tile.level()) * u64::from(FULL_WIDTH).ilog2())
            .unwrap_or(0);
        let first = tile.index().saturating_mul(FULL_WIDTH.into());
        let width = u16::try_from(hashes_of_level.saturating_sub(first)).unwrap_or(u16::MAX);
        let width = width.min(FULL_WIDTH).max(tile.width());
        Tile::new(tile.level(), tile.index(), width).unwrap_or(tile)
    }

    /// Calls a function that reads tiles, on a thread on which it may wait for them.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        function: impl FnOnce(&BlockingTiles<S>) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        let tiles = BlockingTiles {
            tiles: self.clone(),
            runtime: Handle::current(),
        };
        tokio::task::spawn_blocking(move || function(&tiles))
            .await
            .map_err(Fault::interrupted)
    }
}

/// The tiles of a log, for a thread that may wait.
pub(crate) struct BlockingTiles<S> {
    tiles: ServedTiles<S>,
    runtime: Handle,
}

impl<S: LogSource> TileSource for BlockingTiles<S> {
    type Error = TileFailure;

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, TileFailure> {
        let read = |tile: &Tile| self.runtime.block_on(self.tiles.tile(*tile));
        tiles.iter().map(read).collect()
    }
}
