//! Go's packages tlog and note, which verify Go's checksum database, accept our log.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output};

use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{Entry, Round, Terms, encode_bundle, leaf_hash};
use glasshouse_transparency::proof::{prove_consistency, prove_inclusion};
use glasshouse_transparency::tile::{TilePath, changed_bundles};
use serde_json::json;

use crate::support::{MemoryLog, signing_keys};

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/go/main.go");
/// Where Debian's package golang-golang-x-mod-dev puts its sources.
const GOPATH: &str = "/usr/share/gocode";
const NEEDED_PACKAGE: &str = "/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog";

const OLD_SIZE: usize = 1234;
/// More than the entries of 256 full tiles, so that the tree has three levels of tiles.
const NEW_SIZE: usize = 70_003;

#[test]
fn go_verifies_checkpoint_entries_inclusion_and_consistency() {
    if !has_go() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), NEW_SIZE);
    let output = run(folder.path());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let expected = "verified 70003 entries, 6 inclusion proofs and the growth from 1234\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert!(output.status.success());
}

#[test]
fn go_refuses_a_log_in_which_one_entry_was_changed() {
    if !has_go() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 3000);
    let path = folder.path().join("tile/entries/007");
    let mut bundle = fs::read(&path).unwrap();
    bundle[100] ^= 1;
    fs::write(&path, bundle).unwrap();
    let output = run(folder.path());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("an entry has another hash than in its tile"),
        "{message}"
    );
    assert!(!output.status.success());
}

/// Whether Go and the package are installed; says so if not.
fn has_go() -> bool {
    let version = Command::new("go").arg("version").output();
    let has_go =
        version.is_ok_and(|output| output.status.success()) && Path::new(NEEDED_PACKAGE).exists();
    if !has_go {
        // Not by a macro, whose output cargo hides if the test passes.
        let message = "DID NOT RUN: this test needs Go and golang.org/x/mod. On Debian: apt-get \
                       install golang-go golang-golang-x-mod-dev\n";
        io::stderr().write_all(message.as_bytes()).unwrap();
    }
    has_go
}

fn run(folder: &Path) -> Output {
    Command::new("go")
        .args(["run", PROGRAM])
        .arg(folder)
        .env("GO111MODULE", "off")
        .env("GOPATH", GOPATH)
        .output()
        .unwrap()
}

/// An entry as the house writes them.
fn line(number: usize) -> String {
    let number = i64::try_from(number).unwrap();
    let entry = Entry::Round(Round {
        game: "dice".to_owned(),
        rules: 2,
        stake: 100 + number,
        payout: 198 * (number % 2),
        terms: Terms::new(&json!({"target": 50})).unwrap(),
        words: vec![leaf_hash(&number.to_be_bytes()).0],
        second: 1_795_290_535 + number,
    });
    entry.to_line().unwrap()
}

/// Writes the files that a log serves, and proofs.
fn write_log(folder: &Path, size: usize) {
    let lines: Vec<String> = (0..size).map(line).collect();
    let leaves: Vec<Hash> = lines
        .iter()
        .map(|line| leaf_hash(line.as_bytes()))
        .collect();
    let keys = signing_keys(&[1]);
    let write = |name: &str, data: &[u8]| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, data).unwrap();
    };
    write("key", keys.verifier_keys().to_string().as_bytes());
    let mut log = MemoryLog::empty();
    for (step, name) in [
        (0..OLD_SIZE, "checkpoint.old"),
        (OLD_SIZE..size, "checkpoint"),
    ] {
        for stored in log.append(&leaves[step]) {
            write(&TilePath::Hashes(stored.tile).to_string(), &stored.data);
        }
        let note = log.checkpoint().sign(&keys).unwrap();
        write(name, note.as_bytes());
    }
    for bundle in changed_bundles(0, size as u64).unwrap() {
        let first = usize::try_from(bundle.index() * 256).unwrap();
        let entries = &lines[first..first + usize::from(bundle.width())];
        let path = TilePath::Entries(bundle).to_string();
        write(&path, &encode_bundle(entries).unwrap());
    }
    write("proofs.json", proofs(&log, &log.checkpoint()).as_bytes());
}

fn proofs(log: &MemoryLog, checkpoint: &Checkpoint) -> String {
    let base64 =
        |hashes: Vec<Hash>| -> Vec<String> { hashes.iter().map(Hash::to_string).collect() };
    let inclusion = |index: u64| {
        let path = prove_inclusion(checkpoint, index, log).unwrap();
        json!({"index": index, "path": base64(path)})
    };
    let indexes = [0, 1, 1233, 1234, 2999, checkpoint.size - 1];
    let consistency = prove_consistency(OLD_SIZE as u64, checkpoint, log).unwrap();
    let inclusion: Vec<_> = indexes.into_iter().map(inclusion).collect();
    json!({"inclusion": inclusion, "consistency": base64(consistency)}).to_string()
}
