//! Proofs: the known answers of Certificate Transparency, all small trees, and every small change.

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::proof::{
    InvalidProof, prove_consistency, prove_inclusion, verify_consistency, verify_inclusion,
};
use glasshouse_transparency::tile::{ReadError, RightEdge, Tile, TileSource};
use glasshouse_transparency::{EMPTY_HASH, Hash, MAXIMUM_TREE_SIZE};
use proptest::prelude::*;

use crate::support::{MemoryLog, leaves};

/// The leaves, roots and proofs with which implementations of RFC 6962 are usually tested.
const LEAVES: [&str; 8] = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
];
const ROOTS: [&str; 8] = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

fn hash(text: &str) -> Hash {
    Hash(hex::decode(text).unwrap().try_into().unwrap())
}

fn known_leaves() -> Vec<Hash> {
    let leaf = |text: &&str| tlog_tiles::record_hash(&hex::decode(text).unwrap());
    LEAVES.iter().map(leaf).collect()
}

fn known_checkpoint(size: usize) -> Checkpoint {
    Checkpoint {
        size: size as u64,
        root: hash(ROOTS[size - 1]),
    }
}

#[test]
fn roots_are_the_known_ones() {
    assert_eq!(RightEdge::empty().checkpoint().root, EMPTY_HASH);
    for size in 1..=8 {
        let log = MemoryLog::of(&known_leaves()[..size]);
        assert_eq!(log.checkpoint(), known_checkpoint(size));
    }
}

