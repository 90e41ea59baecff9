//! The decisions of a witness, and what it remembers.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Barrier;

use glasshouse_audit::Fault;
use glasshouse_audit::witness::Witness;
use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::cosignature::{add_cosignatures, cosignatures};
use glasshouse_transparency::entry::leaf_hash;
use glasshouse_transparency::keys::SigningKeys;
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::proof::prove_consistency;
use glasshouse_transparency::tile::{RightEdge, Tile, TileSource};
use glasshouse_transparency::witness::{AddCheckpoint, Answer};
use tempfile::TempDir;

use crate::honest::{private_key, private_key_of, signing_keys};

const SECOND: u64 = 1_700_000_000;

/// A log of made-up entries, of less than 256.
struct Log {
    keys: SigningKeys,
    leaves: Vec<Hash>,
}

impl Log {
    /// A log whose entries from the given index on are other ones.
    fn forked(from: usize) -> Self {
        let leaf = |index: usize| leaf_hash(format!("{} {index}", index >= from).as_bytes());
        Self {
            keys: signing_keys(&[private_key(1)]),
            leaves: (0..200).map(leaf).collect(),
        }
    }

    fn honest() -> Self {
        Self::forked(200)
    }

    fn checkpoint(&self, size: usize) -> Checkpoint {
        let mut edge = RightEdge::empty();
        edge.append(&self.leaves[..size]).unwrap();
        edge.checkpoint()
    }

    fn note(&self, size: usize) -> String {
        self.checkpoint(size).sign(&self.keys).unwrap()
    }

    /// A request to cosign the log of one size after another one.
    fn request(&self, old_size: usize, size: usize) -> AddCheckpoint {
        let old = u64::try_from(old_size).unwrap();
        let proof = if old_size <= size {
            prove_consistency(old, &self.checkpoint(size), self).unwrap()
        } else {
            Vec::new()
        };
        AddCheckpoint {
            old_size: old,
            proof,
            note: self.note(size),
        }
    }
}

impl TileSource for Log {
    type Error = ();

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, ()> {
        let read = |tile: &Tile| {
            assert_eq!((tile.level(), tile.index()), (0, 0));
            let leaves = &self.leaves[..tile.width().into()];
            leaves.iter().flat_map(|leaf| leaf.0).collect()
        };
        Ok(tiles.iter().map(read).collect())
    }
}

fn open(folder: &Path) -> Result<Witness, Fault> {
    open_with(folder, &[private_key(1)], None)
}

fn open_with(folder: &Path, logs: &[String], name: Option<&str>) -> Result<Witness, Fault> {
    let keys = logs.iter().map(|key| {
        let keys = signing_keys(std::slice::from_ref(key));
        keys.verifier_keys().iter().next().unwrap().to_owned()
    });
    let name = name.map(|name| Origin::parse(name).unwrap());
    let default = Origin::parse("witness.example").unwrap();
    Witness::open(folder, &keys.collect::<Vec<_>>(), name.as_ref(), &default)
}

fn ask(witness: &Witness, request: &AddCheckpoint) -> Answer {
    let text = request.to_text();
    witness.add_checkpoint(text.as_bytes(), SECOND).unwrap()
}

#[track_caller]
fn assert_cosigned(witness: &Witness, request: &AddCheckpoint) {
    let Answer::Cosigned(line) = ask(witness, request) else {
        panic!("not cosigned: {request:?}");
    };
    let keys = [witness.public_key().clone()];
    let note = add_cosignatures(&request.note, &line, &keys).unwrap();
    let found = cosignatures(&note, &keys).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].second, SECOND);
}

#[test]
fn checkpoints_that_continue_each_other_are_cosigned() {
    let folder = TempDir::new().unwrap();
    let witness = open(folder.path()).unwrap();
    let log = Log::honest();
    for (old, size) in [(0, 1), (1, 2), (2, 7), (7, 7), (7, 200), (200, 200)] {
        assert_cosigned(&witness, &log.request(old, size));
        let latest: Vec<_> = witness.latest().map(|(_, latest)| latest).collect();
        assert_eq!(latest, [log.checkpoint(size)]);
    }
}

#[test]
fn other_requests_get_the_answers_of_the_protocol() {
    let folder = TempDir::new().unwrap();
    let witness = open(folder.path()).unwrap();
    let log = Log::honest();
    assert_eq!(
        ask(&witness, &log.request(5, 9)),
        Answer::Conflict { size: 0 }
    );
    assert_cosigned(&witness, &log.request(0, 5));
    // Stale, and ahead of the witness.
    assert_eq!(
        ask(&witness, &log.request(3, 9)),
        Answer::Conflict { size: 5 }
    );
    assert_eq!(
        ask(&witness, &log.request(6, 9)),
        Answer::Conflict { size: 5 }
    );
    assert_eq!(
        ask(&witness, &log.request(0, 5)),
        Answer::Conflict { size: 5 }
    );
    // A smaller one.
    assert_eq!(ask(&witness, &log.request(5, 4)), Answer::Malformed);
    assert_eq!(
        ask(&witness, &log.request(0, 4)),
        Answer::Conflict { size: 5 }
    );
    // Without the proof, or with another one.
    let mut request = log.request(5, 9);
    request.proof.pop();
    assert_eq!(ask(&witness, &request), Answer::InvalidProof);
    request.proof = log.request(4, 9).proof;
    assert_eq!(ask(&witness, &request), Answer::InvalidProof);

    let text = log.request(5, 9).to_text();
    let answer = |text: &str| witness.add_checkpoint(text.as_bytes(), SECOND).unwrap();
    for malformed in [
        "",
        "old 5\n",
        "old 5\n\n",
        &text.replace("old 5", "old 05"),
        &text[1..],
    ] {
        assert_eq!(answer(malformed), Answer::Malformed, "{malformed}");
    }
    assert_eq!(
        witness.add_checkpoint(&[0xff; 9], SECOND).unwrap(),
        Answer::Malformed
    );
    let unknown = text.replacen("play.example", "other.example", 1);
    assert_eq!(answer(&unknown), Answer::UnknownLog);
    let stranger = Log {
        keys: signing_keys(&[private_key(2)]),
        ..Log::honest()
    };
    assert_eq!(ask(&witness, &stranger.request(5, 9)), Answer::NotSigned);
    assert_eq!(
        answer(&text.replacen("\n9\n", "\n8\n", 1)),
        Answer::NotSigned
    );
    assert_cosigned(&witness, &log.request(5, 9));
}

