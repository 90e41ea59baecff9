//! Cosignatures, and the messages between a log and its witnesses.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use ed25519_dalek::Signer as _;
use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::cosignature::{
    Cosignature, WitnessKey, WitnessSigningKey, add_cosignatures, cosignatures,
};
use glasshouse_transparency::keys::{KeyError, NoteError, new_private_key};
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::witness::{AddCheckpoint, Answer, MessageError};
use secrecy::ExposeSecret as _;

use crate::support::{changed_copies, leaves, origin, signing_keys};

const SECOND: u64 = 1_795_290_535;

fn witness(number: u8) -> WitnessSigningKey {
    let name = Origin::parse("witness.example/w1").unwrap();
    let key = new_private_key(&name, [number; 32]);
    WitnessSigningKey::parse(key.expose_secret()).unwrap()
}

fn checkpoint() -> Checkpoint {
    Checkpoint {
        size: 3,
        root: leaves(1)[0],
    }
}

fn note() -> String {
    checkpoint().sign(&signing_keys(&[1])).unwrap()
}

fn cosigned(number: u8, second: u64) -> String {
    let line = witness(number).cosign(&origin(), &checkpoint(), second);
    add_cosignatures(&note(), &line, &[witness(number).public().clone()]).unwrap()
}

#[test]
fn a_cosignature_is_made_as_specified() {
    let key = ed25519_dalek::SigningKey::from_bytes(&[9; 32]);
    let typed = [&[4], key.verifying_key().as_bytes().as_slice()].concat();
    let id = signed_note::key_id("witness.example/w1", &typed);
    let public = format!(
        "witness.example/w1+{id:08x}+{}",
        BASE64_STANDARD.encode(&typed)
    );
    assert_eq!(witness(9).public().to_string(), public);
    let body = checkpoint().body(&origin());
    let text = format!("cosignature/v1\ntime 1795290535\n{body}");
    let signature = key.sign(text.as_bytes()).to_bytes();
    let bytes = [&id.to_be_bytes()[..], &SECOND.to_be_bytes(), &signature].concat();
    let line = format!("— witness.example/w1 {}\n", BASE64_STANDARD.encode(bytes));
    assert_eq!(witness(9).cosign(&origin(), &checkpoint(), SECOND), line);
    assert_eq!(cosigned(9, SECOND), format!("{}{line}", note()));
}

#[test]
fn cosignatures_are_verified_with_their_time() {
    let expected = |second| Cosignature {
        witness: witness(9).public().name().clone(),
        second,
    };
    let keys = [witness(9).public().clone(), witness(8).public().clone()];
    let note = cosigned(9, SECOND);
    assert_eq!(cosignatures(&note, &keys), Ok(vec![expected(SECOND)]));
    assert_eq!(cosignatures(&note, &keys[1..]), Ok(vec![]));
    assert_eq!(cosignatures(&note, &[]), Ok(vec![]));
    // The log's own signature stays valid, and is none of a witness.
    let opened = Checkpoint::open(&note, signing_keys(&[1]).verifier_keys());
    assert_eq!(opened, Ok(checkpoint()));
    // A second witness is added, and a later cosignature replaces an earlier one.
    let line = witness(8).cosign(&origin(), &checkpoint(), SECOND + 1);
    let both = add_cosignatures(&note, &line, &keys).unwrap();
    let later = witness(9).cosign(&origin(), &checkpoint(), SECOND + 2);
    let both = add_cosignatures(&both, &later, &keys).unwrap();
    let found = cosignatures(&both, &keys).unwrap();
    assert_eq!(found, [expected(SECOND + 1), expected(SECOND + 2)]);
    assert_eq!(both.lines().count(), 4 + 3);
}

#[test]
fn a_cosigned_note_with_any_change_has_no_cosignature() {
    let keys = [witness(9).public().clone()];
    let note = cosigned(9, SECOND);
    let line = note.lines().last().unwrap();
    let rest = note.strip_suffix(&format!("{line}\n")).unwrap();
    for changed in changed_copies(line) {
        let found = cosignatures(&format!("{rest}{changed}\n"), &keys);
        assert!(found.unwrap_or_default().is_empty(), "{changed}");
    }
    let body = checkpoint().body(&origin());
    let signatures = note.strip_prefix(&body).unwrap();
    for changed in changed_copies(&body) {
        let found = cosignatures(&format!("{changed}{signatures}"), &keys);
        assert!(found.unwrap_or_default().is_empty(), "{changed}");
    }
}

#[test]
fn answers_without_a_valid_cosignature_are_refused() {
    let keys = [witness(9).public().clone()];
    let add = |answer: &str| add_cosignatures(&note(), answer, &keys);
    let line = witness(9).cosign(&origin(), &checkpoint(), SECOND);
    let other = Checkpoint {
        size: 4,
        ..checkpoint()
    };
    let for_other = witness(9).cosign(&origin(), &other, SECOND);
    assert_eq!(add(&for_other), Err(NoteError::InvalidSignature));
    let by_other = witness(8).cosign(&origin(), &checkpoint(), SECOND);
    assert_eq!(add(&by_other), Err(NoteError::Unsigned));
    let of_future = witness(9).cosign(&origin(), &checkpoint(), 1 << 63);
    assert_eq!(add(&of_future), Err(NoteError::InvalidSignature));
    for answer in [
        "",
        "\n",
        "text\n",
        line.trim_end(),
        &format!("\n{line}"),
        &format!("{line}\n"),
    ] {
        assert_eq!(add(answer), Err(NoteError::Malformed), "{answer:?}");
    }
    // The witness signs a text that the answer itself brings along.
    let longer = format!("{}\n{line}", checkpoint().body(&origin()));
    assert_eq!(add(&longer), Err(NoteError::Malformed));
    // Lines of strangers are left out.
    let mixed = add(&format!("{by_other}{line}")).unwrap();
    assert_eq!(mixed, format!("{}{line}", note()));
}

