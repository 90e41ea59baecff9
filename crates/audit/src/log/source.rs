//! Where the files of a log come from.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_transparency::entry::{BundleError, decode_bundle};
use glasshouse_transparency::tile::{Bundle, FULL_WIDTH, Tile, TilePath};

use crate::fault::Fault;

/// A file that is missing although the log must have it is asked for this often, because a partial
/// one is replaced by the full one at some moment.
const ATTEMPTS: u32 = 3;
const DELAY: Duration = Duration::from_millis(300);

/// The files of a log: a server, or memory in measurements.
pub trait LogSource: Send + Sync + 'static {
    /// Reads a tile or bundle; `None` if it does not exist.
    ///
    /// # Errors
    /// If it is not known whether it exists.
    fn read(&self, path: TilePath) -> impl Future<Output = Result<Option<Vec<u8>>, Fault>> + Send;
}

impl<S: LogSource> LogSource for Arc<S> {
    fn read(&self, path: TilePath) -> impl Future<Output = Result<Option<Vec<u8>>, Fault>> + Send {
        S::read(self, path)
    }
}

/// A bundle of entries as it was served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedBundle {
    /// The bundle that was wanted.
    pub bundle: Bundle,
    /// Whether the full bundle was served, of which the wanted one is the beginning.
    pub is_full: bool,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl ServedBundle {
    /// The index of the first entry.
    #[must_use]
    pub const fn first(&self) -> u64 {
        first_of(self.bundle)
    }

    /// The wanted entries.
    ///
    /// # Errors
    /// If the bytes are not entries in the format of bundles.
    pub fn entries(&self) -> Result<Vec<&[u8]>, BundleError> {
        let served = if self.is_full {
            FULL_WIDTH
        } else {
            self.bundle.width()
        };
        let mut entries = decode_bundle(&self.bytes, served)?;
        entries.truncate(self.bundle.width().into());
        Ok(entries)
    }

    /// The text of the entry with this index in the log, as far as it is text; empty if there is
    /// none.
    #[must_use]
    pub fn line(&self, index: u64) -> String {
        let offset = index.checked_sub(self.first());
        let offset = offset.and_then(|offset| usize::try_from(offset).ok());
        let entries = self.entries().unwrap_or_default();
        let line = offset.and_then(|offset| entries.get(offset).copied());
        String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
    }
}

/// The index of a bundle's first entry.
pub(crate) const fn first_of(bundle: Bundle) -> u64 {
    bundle.index().saturating_mul(FULL_WIDTH as u64)
}

/// Reads a bundle; `None` if it is not served. A partial bundle may have been replaced by the full
/// one in the meantime.
pub(crate) async fn fetch_bundle(
    source: &impl LogSource,
    bundle: Bundle,
) -> Result<Option<ServedBundle>, Fault> {
    let full = Bundle::new(bundle.index(), FULL_WIDTH);
    let full = full.filter(|full| *full != bundle);
    let read = read_either(
        source,
        TilePath::Entries(bundle),
        full.map(TilePath::Entries),
    );
    let served = read.await?.map(|(is_full, bytes)| ServedBundle {
        bundle,
        is_full,
        bytes,
    });
    Ok(served)
}

/// Reads the hashes of a tile, as many as it is wide; `None` if they are not served.
pub(crate) async fn fetch_tile(
    source: &impl LogSource,
    tile: Tile,
) -> Result<Option<Vec<u8>>, Fault> {
    let full = Tile::new(tile.level(), tile.index(), FULL_WIDTH);
    let full = full.filter(|full| *full != tile);
    let read = read_either(source, TilePath::Hashes(tile), full.map(TilePath::Hashes));
    let hashes = read.await?.map(|(_, mut bytes)| {
        bytes.truncate(tile.data_length());
        bytes
    });
    Ok(hashes)
}

/// Reads the first of two files that exists, and whether it was the second.
async fn read_either(
    source: &impl LogSource,
    first: TilePath,
    second: Option<TilePath>,
) -> Result<Option<(bool, Vec<u8>)>, Fault> {
    for attempt in 1..=ATTEMPTS {
        if let Some(bytes) = source.read(first).await? {
            return Ok(Some((false, bytes)));
        }
        if let Some(second) = second
            && let Some(bytes) = source.read(second).await?
        {
            return Ok(Some((true, bytes)));
        }
        if attempt < ATTEMPTS {
            tokio::time::sleep(DELAY).await;
        }
    }
    Ok(None)
}
