//! What the tests share: a fixed key, a log in memory, and changed copies of texts.

use std::collections::HashMap;
use std::convert::Infallible;

use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::keys::{SigningKeys, new_private_key};
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::tile::{RightEdge, StoredTile, Tile, TileSource};
use secrecy::ExposeSecret as _;

/// The origin of all examples.
pub(crate) fn origin() -> Origin {
    Origin::parse("play.example/glasshouse").unwrap()
}

/// The line of a private key that is the same in each test; keys differ by their number.
pub(crate) fn private_key(number: u8) -> String {
    new_private_key(&origin(), [number; 32])
        .expose_secret()
        .to_owned()
}

/// The keys with the given numbers.
pub(crate) fn signing_keys(numbers: &[u8]) -> SigningKeys {
    let lines: Vec<String> = numbers.iter().map(|number| private_key(*number)).collect();
    SigningKeys::parse(&lines.join("\n")).unwrap()
}

/// Some leaf hashes, the same in each test.
pub(crate) fn leaves(count: usize) -> Vec<Hash> {
    (0..count)
        .map(|number| tlog_tiles::record_hash(format!("entry {number}").as_bytes()))
        .collect()
}

/// A log whose tiles are in memory.
#[derive(Clone)]
pub(crate) struct MemoryLog {
    pub(crate) edge: RightEdge,
    pub(crate) tiles: HashMap<(u8, u64), Vec<u8>>,
}

impl MemoryLog {
    pub(crate) fn empty() -> Self {
        Self {
            edge: RightEdge::empty(),
            tiles: HashMap::new(),
        }
    }

    /// A log that was written in one step.
    pub(crate) fn of(leaves: &[Hash]) -> Self {
        let mut log = Self::empty();
        log.append(leaves);
        log
    }

    pub(crate) fn append(&mut self, leaves: &[Hash]) -> Vec<StoredTile> {
        let changed = self.edge.append(leaves).unwrap();
        for stored in &changed {
            assert_eq!(stored.data.len(), stored.tile.data_length());
            let position = (stored.tile.level(), stored.tile.index());
            self.tiles.insert(position, stored.data.clone());
        }
        changed
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint {
        self.edge.checkpoint()
    }
}

impl TileSource for MemoryLog {
    type Error = Infallible;

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, Infallible> {
        let read = |tile: &Tile| {
            let stored = &self.tiles[&(tile.level(), tile.index())];
            stored[..tile.data_length()].to_vec()
        };
        Ok(tiles.iter().map(read).collect())
    }
}

/// Copies of a text in which one character is changed, removed or doubled.
pub(crate) fn changed_copies(text: &str) -> impl Iterator<Item = String> {
    text.char_indices().flat_map(move |(start, letter)| {
        let (before, after) = (&text[..start], &text[start + letter.len_utf8()..]);
        let next_letter = char::from_u32(u32::from(letter) ^ 1).unwrap();
        let other_case = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
        [next_letter, other_case, '0', ' ', '\n', '=']
            .into_iter()
            .filter(move |other| *other != letter)
            .map(move |other| format!("{before}{other}{after}"))
            .chain([
                format!("{before}{after}"),
                format!("{before}{letter}{letter}{after}"),
            ])
            .filter(move |copy| copy != text)
    })
}