#[test]
fn a_cosignature_is_no_signature_of_a_log() {
    let key = new_private_key(&origin(), [1; 32]);
    let same_key = WitnessSigningKey::parse(key.expose_secret()).unwrap();
    let line = same_key.cosign(&origin(), &checkpoint(), SECOND);
    let note = format!("{}\n{line}", checkpoint().body(&origin()));
    let opened = Checkpoint::open(&note, signing_keys(&[1]).verifier_keys());
    assert_eq!(opened, Err(NoteError::Unsigned));
}

#[test]
fn malformed_keys_are_refused() {
    let text = witness(9).public().to_string();
    assert_eq!(WitnessKey::parse(&text).as_ref(), Ok(witness(9).public()));
    for changed in changed_copies(&text) {
        assert!(WitnessKey::parse(&changed).is_err(), "{changed}");
    }
    // The key of a log has another type.
    let of_log = signing_keys(&[1]).verifier_keys().to_string();
    let refused = WitnessKey::parse(of_log.trim_end());
    assert_eq!(refused.unwrap_err(), KeyError::Malformed(1));
    let debug = format!("{:?}", witness(9));
    assert_eq!(debug, format!("WitnessSigningKey({text})"));
}

#[test]
fn requests_are_written_as_specified() {
    let hash = Hash([7; 32]);
    let request = AddCheckpoint {
        old_size: 2,
        proof: vec![hash, leaves(1)[0]],
        note: note(),
    };
    let expected = format!("old 2\n{hash}\n{}\n\n{}", leaves(1)[0], note());
    assert_eq!(request.to_text(), expected);
    assert_eq!(AddCheckpoint::parse(&expected), Ok(request));
    let first = AddCheckpoint {
        old_size: 0,
        proof: vec![],
        note: note(),
    };
    assert_eq!(first.to_text(), format!("old 0\n\n{}", note()));
    assert_eq!(AddCheckpoint::parse(&first.to_text()), Ok(first));
}

#[test]
fn other_requests_are_refused() {
    let line = format!("{}\n", Hash([7; 32]));
    let request = |head: &str| AddCheckpoint::parse(&format!("{head}\n{}", note()));
    assert!(request(&format!("old 2\n{}", line.repeat(63))).is_ok());
    for head in [
        "",
        "old\n",
        "old \n",
        "old 02\n",
        "old +2\n",
        "old -2\n",
        "old 9007199254740992\n",
        "old 2 \n",
        "new 2\n",
        "old 2\r\n",
        "old 2\nAAAA\n",
        &format!("old 2\n {line}"),
        &format!("old 2\n{}", line.replace('=', "")),
        &format!("old 2\n{}", line.repeat(64)),
    ] {
        assert_eq!(request(head), Err(MessageError), "{head:?}");
    }
    assert_eq!(AddCheckpoint::parse("old 2\n"), Err(MessageError));
    let long = format!("old 2\n\n{}", "a".repeat(100_000));
    assert_eq!(AddCheckpoint::parse(&long), Err(MessageError));
}

#[test]
fn answers_are_parsed_as_written() {
    let line = witness(9).cosign(&origin(), &checkpoint(), SECOND);
    for answer in [
        Answer::Cosigned(line.clone()),
        Answer::Cosigned(line.repeat(2)),
        Answer::UnknownLog,
        Answer::NotSigned,
        Answer::Malformed,
        Answer::Conflict { size: 0 },
        Answer::Conflict { size: 20_852_014 },
        Answer::InvalidProof,
    ] {
        let parsed = Answer::parse(answer.status(), &answer.body());
        assert_eq!(parsed, Ok(answer));
    }
    assert_eq!(Answer::Conflict { size: 7 }.body(), "7\n");
}

#[test]
fn other_answers_are_refused() {
    let line = witness(9).cosign(&origin(), &checkpoint(), SECOND);
    for body in [
        "",
        "\n",
        "text\n",
        line.trim_end(),
        &format!("{line}\n"),
        &format!("{line} \n"),
    ] {
        assert_eq!(Answer::parse(200, body), Err(MessageError), "{body:?}");
    }
    for body in ["", "\n", "7", "07\n", "-7\n", "7\n\n", "9007199254740992\n"] {
        assert_eq!(Answer::parse(409, body), Err(MessageError), "{body:?}");
    }
    for status in [100, 201, 204, 301, 401, 500, 503] {
        assert_eq!(Answer::parse(status, &line), Err(MessageError), "{status}");
    }
    // A refusal may explain itself.
    assert_eq!(Answer::parse(403, "no such key\n"), Ok(Answer::NotSigned));
}
