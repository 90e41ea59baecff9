//! Examples of all formats from fixed keys, for verifiers in other languages.

use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::cosignature::{WitnessSigningKey, add_cosignatures};
use glasshouse_transparency::entry::{Entry, encode_bundle, leaf_hash};
use glasshouse_transparency::keys::{VerifierKeys, new_private_key};
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::proof::{prove_consistency, prove_inclusion};
use glasshouse_transparency::receipt::Receipt;
use glasshouse_transparency::tile::{Bundle, Tile, TilePath};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use crate::support::{MemoryLog, leaves, origin, signing_keys};
use crate::{entries, receipts};

/// The examples; the front end's tests read them too.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors.json");
/// If this variable is set, the file is written instead of compared.
const WRITE_VARIABLE: &str = "GLASSHOUSE_WRITE_VECTORS";

#[test]
fn the_written_vectors_are_current() {
    let current = serde_json::to_string_pretty(&vectors()).unwrap() + "\n";
    if std::env::var_os(WRITE_VARIABLE).is_some() {
        std::fs::write(FILE, &current).unwrap();
    }
    let written = std::fs::read_to_string(FILE).unwrap();
    assert!(
        written == current,
        "{FILE} is outdated: run this test with {WRITE_VARIABLE}=1"
    );
}

fn vectors() -> Value {
    json!({
        "about": "Written by crates/transparency/tests/suite/vectors.rs. Hashes are in base64 unless \
                  they are called hex. `rotated` notes are signed by two keys.",
        "origin": origin().as_str(),
        "verifierKeys": verifier_keys(&[1]),
        "rotatedVerifierKeys": verifier_keys(&[1, 2]),
        "otherVerifierKeys": verifier_keys(&[3]),
        "receipts": receipts::signed(),
        "refusedReceiptTexts": refused_receipts(),
        "entries": entry_vectors(),
        "entryBundleHex": hex::encode(encode_bundle(&lines()).unwrap()),
        "refusedEntries": refused_entries(),
        "log": log_vectors(),
        "cosigned": cosigned(),
        "refusedNotes": refused_notes(),
        "tilePaths": tile_paths(),
    })
}

fn verifier_keys(numbers: &[u8]) -> Vec<String> {
    let keys = signing_keys(numbers);
    keys.verifier_keys().iter().map(str::to_owned).collect()
}

fn base64(hashes: &[Hash]) -> Vec<String> {
    hashes.iter().map(ToString::to_string).collect()
}

fn refused_receipts() -> Vec<String> {
    let settled = receipts::examples()[1].to_string();
    let texts: Vec<String> = [
        (" v1\n", " v2\n"),
        ("player 4711", "player 04711"),
        ("player 4711", "player -4711"),
        ("player 4711", "player 9223372036854775808"),
        ("player 4711\n", "player 4711 \n"),
        ("player 4711\n", "player 4711\r\n"),
        ("player 4711\n", ""),
        ("round 812", "bet 812"),
        ("state settled", "state open"),
        ("pair 9a", "pair 9A"),
        ("nonce 17", "nonce  17"),
        ("stake 1000\npayout 1980\n", "payout 1980\nstake 1000\n"),
        ("payout 1980", "payout -"),
        ("payout 1980", "payout 1980.0"),
        ("entry 5f", "entry "),
        ("2026-11-21T", "2026-11-31T"),
        (".361837Z", ".361Z"),
        ("361837Z\n", "361837Z"),
        ("361837Z\n", "361837Z\n\n"),
    ]
    .iter()
    .map(|(from, to)| settled.replacen(from, to, 1))
    .collect();
    for text in &texts {
        assert_ne!(*text, settled);
        assert!(Receipt::parse(text).is_err(), "{text}");
    }
    texts
}

fn entry_vectors() -> Vec<Value> {
    let vector = |line: &String| {
        let hash = leaf_hash(line.as_bytes());
        json!({"line": line, "leafHash": hash.to_string(), "leafHashHex": hex::encode(hash.0)})
    };
    lines().iter().map(vector).collect()
}

fn lines() -> Vec<String> {
    let entries = entries::examples();
    entries
        .iter()
        .map(|entry| entry.to_line().unwrap())
        .collect()
}

fn refused_entries() -> Vec<String> {
    let line = lines().remove(0);
    let refused: Vec<String> = [
        ("\"round\"", "\"bet\""),
        ("{\"kind\":\"round\",", "{"),
        ("\"payout\":1980,", ""),
        ("\"payout\":1980,", "\"payout\":1980,\"player\":7,"),
        ("\"payout\":1980", "\"payout\":1980.0"),
        ("\"payout\":1980", "\"payout\":-1980"),
        ("\"payout\":1980", "\"payout\": 1980"),
        (
            "\"stake\":1000,\"payout\":1980",
            "\"payout\":1980,\"stake\":1000",
        ),
        ("abab", "ABab"),
        ("abab", "ab"),
    ]
    .iter()
    .map(|(from, to)| line.replacen(from, to, 1))
    .collect();
    for changed in &refused {
        assert_ne!(*changed, line);
        assert!(Entry::parse(changed).is_err(), "{changed}");
    }
    refused
}

/// The sizes around those at which trees and tiles change their form.
const SIZES: [usize; 12] = [1, 2, 3, 4, 7, 8, 255, 256, 257, 1000, 65_536, 70_000];

