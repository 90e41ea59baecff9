//! Entries of the public log: their exact lines, bundles, and that no other text is one.

use glasshouse_transparency::Hash;
use glasshouse_transparency::entry::{
    Books, BundleError, Entry, EntryError, GameTotals, Key, MAXIMUM_LENGTH, Restart, Round, Rules,
    Terms, decode_bundle, encode_bundle, leaf_hash,
};
use proptest::prelude::*;
use serde::Serialize;
use serde_json::json;

use crate::support::{changed_copies, signing_keys};

#[derive(Serialize)]
struct DiceTerms {
    // Not in alphabetical order: a game decides on the order of its fields.
    target: u8,
    side: &'static str,
}

const SECOND: i64 = 1_795_290_535;

fn round(terms: Terms, words: Vec<[u8; 32]>) -> Round {
    Round {
        game: "dice".to_owned(),
        rules: 2,
        stake: 1000,
        payout: 1980,
        terms,
        words,
        second: SECOND,
    }
}

/// An entry of each kind.
pub(crate) fn examples() -> Vec<Entry> {
    let terms = DiceTerms {
        target: 50,
        side: "over",
    };
    let total = |game: &str, rounds| GameTotals {
        game: game.to_owned(),
        rounds,
        stake: 1000 * rounds,
        payout: 990 * rounds,
    };
    vec![
        Entry::Round(round(
            Terms::new(&terms).unwrap(),
            vec![[0xab; 32], [0xcd; 32]],
        )),
        Entry::Rules(Rules {
            version: 2,
            sha256: [0x42; 32],
            second: SECOND,
        }),
        Entry::Books(Books {
            day: "2026-11-21".parse().unwrap(),
            games: vec![total("dice", 12), total("video_poker", 3)],
            balances: 7_654_321,
            accounts: 42,
            second: SECOND,
        }),
        Entry::Key(Key {
            vkey: signing_keys(&[1]).verifier_keys().iter().collect(),
            second: SECOND,
        }),
        Entry::Restart(Restart {
            origin: "play.example/glasshouse".to_owned(),
            size: 1234,
            root: Hash([0x11; 32]),
            second: SECOND,
        }),
    ]
}

#[test]
fn entries_have_exactly_these_lines() {
    let key = signing_keys(&[1]).verifier_keys().to_string();
    let expected = [
        format!(
            r#"{{"kind":"round","game":"dice","rules":2,"stake":1000,"payout":1980,"terms":{{"target":50,"side":"over"}},"words":"{}{}","second":1795290535}}"#,
            "ab".repeat(32),
            "cd".repeat(32),
        ),
        format!(
            r#"{{"kind":"rules","version":2,"sha256":"{}","second":1795290535}}"#,
            "42".repeat(32),
        ),
        r#"{"kind":"books","day":"2026-11-21","games":[{"game":"dice","rounds":12,"stake":12000,"payout":11880},{"game":"video_poker","rounds":3,"stake":3000,"payout":2970}],"balances":7654321,"accounts":42,"second":1795290535}"#.to_owned(),
        format!(
            r#"{{"kind":"key","vkey":"{}","second":1795290535}}"#,
            key.trim_end(),
        ),
        r#"{"kind":"restart","origin":"play.example/glasshouse","size":1234,"root":"ERERERERERERERERERERERERERERERERERERERERERE=","second":1795290535}"#.to_owned(),
    ];
    assert_eq!(examples().len(), expected.len());
    for (entry, line) in examples().iter().zip(expected) {
        assert_eq!(entry.to_line().unwrap(), line);
        assert_eq!(Entry::parse(&line).as_ref(), Ok(entry));
        assert_eq!(
            leaf_hash(line.as_bytes()),
            tlog_tiles::record_hash(line.as_bytes())
        );
    }
}

#[test]
fn what_is_accepted_after_a_change_is_another_entry_in_its_usual_form() {
    for entry in examples() {
        for changed in changed_copies(&entry.to_line().unwrap()) {
            if let Ok(other) = Entry::parse(&changed) {
                assert_ne!(other, entry);
                assert_eq!(other.to_line().unwrap(), changed);
            }
        }
    }
}

#[test]
fn deviations_are_refused() {
    use EntryError::{Invalid, Malformed, NotCanonical};

    let line = examples()[0].to_line().unwrap();
    let check = |from: &str, to: &str, expected| {
        let changed = line.replacen(from, to, 1);
        assert_ne!(changed, line, "{from}");
        assert_eq!(Entry::parse(&changed), Err(expected), "{from} → {to}");
    };
    check("\"kind\":\"round\"", "\"kind\":\"bet\"", Malformed);
    check("\"kind\":\"round\",", "", Malformed);
    check("{\"kind\"", "{ \"kind\"", Malformed);
    check("\"payout\":1980,", "", Malformed);
    check(
        "\"payout\":1980,",
        "\"payout\":1980,\"player\":7,",
        Malformed,
    );
    check(
        "\"payout\":1980,",
        "\"payout\":1980,\"payout\":1980,",
        Malformed,
    );
    check("1980", "1980.0", Malformed);
    check("1980", "1.98e3", Malformed);
    check("1980", "-1", Invalid);
    check("1980", "01980", Malformed);
    check("\"dice\"", "\"Dice\"", Invalid);
    check("\"dice\"", "\"\"", Invalid);
    check("\"dice\"", "\"d\\u0069ce\"", NotCanonical);
    check("\"rules\":2", "\"rules\": 2", NotCanonical);
    check(
        "\"stake\":1000,\"payout\":1980",
        "\"payout\":1980,\"stake\":1000",
        NotCanonical,
    );
    check("abab", "ABab", NotCanonical);
    check("abab", "ab", Malformed);
    check("\"side\":", "\"side\": ", Invalid);
    check("{\"target\":50,\"side\":\"over\"}", "[50]", Invalid);
    check(
        "{\"target\":50,\"side\":\"over\"}",
        "{\"target\":}",
        Malformed,
    );
    for changed in [
        format!("{line}\n"),
        format!(" {line}"),
        format!("{line}{line}"),
    ] {
        assert!(Entry::parse(&changed).is_err(), "{changed}");
    }
}

