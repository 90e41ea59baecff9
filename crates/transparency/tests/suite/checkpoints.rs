//! Checkpoints and roots of receipts: their texts, and that neither passes as the other.

use glasshouse_transparency::checkpoint::{Checkpoint, ReceiptsRoot};
use glasshouse_transparency::keys::NoteError;
use glasshouse_transparency::{EMPTY_HASH, Hash, MAXIMUM_TREE_SIZE};

use crate::support::{changed_copies, leaves, origin, signing_keys};

const ROOT: &str = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";

fn checkpoint() -> Checkpoint {
    Checkpoint {
        size: 20_852_163,
        root: Hash::parse_hash(ROOT).unwrap(),
    }
}

#[test]
fn a_checkpoint_has_three_lines() {
    let body = checkpoint().body(&origin());
    assert_eq!(body, format!("play.example/glasshouse\n20852163\n{ROOT}\n"));
    assert_eq!(Checkpoint::parse_body(&body), Ok((origin(), checkpoint())));
    let keys = signing_keys(&[1]);
    let note = checkpoint().sign(&keys).unwrap();
    assert_eq!(Checkpoint::claimed_origin(&note), Some(origin()));
    assert_eq!(Checkpoint::claimed_origin("a/receipts\n1\n"), None);
    assert_eq!(Checkpoint::claimed_origin("play.example"), None);
    assert!(note.starts_with(&format!("{body}\n— play.example/glasshouse ")));
    assert_eq!(
        Checkpoint::open(&note, keys.verifier_keys()),
        Ok(checkpoint())
    );
}

#[test]
fn a_checkpoint_with_any_change_is_refused() {
    let keys = signing_keys(&[1]);
    let note = checkpoint().sign(&keys).unwrap();
    for changed in changed_copies(&note) {
        let opened = Checkpoint::open(&changed, keys.verifier_keys());
        assert!(opened.is_err(), "{changed}");
    }
}

#[test]
fn only_the_usual_text_is_a_checkpoint() {
    let refused = |text: &str| {
        assert_eq!(
            Checkpoint::parse_body(text),
            Err(NoteError::OtherText),
            "{text:?}"
        );
        // A signature does not make it one.
        if let Ok(note) = signing_keys(&[1]).sign(text) {
            let opened = Checkpoint::open(&note, signing_keys(&[1]).verifier_keys());
            assert_eq!(opened, Err(NoteError::OtherText), "{text:?}");
        }
    };
    let name = origin();
    for size in [
        "01",
        "+1",
        "-1",
        "1 ",
        "",
        "1.0",
        "0x1",
        "18446744073709551616",
    ] {
        refused(&format!("{name}\n{size}\n{ROOT}\n"));
    }
    refused(&format!("{name}\n{}\n{ROOT}\n", MAXIMUM_TREE_SIZE + 1));
    for root in [
        "",
        "AAAA",
        &ROOT[1..],
        &ROOT.replace("2I=", "2J="),
        &format!(" {ROOT}"),
    ] {
        refused(&format!("{name}\n1\n{root}\n"));
    }
    for text in [
        format!("{name}\n1\n{ROOT}"),
        format!("{name}\n1\n{ROOT}\nextension\n"),
        format!("{name}\n1\n{ROOT}\n\n"),
        format!("\n1\n{ROOT}\n"),
        format!("{name}\n{ROOT}\n"),
        format!("{name} \n1\n{ROOT}\n"),
        String::new(),
    ] {
        refused(&text);
    }
}

#[test]
fn a_checkpoint_of_another_log_is_refused() {
    let keys = signing_keys(&[1]);
    let note = keys
        .sign(&format!("other.example/log\n1\n{ROOT}\n"))
        .unwrap();
    let opened = Checkpoint::open(&note, keys.verifier_keys());
    assert_eq!(opened, Err(NoteError::OtherText));
}

#[test]
fn a_checkpoint_and_a_root_of_receipts_are_never_confused() {
    let keys = signing_keys(&[1]);
    let root = ReceiptsRoot {
        size: 3,
        root: leaves(1)[0],
    };
    let note = root.sign(&keys).unwrap();
    assert!(note.starts_with("play.example/glasshouse/receipts\n3\n"));
    assert_eq!(ReceiptsRoot::open(&note, keys.verifier_keys()), Ok(root));
    let as_checkpoint = Checkpoint::open(&note, keys.verifier_keys());
    assert_eq!(as_checkpoint, Err(NoteError::OtherText));
    let checkpoint = checkpoint().sign(&keys).unwrap();
    let as_root = ReceiptsRoot::open(&checkpoint, keys.verifier_keys());
    assert_eq!(as_root, Err(NoteError::OtherText));
    for changed in changed_copies(&note) {
        let opened = ReceiptsRoot::open(&changed, keys.verifier_keys());
        assert!(opened.is_err(), "{changed}");
    }
}

#[test]
fn the_empty_log_has_a_checkpoint() {
    let keys = signing_keys(&[1]);
    let empty = Checkpoint {
        size: 0,
        root: EMPTY_HASH,
    };
    let note = empty.sign(&keys).unwrap();
    assert_eq!(Checkpoint::open(&note, keys.verifier_keys()), Ok(empty));
}
