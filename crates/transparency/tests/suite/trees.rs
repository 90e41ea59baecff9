//! Growing a tree by its tiles gives the same tiles and roots as building it at once.

use std::collections::HashMap;

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::receipt_tree::ReceiptTree;
use glasshouse_transparency::tile::{
    Bundle, ReadError, RightEdge, SizeError, Tile, TileSource, changed_bundles, changed_tiles,
};
use glasshouse_transparency::{EMPTY_HASH, Hash, MAXIMUM_TREE_SIZE};
use proptest::prelude::*;

use crate::support::{MemoryLog, leaves};

fn tile(level: u8, index: u64, width: u16) -> Tile {
    Tile::new(level, index, width).unwrap()
}

#[test]
fn changed_tiles_are_as_specified() {
    let check = |old, new, expected: &[Tile]| {
        assert_eq!(changed_tiles(old, new).unwrap(), expected, "{old} to {new}");
    };
    check(0, 0, &[]);
    check(7, 7, &[]);
    check(0, 1, &[tile(0, 0, 1)]);
    check(1, 255, &[tile(0, 0, 255)]);
    // The specification's examples: 256 leaves are a full tile and the first hash of level 1.
    check(255, 256, &[tile(0, 0, 256), tile(1, 0, 1)]);
    check(256, 257, &[tile(0, 1, 1)]);
    check(257, 513, &[tile(0, 1, 256), tile(0, 2, 1), tile(1, 0, 2)]);
    let all = changed_tiles(0, 70_000).unwrap();
    assert_eq!(all.len(), 273 + 1 + 1 + 1 + 1);
    for partial in [
        tile(0, 273, 112),
        tile(1, 0, 256),
        tile(1, 1, 17),
        tile(2, 0, 1),
    ] {
        assert!(all.contains(&partial), "{partial:?}");
    }
    for (old, new) in [
        (2, 1),
        (0, MAXIMUM_TREE_SIZE + 1),
        (0, u64::MAX),
        (u64::MAX, u64::MAX),
    ] {
        assert_eq!(changed_tiles(old, new), Err(SizeError), "{old} to {new}");
        assert_eq!(changed_bundles(old, new), Err(SizeError), "{old} to {new}");
    }
    let last = changed_tiles(MAXIMUM_TREE_SIZE - 1, MAXIMUM_TREE_SIZE).unwrap();
    assert_eq!(last, [tile(0, MAXIMUM_TREE_SIZE / 256, 255)]);
}

#[test]
fn changed_bundles_have_the_new_entries() {
    let bundles = |pairs: &[(u64, u16)]| -> Vec<Bundle> {
        let bundle = |(index, width): &(u64, u16)| Bundle::new(*index, *width).unwrap();
        pairs.iter().map(bundle).collect()
    };
    assert_eq!(changed_bundles(255, 256), Ok(bundles(&[(0, 256)])));
    assert_eq!(changed_bundles(300, 513), Ok(bundles(&[(1, 256), (2, 1)])));
}

/// The tiles and the root by definition: each hash of a level is the root of 256 of the level below.
fn expected_tiles(leaves: &[Hash]) -> HashMap<(u8, u64), Vec<u8>> {
    let mut tiles = HashMap::new();
    let mut hashes = leaves.to_vec();
    for level in 0.. {
        if hashes.is_empty() {
            break;
        }
        for (index, chunk) in (0..).zip(hashes.chunks(256)) {
            let data: Vec<u8> = chunk.iter().flat_map(|hash| hash.0).collect();
            tiles.insert((level, index), data);
        }
        let full = hashes.chunks_exact(256);
        hashes = full.map(root_of).collect();
    }
    tiles
}

fn root_of(leaves: &[Hash]) -> Hash {
    let tree = ReceiptTree::new(leaves.iter().copied());
    tree.root().map_or(EMPTY_HASH, |root| root.root)
}

fn check_steps(steps: &[usize]) {
    let all = leaves(steps.iter().sum());
    let mut log = MemoryLog::empty();
    let mut size = 0;
    for step in steps {
        let changed = log.append(&all[size..size + step]);
        let positions: Vec<Tile> = changed.iter().map(|stored| stored.tile).collect();
        let new_size = size + step;
        let expected = changed_tiles(size as u64, new_size as u64).unwrap();
        assert_eq!(positions, expected, "{size} to {new_size}");
        size = new_size;
        let expected = Checkpoint {
            size: size as u64,
            root: root_of(&all[..size]),
        };
        assert_eq!(log.checkpoint(), expected);
        // What was written is enough to continue after a restart.
        log.edge = RightEdge::read(&log.checkpoint(), &log).unwrap();
        assert_eq!(log.checkpoint(), expected);
    }
    assert_eq!(log.tiles, expected_tiles(&all));
}

#[test]
fn a_tree_grows_the_same_in_any_steps() {
    check_steps(&[0]);
    check_steps(&[1; 300]);
    check_steps(&[255, 1, 1, 0, 255, 256, 257]);
    check_steps(&[65_535, 1, 1, 600]);
}

#[test]
fn an_edge_that_does_not_lead_to_the_root_is_refused() {
    let log = MemoryLog::of(&leaves(1000));
    let checkpoint = log.checkpoint();
    for position in [(0, 3), (1, 0)] {
        for byte in [0, 31, 32, 95] {
            let mut changed = log.clone();
            changed.tiles.get_mut(&position).unwrap()[byte] ^= 1;
            let read = RightEdge::read(&checkpoint, &changed);
            assert_eq!(read.unwrap_err(), ReadError::Inconsistent);
        }
    }
    let other = Checkpoint {
        size: 999,
        ..checkpoint
    };
    let read = RightEdge::read(&other, &log).unwrap_err();
    assert_eq!(read, ReadError::Inconsistent);
    let too_large = Checkpoint {
        size: MAXIMUM_TREE_SIZE + 1,
        ..checkpoint
    };
    let read = RightEdge::read(&too_large, &log).unwrap_err();
    assert_eq!(read, ReadError::OutOfRange);
    let not_empty = Checkpoint {
        size: 0,
        ..checkpoint
    };
    let read = RightEdge::read(&not_empty, &log).unwrap_err();
    assert_eq!(read, ReadError::Inconsistent);
}

/// A source that answers with data of its own.
struct Answers(Result<Vec<Vec<u8>>, &'static str>);

impl TileSource for Answers {
    type Error = &'static str;

    fn read_tiles(&self, _: &[Tile]) -> Result<Vec<Vec<u8>>, &'static str> {
        self.0.clone()
    }
}

#[test]
fn failures_and_wrong_lengths_are_reported() {
    let checkpoint = MemoryLog::of(&leaves(3)).checkpoint();
    let read = |answer| RightEdge::read(&checkpoint, &Answers(answer)).unwrap_err();
    assert_eq!(read(Err("offline")), ReadError::Source("offline"));
    for answer in [
        vec![],
        vec![vec![]],
        vec![vec![0; 95]],
        vec![vec![0; 97]],
        vec![vec![0; 96]; 2],
    ] {
        assert_eq!(read(Ok(answer)), ReadError::Inconsistent);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_tree_grows_the_same_in_random_steps(
        steps in proptest::collection::vec(0..700_usize, 1..8),
    ) {
        check_steps(&steps);
    }
}
