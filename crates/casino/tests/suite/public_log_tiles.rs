//! Tiles and bundles of a log that is larger than one of them, written in parts of all sizes.

use glasshouse_casino::public_log::{read_bundle, read_consistency, read_tile};
use glasshouse_casino::{CasinoError, Refusal};
use glasshouse_persistence::Scope;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{Entry, Rules, decode_bundle, leaf_hash};
use glasshouse_transparency::proof::{
    checkpoint_at, prove_inclusion, verify_consistency, verify_inclusion,
};
use glasshouse_transparency::tile::{Bundle, Tile};
use rstest_reuse::apply;

use crate::support::public_log::{ServedLog, wait_for, waiting_batches};
use crate::support::{Fixture, assert_refused, both_databases};

/// A line that differs for each number.
fn line(number: i64) -> String {
    let entry = Entry::Rules(Rules {
        version: 1,
        sha256: [7; 32],
        second: number,
    });
    entry.to_line().unwrap()
}

/// Adds entries in one commit, as a batch that has settled as many rounds.
async fn add_entries(test: &Fixture, numbers: std::ops::Range<i64>) {
    test.database
        .write(Scope::nobody(), move |transaction| {
            for number in numbers.clone() {
                transaction.add_log_entry(&line(number))?;
            }
            Ok::<_, CasinoError>(())
        })
        .await
        .unwrap();
}

/// Lets the log grow to this size, in commits of at most so many entries.
async fn grow_to(test: &Fixture, size: u64, commit: i64) -> ServedLog {
    let now = if waiting_batches(test) == 0 {
        ServedLog::advanced(test).await.end.size
    } else {
        0
    };
    let (mut next, size) = (i64::try_from(now).unwrap(), i64::try_from(size).unwrap());
    while next < size {
        let end = size.min(next + commit);
        add_entries(test, next..end).await;
        next = end;
    }
    let log = ServedLog::advanced(test).await;
    assert_eq!(log.end.size, u64::try_from(size).unwrap());
    log
}

async fn assert_continues(test: &Fixture, from: &Checkpoint, to: &Checkpoint) {
    let proof = read_consistency(&test.house, from.size, to.size)
        .await
        .unwrap();
    verify_consistency(&proof, from, to).unwrap();
}

/// The hashes of a tile as they are served.
fn hashes(log: &ServedLog, test: &Fixture, tile: Tile) -> Option<Vec<u8>> {
    assert!(log.end.size > 0);
    wait_for(read_tile(&test.house, tile)).unwrap()
}

fn entries(test: &Fixture, bundle: Bundle) -> Option<Vec<Vec<u8>>> {
    let data = wait_for(read_bundle(&test.house, bundle)).unwrap()?;
    let entries = decode_bundle(&data, bundle.width()).unwrap();
    Some(entries.into_iter().map(<[u8]>::to_vec).collect())
}

#[apply(both_databases)]
async fn a_commit_may_have_more_entries_than_a_bundle(#[case] test: &Fixture) {
    add_entries(test, 0..300).await;
    let log = ServedLog::advanced(test).await;
    log.assert_whole();
    // The log's own entries come first.
    let expected: Vec<String> = (0..300).map(line).collect();
    assert_eq!(log.lines()[2..], expected);
}

#[apply(both_databases)]
async fn tiles_grow_from_partial_to_full(#[case] test: &Fixture) {
    let mut ends: Vec<Checkpoint> = Vec::new();
    for size in [3, 4, 7, 254, 255, 256, 257, 258, 511, 512, 513, 700, 1_100] {
        // Commits that end where tiles end, and others that do not.
        let log = grow_to(test, size, 100).await;
        log.assert_whole();
        for earlier in &ends {
            assert_continues(test, earlier, &log.end).await;
            assert_eq!(
                checkpoint_at(earlier.size, &log.end, &log).unwrap(),
                *earlier
            );
        }
        ends.push(log.end);
        for index in [0, 1, size / 2, size - 2, size - 1] {
            let path = prove_inclusion(&log.end, index, &log).unwrap();
            let line = &log.lines()[usize::try_from(index).unwrap()];
            verify_inclusion(&path, index, leaf_hash(line.as_bytes()), &log.end).unwrap();
        }
    }
}