#[test]
fn a_fork_is_never_cosigned() {
    let folder = TempDir::new().unwrap();
    let log = Log::honest();
    let witness = open(folder.path()).unwrap();
    assert_cosigned(&witness, &log.request(0, 100));
    for from in [0, 50, 99] {
        let fork = Log::forked(from);
        assert_eq!(ask(&witness, &fork.request(100, 150)), Answer::InvalidProof);
        assert_eq!(
            ask(&witness, &fork.request(100, 100)),
            Answer::Conflict { size: 100 }
        );
        assert_eq!(
            ask(&witness, &fork.request(0, 150)),
            Answer::Conflict { size: 100 }
        );
    }
    drop(witness);
    // Nor after a restart; and what both logs have in common is no fork.
    let witness = open(folder.path()).unwrap();
    assert_eq!(
        ask(&witness, &Log::forked(99).request(100, 150)),
        Answer::InvalidProof
    );
    assert_cosigned(&witness, &Log::forked(120).request(100, 110));
    assert_cosigned(&witness, &log.request(110, 150));
    assert_eq!(
        ask(&witness, &Log::forked(120).request(150, 180)),
        Answer::InvalidProof
    );
}

/// Of many checkpoints that exclude each other, one is cosigned, whoever asks first.
#[test]
fn concurrent_requests_cannot_get_a_fork_cosigned() {
    let folder = TempDir::new().unwrap();
    let witness = open(folder.path()).unwrap();
    assert_cosigned(&witness, &Log::honest().request(0, 10));
    let barrier = Barrier::new(8);
    let winners: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = (10..18)
            .map(|from| {
                let (witness, barrier) = (&witness, &barrier);
                scope.spawn(move || {
                    let request = Log::forked(from).request(10, 20);
                    barrier.wait();
                    let answer = ask(witness, &request);
                    matches!(answer, Answer::Cosigned(_)).then_some(from)
                })
            })
            .collect();
        let answers = threads.into_iter().map(|thread| thread.join().unwrap());
        answers.flatten().collect()
    });
    let [winner] = winners.as_slice() else {
        panic!("{winners:?} were cosigned");
    };
    drop(witness);
    let witness = open(folder.path()).unwrap();
    let latest: Vec<_> = witness.latest().map(|(_, latest)| latest).collect();
    assert_eq!(latest, [Log::forked(*winner).checkpoint(20)]);
}

#[test]
fn each_log_has_its_own_state_and_all_its_keys() {
    let folder = TempDir::new().unwrap();
    let other_key = private_key_of("other.example/log", 1);
    let logs = [private_key(1), other_key.clone(), private_key(2)];
    let witness = open_with(folder.path(), &logs, None).unwrap();
    let other = Log {
        keys: signing_keys(&[other_key]),
        ..Log::forked(0)
    };
    assert_cosigned(&witness, &Log::honest().request(0, 5));
    assert_cosigned(&witness, &other.request(0, 9));
    let changed_key = Log {
        keys: signing_keys(&[private_key(2)]),
        ..Log::honest()
    };
    assert_cosigned(&witness, &changed_key.request(5, 6));
    let sizes: BTreeSet<u64> = witness.latest().map(|(_, latest)| latest.size).collect();
    assert_eq!(sizes, BTreeSet::from([6, 9]));
    drop(witness);
    // Without the key that has signed the last checkpoint, the witness does not begin anew.
    let error = open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("give the former one too"), "{error}");
}

#[test]
fn the_key_is_kept_and_private() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("new/data");
    let logs = [private_key(1)];
    let witness = open_with(&data, &logs, Some("asked.example/w")).unwrap();
    let key = witness.public_key().to_string();
    assert!(key.starts_with("asked.example/w+"), "{key}");
    let metadata = std::fs::metadata(data.join("witness-key")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let error = open(&data).unwrap_err().to_string();
    assert!(error.contains("another witness is running"), "{error}");
    drop(witness);
    assert_eq!(open(&data).unwrap().public_key().to_string(), key);
    let error = open_with(&data, &logs, Some("other.example"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("needs another folder"), "{error}");
    std::fs::write(data.join("witness-key"), "nonsense").unwrap();
    let error = open(&data).unwrap_err().to_string();
    assert!(error.contains("is not the key of a witness"), "{error}");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = TempDir::new().unwrap();
    let witness = open(folder.path()).unwrap();
    assert_cosigned(&witness, &Log::honest().request(0, 5));
    drop(witness);
    let file = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_string_lossy().contains("checkpoint-"))
        .unwrap();
    let note = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, note.replace("\n5\n", "\n4\n")).unwrap();
    let error = open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("is not a checkpoint"), "{error}");
    let no_logs: [String; 0] = [];
    let name = Origin::parse("w").unwrap();
    let error = Witness::open(folder.path(), &no_logs, None, &name).unwrap_err();
    assert!(error.to_string().contains("at least one log"), "{error}");
}