#[test]
fn inclusion_proofs_are_the_known_ones() {
    let check = |index: usize, size: usize, expected: &[&str]| {
        let log = MemoryLog::of(&known_leaves()[..size]);
        let expected: Vec<Hash> = expected.iter().map(|text| hash(text)).collect();
        let path = prove_inclusion(&log.checkpoint(), index as u64, &log).unwrap();
        assert_eq!(path, expected, "{index} in {size}");
        let checkpoint = known_checkpoint(size);
        let verified = verify_inclusion(&path, index as u64, known_leaves()[index], &checkpoint);
        assert_eq!(verified, Ok(()));
    };
    let (second, third_pair) = (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    );
    check(0, 1, &[]);
    let right = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";
    check(0, 8, &[second, third_pair, right]);
    check(
        5,
        8,
        &[
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            ROOTS[3],
        ],
    );
    check(2, 3, &[ROOTS[1]]);
    check(
        1,
        5,
        &[
            ROOTS[0],
            third_pair,
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    );
}

#[test]
fn consistency_proofs_are_the_known_ones() {
    let check = |old: usize, size: usize, expected: &[&str]| {
        let log = MemoryLog::of(&known_leaves()[..size]);
        let expected: Vec<Hash> = expected.iter().map(|text| hash(text)).collect();
        let proof = prove_consistency(old as u64, &log.checkpoint(), &log).unwrap();
        assert_eq!(proof, expected, "{old} to {size}");
        let (old, new) = (known_checkpoint(old), known_checkpoint(size));
        assert_eq!(verify_consistency(&proof, &old, &new), Ok(()));
    };
    check(1, 1, &[]);
    check(
        1,
        8,
        &[
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    );
    check(
        6,
        8,
        &[
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            ROOTS[3],
        ],
    );
    check(
        2,
        5,
        &[
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    );
}

/// Copies of a proof in which a hash is changed, removed, added or swapped.
fn changed_proofs(proof: &[Hash]) -> Vec<Vec<Hash>> {
    let mut changed = Vec::new();
    for position in 0..=proof.len() {
        let mut longer = proof.to_vec();
        longer.insert(position, Hash([7; 32]));
        changed.push(longer);
    }
    for position in 0..proof.len() {
        let mut shorter = proof.to_vec();
        shorter.remove(position);
        changed.push(shorter);
        for byte in 0..32 {
            let mut other = proof.to_vec();
            other[position].0[byte] ^= 1;
            changed.push(other);
        }
        let mut swapped = proof.to_vec();
        swapped.swap(0, position);
        changed.push(swapped);
    }
    changed.retain(|other| other != proof);
    changed
}

#[test]
fn all_proofs_of_small_logs_are_valid_and_no_change_is() {
    let leaves = leaves(20);
    let sizes: Vec<MemoryLog> = (0..=20)
        .map(|size| MemoryLog::of(&leaves[..size]))
        .collect();
    for log in &sizes {
        let checkpoint = log.checkpoint();
        for index in 0..checkpoint.size {
            let leaf = leaves[usize::try_from(index).unwrap()];
            let path = prove_inclusion(&checkpoint, index, log).unwrap();
            assert_eq!(verify_inclusion(&path, index, leaf, &checkpoint), Ok(()));
            for changed in changed_proofs(&path) {
                let verified = verify_inclusion(&changed, index, leaf, &checkpoint);
                assert_eq!(verified, Err(InvalidProof::Inclusion));
            }
            for other in 0..=checkpoint.size {
                let is_same = verify_inclusion(&path, other, leaf, &checkpoint).is_ok();
                assert_eq!(is_same, other == index);
            }
        }
        for old in &sizes[..=usize::try_from(checkpoint.size).unwrap()] {
            let old = old.checkpoint();
            let proof = prove_consistency(old.size, &checkpoint, log).unwrap();
            assert_eq!(verify_consistency(&proof, &old, &checkpoint), Ok(()));
            for changed in changed_proofs(&proof) {
                let verified = verify_consistency(&changed, &old, &checkpoint);
                assert_eq!(verified, Err(InvalidProof::Consistency));
            }
            if old.size < checkpoint.size {
                assert!(verify_consistency(&proof, &checkpoint, &old).is_err());
            }
        }
    }
}

#[test]
fn a_fork_is_not_consistent() {
    let common = leaves(300);
    let mut forked = common.clone();
    forked[299] = Hash([7; 32]);
    let old = MemoryLog::of(&common).checkpoint();
    let mut log = MemoryLog::of(&forked);
    log.append(&leaves(50));
    let new = log.checkpoint();
    let proof = prove_consistency(old.size, &new, &log).unwrap();
    let verified = verify_consistency(&proof, &old, &new);
    assert_eq!(verified, Err(InvalidProof::Consistency));
    let empty = RightEdge::empty().checkpoint();
    assert_eq!(verify_consistency(&[], &empty, &new), Ok(()));
    let not_empty = Checkpoint { size: 0, ..old };
    assert!(verify_consistency(&[], &not_empty, &new).is_err());
    assert!(verify_consistency(&[], &empty, &not_empty).is_err());
}

#[test]
fn entries_and_sizes_that_do_not_exist_are_refused() {
    let log = MemoryLog::of(&leaves(5));
    let checkpoint = log.checkpoint();
    let empty = RightEdge::empty().checkpoint();
    let huge = Checkpoint {
        size: MAXIMUM_TREE_SIZE + 1,
        ..checkpoint
    };
    for (checkpoint, index) in [
        (&checkpoint, 5),
        (&checkpoint, u64::MAX),
        (&empty, 0),
        (&huge, 0),
    ] {
        let proof = prove_inclusion(checkpoint, index, &log);
        assert_eq!(proof, Err(ReadError::OutOfRange));
    }
    for (checkpoint, old) in [(&checkpoint, 6), (&empty, 1), (&huge, 1)] {
        let proof = prove_consistency(old, checkpoint, &log);
        assert_eq!(proof, Err(ReadError::OutOfRange));
    }
    for size in [0, 1, u64::MAX] {
        let checkpoint = Checkpoint { size, ..checkpoint };
        for index in [0, 1, u64::MAX] {
            assert!(verify_inclusion(&[Hash([7; 32])], index, EMPTY_HASH, &checkpoint).is_err());
        }
        let old = Checkpoint {
            size: 3,
            ..checkpoint
        };
        assert!(verify_consistency(&[Hash([7; 32])], &old, &checkpoint).is_err());
    }
}

struct Offline;

impl TileSource for Offline {
    type Error = &'static str;

    fn read_tiles(&self, _: &[Tile]) -> Result<Vec<Vec<u8>>, &'static str> {
        Err("offline")
    }
}

#[test]
fn no_proof_is_made_of_tiles_that_do_not_lead_to_the_root() {
    let log = MemoryLog::of(&leaves(70_000));
    let checkpoint = log.checkpoint();
    for position in log.tiles.keys() {
        let mut changed = log.clone();
        changed.tiles.get_mut(position).unwrap()[5] ^= 1;
        let (level, index) = *position;
        // An entry below the changed hash, so that its proof needs the changed tile.
        let entry = (index << (8 * (u32::from(level) + 1))) + 1;
        let proof = prove_inclusion(&checkpoint, entry, &changed);
        assert_eq!(proof, Err(ReadError::Inconsistent), "{position:?}");
    }
    let proof = prove_inclusion(&checkpoint, 0, &Offline);
    assert_eq!(proof, Err(ReadError::Source("offline")));
    let proof = prove_consistency(1, &checkpoint, &Offline);
    assert_eq!(proof, Err(ReadError::Source("offline")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn proofs_of_logs_with_several_levels_are_valid(
        size in 1..70_000_usize,
        old in any::<proptest::sample::Index>(),
        index in any::<proptest::sample::Index>(),
    ) {
        let leaves = leaves(size);
        let old = MemoryLog::of(&leaves[..=old.index(size)]).checkpoint();
        let log = MemoryLog::of(&leaves);
        let new = log.checkpoint();
        let proof = prove_consistency(old.size, &new, &log).unwrap();
        prop_assert_eq!(verify_consistency(&proof, &old, &new), Ok(()));
        let index = index.index(size);
        let path = prove_inclusion(&new, index as u64, &log).unwrap();
        prop_assert_eq!(verify_inclusion(&path, index as u64, leaves[index], &new), Ok(()));
    }
}