/// A reader with an older checkpoint asks for tiles as wide as they were then.
#[apply(both_databases)]
async fn tiles_are_served_as_narrow_as_they_were(#[case] test: &Fixture) {
    let log = grow_to(test, 300, 7).await;
    let full = hashes(&log, test, Tile::new(0, 0, 256).unwrap()).unwrap();
    for width in [1, 2, 100, 255] {
        let tile = Tile::new(0, 0, width).unwrap();
        let narrow = hashes(&log, test, tile).unwrap();
        assert_eq!(narrow, full[..usize::from(width) * 32]);
    }
    let all = entries(test, Bundle::new(0, 256).unwrap()).unwrap();
    for width in [1, 3, 100, 255] {
        let narrow = entries(test, Bundle::new(0, width).unwrap()).unwrap();
        assert_eq!(narrow, all[..usize::from(width)]);
    }
    // The second tile has 44 hashes, and there is no third.
    assert!(hashes(&log, test, Tile::new(0, 1, 44).unwrap()).is_some());
    assert!(hashes(&log, test, Tile::new(1, 0, 1).unwrap()).is_some());
    for (level, index, width) in [
        (0, 1, 45),
        (0, 1, 256),
        (0, 2, 1),
        (1, 0, 2),
        (1, 1, 1),
        (2, 0, 1),
        (9, 0, 1),
        (63, 0, 256),
        (0, u64::MAX >> 1, 1),
    ] {
        let tile = Tile::new(level, index, width).unwrap();
        assert_eq!(hashes(&log, test, tile), None, "{tile:?}");
    }
    assert!(entries(test, Bundle::new(1, 44).unwrap()).is_some());
    for (index, width) in [
        (1, 45),
        (1, 256),
        (2, 1),
        (u64::MAX >> 8, 256),
        (u64::MAX, 256),
    ] {
        let bundle = Bundle::new(index, width).unwrap();
        assert_eq!(entries(test, bundle), None, "{bundle:?}");
    }
}

#[apply(both_databases)]
async fn a_tile_that_no_log_can_have_is_missing(#[case] test: &Fixture) {
    let log = grow_to(test, 3, 1).await;
    let tile = Tile::new(0, u64::MAX, 256).unwrap();
    assert_eq!(hashes(&log, test, tile), None);
}

#[apply(both_databases)]
async fn only_sizes_of_the_log_are_proved(#[case] test: &Fixture) {
    let unbegun = read_consistency(&test.house, 0, 0).await;
    assert_refused(unbegun, &Refusal::NotFound);
    let log = grow_to(test, 20, 3).await;
    assert!(
        read_consistency(&test.house, 0, 20)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        read_consistency(&test.house, 20, 20)
            .await
            .unwrap()
            .is_empty()
    );
    assert_continues(test, &checkpoint_at(1, &log.end, &log).unwrap(), &log.end).await;
    for (from, to) in [
        (2, 1),
        (0, 21),
        (21, 21),
        (21, 20),
        (0, u64::MAX),
        (u64::MAX, u64::MAX),
    ] {
        let proof = read_consistency(&test.house, from, to).await;
        assert_refused(proof, &Refusal::NotFound);
    }
}

/// The tile of level 1 is full at this size, and level 2 begins.
const FULL_SECOND_LEVEL: u64 = 65_536;

#[apply(both_databases)]
async fn a_log_with_three_levels_of_tiles_fits_together(#[case] test: &Fixture) {
    let mut ends = vec![grow_to(test, 256, 100).await.end];
    for (size, commit) in [
        (FULL_SECOND_LEVEL - 1, 1_000),
        (FULL_SECOND_LEVEL, 1),
        (FULL_SECOND_LEVEL + 1, 1),
        (FULL_SECOND_LEVEL + 700, 300),
    ] {
        let log = grow_to(test, size, commit).await;
        for earlier in &ends {
            assert_continues(test, earlier, &log.end).await;
        }
        ends.push(log.end);
    }
    let log = ServedLog::read(&test.house).await;
    log.assert_whole();
    let lines = log.lines();
    let last = log.end.size - 1;
    for index in [0, 255, 256, FULL_SECOND_LEVEL - 1, FULL_SECOND_LEVEL, last] {
        let path = prove_inclusion(&log.end, index, &log).unwrap();
        let leaf = leaf_hash(lines[usize::try_from(index).unwrap()].as_bytes());
        verify_inclusion(&path, index, leaf, &log.end).unwrap();
    }
}
