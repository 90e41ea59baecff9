//! Keys and signed notes: known answers of Go's package note, and what is refused.

use glasshouse_transparency::keys::new_private_key;
use glasshouse_transparency::keys::{KeyError, NoteError, SigningKeys, VerifierKeys};
use glasshouse_transparency::origin::{Origin, OriginError};
use secrecy::ExposeSecret as _;

use crate::support::{changed_copies, private_key, signing_keys};

const PRIVATE: &str =
    "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
const PUBLIC: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const TEXT: &str = "If you think cryptography is the answer to your problem,\n\
                    then you don't know what your problem is.\n";
const SIGNATURE: &str = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
const OTHER_PUBLIC: &str = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop";

#[test]
fn notes_are_signed_as_by_go() {
    let keys = SigningKeys::parse(PRIVATE).unwrap();
    assert_eq!(keys.origin().as_str(), "PeterNeumann");
    assert_eq!(keys.verifier_keys().to_string(), format!("{PUBLIC}\n"));
    let note = keys.sign(TEXT).unwrap();
    assert_eq!(note, format!("{TEXT}\n{SIGNATURE}"));
    let published = VerifierKeys::parse(PUBLIC).unwrap();
    assert_eq!(published.open(&note), Ok(TEXT));
}

#[test]
fn new_keys_are_those_that_go_makes_of_the_same_bytes() {
    let key = new_private_key(&Origin::parse("EnochRoot").unwrap(), [0; 32]);
    let keys = SigningKeys::parse(key.expose_secret()).unwrap();
    assert_eq!(
        keys.verifier_keys().to_string(),
        format!("{OTHER_PUBLIC}\n")
    );
}

#[test]
fn all_keys_sign_and_each_verifies() {
    let both = signing_keys(&[1, 2]);
    let note = both.sign("text\n").unwrap();
    let (first, second) = (signing_keys(&[1]), signing_keys(&[2]));
    let expected: Vec<&str> = [&first, &second]
        .into_iter()
        .flat_map(|keys| keys.verifier_keys().iter())
        .collect();
    assert_eq!(both.verifier_keys().iter().collect::<Vec<_>>(), expected);
    for keys in [&first, &second, &both] {
        assert_eq!(keys.verifier_keys().open(&note), Ok("text\n"));
    }
    let other = signing_keys(&[3]);
    assert_eq!(other.verifier_keys().open(&note), Err(NoteError::Unsigned));
}

#[test]
fn a_wrong_signature_by_a_trusted_key_is_refused_next_to_a_right_one() {
    let both = signing_keys(&[1, 2]);
    let (one, other) = (both.sign("one\n").unwrap(), both.sign("two\n").unwrap());
    let mixed: Vec<&str> = one.lines().take(3).chain(other.lines().skip(3)).collect();
    let mixed = mixed.join("\n") + "\n";
    let opened = both.verifier_keys().open(&mixed);
    assert_eq!(opened, Err(NoteError::InvalidSignature));
    let first = signing_keys(&[1]);
    assert_eq!(first.verifier_keys().open(&mixed), Ok("one\n"));
}

#[test]
fn a_note_with_any_change_is_refused() {
    let keys = VerifierKeys::parse(PUBLIC).unwrap();
    let note = format!("{TEXT}\n{SIGNATURE}");
    for changed in changed_copies(&note) {
        assert!(keys.open(&changed).is_err(), "{changed}");
    }
}

#[test]
fn a_text_that_is_not_lines_is_not_signed() {
    let keys = signing_keys(&[1]);
    for text in ["", "text", "a\tb\n", "a\r\n"] {
        assert_eq!(keys.sign(text), Err(NoteError::Malformed), "{text:?}");
    }
}

#[test]
fn malformed_private_keys_are_refused() {
    let check = |file: &str, expected| {
        assert_eq!(SigningKeys::parse(file).unwrap_err(), expected);
    };
    let (one, two) = (private_key(1), private_key(2));
    check("", KeyError::None);
    check(PUBLIC, KeyError::Malformed(1));
    check(&format!("{one}\n\n{two}"), KeyError::Malformed(2));
    check(&format!("{one}\n{PRIVATE}\n"), KeyError::OtherName(2));
    check(&format!("{one}\n{two}\n{one}\n"), KeyError::Duplicate(3));
    let named = new_private_key(&Origin::parse("a/b").unwrap(), [1; 32]);
    // The ID is a hash of the name too.
    let renamed = named.expose_secret().replace("a/b", "a/c");
    check(&renamed, KeyError::Malformed(1));
    for changed in changed_copies(&one) {
        assert!(SigningKeys::parse(&changed).is_err(), "{changed}");
    }
}

#[test]
fn malformed_public_keys_are_refused() {
    let check = |text: &str, expected| {
        assert_eq!(VerifierKeys::parse(text).unwrap_err(), expected, "{text}");
    };
    check("", KeyError::None);
    check(PRIVATE, KeyError::Malformed(1));
    check(&format!("{PUBLIC}\n{OTHER_PUBLIC}"), KeyError::OtherName(2));
    check(&format!("{PUBLIC}\n{PUBLIC}"), KeyError::Duplicate(2));
    check(
        &PUBLIC.replace("c74f20a3", "C74F20A3"),
        KeyError::Malformed(1),
    );
    for changed in changed_copies(PUBLIC) {
        assert!(VerifierKeys::parse(&changed).is_err(), "{changed}");
    }
}

#[test]
fn a_name_that_is_no_origin_is_refused() {
    let key = ed25519_dalek::SigningKey::from_bytes(&[1; 32]).verifying_key();
    let named = signed_note::new_ed25519_verifier_key("a/receipts", &key);
    let refused = VerifierKeys::parse(&named).unwrap_err();
    assert_eq!(refused, KeyError::Name(1, OriginError));
}

#[test]
fn keys_for_which_a_signature_fits_many_texts_are_refused() {
    // The neutral element of the curve.
    let mut typed = [0; 33];
    typed[0] = 1;
    typed[1] = 1;
    let id = signed_note::key_id("a", &typed);
    let weak = format!("a+{id:08x}+AQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    assert!(signed_note::StandardVerifier::new(&weak).is_ok());
    assert_eq!(
        VerifierKeys::parse(&weak).unwrap_err(),
        KeyError::Malformed(1)
    );
}

#[test]
fn private_keys_are_not_in_the_debug_output() {
    let keys = SigningKeys::parse(PRIVATE).unwrap();
    let expected = "SigningKeys { origin: Origin(\"PeterNeumann\"), ids: [c74f20a3], .. }";
    assert_eq!(format!("{keys:?}"), expected);
    assert!(!format!("{:?}", new_private_key(keys.origin(), [7; 32])).contains("Bwc"));
}