fn log_vectors() -> Value {
    let leaves = leaves(70_000);
    let logs: Vec<MemoryLog> = SIZES
        .iter()
        .map(|size| MemoryLog::of(&leaves[..*size]))
        .collect();
    let checkpoints: Vec<Value> = logs
        .iter()
        .map(|log| checkpoint(log.checkpoint()))
        .collect();
    let mut inclusion = Vec::new();
    let mut consistency = Vec::new();
    for (position, log) in logs.iter().enumerate() {
        let new = log.checkpoint();
        let mut indexes = vec![0, new.size / 3, new.size / 2, new.size - 1];
        indexes.dedup();
        for index in indexes {
            let leaf = leaves[usize::try_from(index).unwrap()];
            let path = prove_inclusion(&new, index, log).unwrap();
            inclusion.push(json!({
                "size": new.size,
                "root": new.root.to_string(),
                "index": index,
                "leafHash": leaf.to_string(),
                "path": base64(&path),
            }));
        }
        for old in &logs[..=position] {
            let old = old.checkpoint();
            let proof = prove_consistency(old.size, &new, log).unwrap();
            consistency.push(json!({
                "oldSize": old.size,
                "oldRoot": old.root.to_string(),
                "newSize": new.size,
                "newRoot": new.root.to_string(),
                "path": base64(&proof),
            }));
        }
    }
    json!({
        "leaves": "leaf n is the hash of the text `entry n`",
        "checkpoints": checkpoints,
        "inclusion": inclusion,
        "consistency": consistency,
    })
}

fn checkpoint(checkpoint: Checkpoint) -> Value {
    json!({
        "size": checkpoint.size,
        "root": checkpoint.root.to_string(),
        "note": checkpoint.sign(&signing_keys(&[1])).unwrap(),
        "rotatedNote": checkpoint.sign(&signing_keys(&[1, 2])).unwrap(),
    })
}

fn cosigned() -> Value {
    let witness = |number| {
        let name = Origin::parse("witness.example/w1").unwrap();
        let key = new_private_key(&name, [number; 32]);
        WitnessSigningKey::parse(key.expose_secret()).unwrap()
    };
    let checkpoint = MemoryLog::of(&leaves(7)).checkpoint();
    let second = 1_795_290_535;
    let line = witness(9).cosign(&origin(), &checkpoint, second);
    let note = checkpoint.sign(&signing_keys(&[1])).unwrap();
    let key = witness(9).public().clone();
    json!({
        "witnessKey": key.to_string(),
        "otherWitnessKey": witness(8).public().to_string(),
        "second": second,
        "note": add_cosignatures(&note, &line, &[key]).unwrap(),
    })
}

/// Notes of the checkpoint of size 7 and its like that none of the verifier keys may accept.
fn refused_notes() -> Value {
    let checkpoint = MemoryLog::of(&leaves(7)).checkpoint();
    let keys = signing_keys(&[1]);
    let note = checkpoint.sign(&keys).unwrap();
    let other = Checkpoint {
        size: 8,
        ..checkpoint
    }
    .sign(&keys)
    .unwrap();
    let (text, signature) = note.rsplit_once("\n\n").unwrap();
    let (_, signature_of_other) = other.rsplit_once("\n\n").unwrap();
    let refused = [
        ("no signature", format!("{text}\n\n")),
        (
            "signature of another text",
            format!("{text}\n\n{signature_of_other}"),
        ),
        (
            "only an unknown key",
            checkpoint.sign(&signing_keys(&[3])).unwrap(),
        ),
        ("no line end", note.trim_end().to_owned()),
        ("an empty line at the end", format!("{note}\n")),
        (
            "no empty line before the signature",
            format!("{text}\n{signature}"),
        ),
        (
            "two empty lines before the signature",
            format!("{text}\n\n\n{signature}"),
        ),
        ("hyphen in place of the dash", note.replace('—', "-")),
        ("two spaces", note.replace("— ", "—  ")),
        (
            "no padding",
            note.replace("=\n\n", "\n\n").replace("=\n", "\n"),
        ),
        ("carriage returns", note.replace('\n', "\r\n")),
        (
            "space after the signature",
            format!("{} \n", note.trim_end()),
        ),
    ];
    let list: Vec<Value> = refused
        .iter()
        .map(|(reason, note)| {
            let opened = VerifierKeys::parse(&verifier_keys(&[1])[0]).unwrap();
            assert!(opened.open(note).is_err(), "{reason}");
            json!({"reason": reason, "note": note})
        })
        .collect();
    Value::Array(list)
}

fn tile_paths() -> Value {
    let tile = |level, index, width| {
        let path = TilePath::Hashes(Tile::new(level, index, width).unwrap());
        json!({"level": level, "index": index, "width": width, "path": path.to_string()})
    };
    let bundle = |index, width| {
        let path = TilePath::Entries(Bundle::new(index, width).unwrap());
        json!({"level": "entries", "index": index, "width": width, "path": path.to_string()})
    };
    json!([
        tile(0, 0, 256),
        tile(0, 1234, 256),
        tile(1, 1_234_067, 1),
        tile(2, 999, 255),
        bundle(5, 17),
        bundle(1000, 256),
    ])
}