#[test]
fn invalid_values_are_neither_written_nor_parsed() {
    let check = |example: usize, from: &str, to: &str| {
        let line = examples()[example].to_line().unwrap();
        let changed = line.replacen(from, to, 1);
        assert_ne!(changed, line, "{from}");
        assert_eq!(
            Entry::parse(&changed),
            Err(EntryError::Invalid),
            "{changed}"
        );
    };
    for example in 0..examples().len() {
        check(example, "\"second\":", "\"second\":-");
    }
    check(0, "\"stake\":", "\"stake\":-");
    check(2, "\"rounds\":12", "\"rounds\":-12");
    check(2, "video_poker", "video poker");
    check(2, "\"balances\":", "\"balances\":-");
    check(2, "\"accounts\":", "\"accounts\":-");
    check(3, "glasshouse", "otherhouse");
    check(4, "glasshouse", "glass house");
    check(4, "1234", "9007199254740992");
    let Entry::Key(mut key) = examples()[3].clone() else {
        unreachable!("the fourth example is a key")
    };
    key.vkey.push('\n');
    assert_eq!(Entry::Key(key).to_line(), Err(EntryError::Invalid));
}

#[test]
fn terms_keep_their_text() {
    let terms = Terms::new(&json!({"text": "a b \" \\ {"})).unwrap();
    let entry = Entry::Round(round(terms, Vec::new()));
    let line = entry.to_line().unwrap();
    assert!(line.contains(r#""terms":{"text":"a b \" \\ {"},"words":"""#));
    assert_eq!(Entry::parse(&line), Ok(entry));
    assert_eq!(Terms::new(&json!([1])), Err(EntryError::Malformed));
    assert_eq!(Terms::new(&"text"), Err(EntryError::Malformed));
}

#[test]
fn an_entry_is_at_most_as_long_as_a_bundle_allows() {
    let with_text = |length| {
        let terms = Terms::new(&json!({"text": "a".repeat(length)})).unwrap();
        Entry::Round(round(terms, Vec::new()))
    };
    let others = with_text(0).to_line().unwrap().len();
    let longest = with_text(MAXIMUM_LENGTH - others);
    let line = longest.to_line().unwrap();
    assert_eq!(line.len(), MAXIMUM_LENGTH);
    assert_eq!(Entry::parse(&line), Ok(longest));
    let too_long = with_text(MAXIMUM_LENGTH - others + 1);
    assert_eq!(too_long.to_line(), Err(EntryError::TooLong));
    assert_eq!(Entry::parse(&"a".repeat(65_536)), Err(EntryError::TooLong));
}

#[test]
fn a_bundle_is_each_entry_after_its_length() {
    let bundle = encode_bundle(&["ab", "", "cde"]).unwrap();
    assert_eq!(bundle, b"\x00\x02ab\x00\x00\x00\x03cde");
    let entries: [&[u8]; 3] = [b"ab", b"", b"cde"];
    assert_eq!(decode_bundle(&bundle, 3).unwrap(), entries);
    for width in [1, 2, 4, 256] {
        assert_eq!(
            decode_bundle(&bundle, width),
            Err(BundleError::Malformed),
            "{width}"
        );
    }
    for width in [0, 257, u16::MAX] {
        assert_eq!(
            decode_bundle(&bundle, width),
            Err(BundleError::Width),
            "{width}"
        );
    }
    for length in 0..bundle.len() {
        assert!(decode_bundle(&bundle[..length], 3).is_err(), "{length}");
    }
    let long = vec![0_u8; 65_535];
    let bundle = encode_bundle(&[&long]).unwrap();
    assert_eq!(decode_bundle(&bundle, 1).unwrap(), [long]);
    assert_eq!(
        encode_bundle(&[vec![0_u8; 65_536]]),
        Err(BundleError::EntryTooLong)
    );
    assert_eq!(encode_bundle::<&str>(&[]), Err(BundleError::Width));
    assert_eq!(encode_bundle(&["a"; 257]), Err(BundleError::Width));
}

proptest! {
    #[test]
    fn rounds_are_parsed_as_written(
        game in "[a-z][a-z0-9_]{0,15}",
        stake in 0..=i64::MAX,
        payout in 0..=i64::MAX,
        words in proptest::collection::vec(any::<[u8; 32]>(), 0..4),
        terms in proptest::collection::btree_map("\\PC{0,8}", "\\PC{0,8}", 0..4),
    ) {
        let mut round = round(Terms::new(&terms).unwrap(), words);
        (round.game, round.stake, round.payout) = (game, stake, payout);
        let entry = Entry::Round(round);
        prop_assert_eq!(Entry::parse(&entry.to_line().unwrap()), Ok(entry));
    }

    #[test]
    fn bundles_are_decoded_as_encoded(
        entries in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 1..=256),
    ) {
        let bundle = encode_bundle(&entries).unwrap();
        let width = u16::try_from(entries.len()).unwrap();
        prop_assert_eq!(decode_bundle(&bundle, width).unwrap(), entries);
    }
}
