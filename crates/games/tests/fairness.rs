//! The stream compared with published results of other casinos' verifiers, which use the same
//! scheme.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use glasshouse_games::fairness::{ClientSeed, ClientSeedError, ServerSeed, Stream};
use serde_json::Value;

fn rows(name: &str) -> Vec<(Stream, Value)> {
    let vectors: Value =
        serde_json::from_str(include_str!("vectors/fairness.json")).expect("the vectors are JSON");
    let rows = vectors[name]["rows"]
        .as_array()
        .expect("a list of rows")
        .clone();
    assert!(!rows.is_empty());
    rows.into_iter()
        .map(|row| {
            let server_seed = ServerSeed::from_text(row[0].as_str().unwrap().to_owned()).unwrap();
            let client_seed = ClientSeed::parse(row[1].as_str().unwrap()).unwrap();
            (
                Stream::new(&server_seed, &client_seed, row[2].as_u64().unwrap()),
                row[3].clone(),
            )
        })
        .collect()
}

#[test]
fn published_crash_points_are_reproduced() {
    for (mut stream, expected) in rows("crash_point_uncapped") {
        let hundredths = (99_u64 << 32) / u64::from(stream.next_word());
        let published = (expected.as_f64().unwrap() * 100.0).round();
        assert_eq!(hundredths.to_string(), published.to_string());
    }
}

#[test]
fn published_video_poker_cards_are_reproduced() {
    const RANKS: [&str; 13] = [
        "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A",
    ];
    for (mut stream, expected) in rows("video_poker_deal_and_draws") {
        let mut deck: Vec<String> = RANKS
            .iter()
            .flat_map(|rank| ["D", "H", "S", "C"].map(|suit| format!("{rank}{suit}")))
            .collect();
        let cards: Vec<String> = (0..10)
            .map(|_| {
                let index = stream.below(u32::try_from(deck.len()).unwrap());
                deck.remove(usize::try_from(index).unwrap())
            })
            .collect();
        assert_eq!(cards.join(" "), expected.as_str().unwrap());
    }
}

/// The worked example in `docs/fairness.md`.
#[test]
fn the_documented_example_is_reproduced() {
    let seed = ServerSeed::from_text("0123456789abcdef".repeat(4)).unwrap();
    assert_eq!(
        seed.hash(),
        "a8ae6e6ee929abea3afcfc5258c8ccd6f85273e0d4626d26c7279f3250f77c8e"
    );
    let client_seed = ClientSeed::parse("glasshouse").unwrap();
    let rolls: Vec<u32> = (0..5)
        .map(|nonce| Stream::new(&seed, &client_seed, nonce).below(100) + 1)
        .collect();
    let document = include_str!("../../../docs/fairness.md");
    let listed = rolls
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    assert!(
        document.contains(&listed),
        "docs/fairness.md should list {listed}"
    );
    assert!(document.contains(&seed.hash()));
    let words: Vec<String> = (0..3)
        .map(|nonce| {
            Stream::new(&seed, &client_seed, nonce)
                .cent_word()
                .to_string()
        })
        .collect();
    assert!(document.contains(&words.join(", ")), "{words:?}");
    let first = Stream::new(&seed, &client_seed, 0).cent_word();
    assert!(document.contains(&format!("`{first:08x}`")), "{first:08x}");
}

#[test]
fn the_ninth_word_comes_from_the_second_block() {
    let seed = ServerSeed::from_bytes([1; 32]);
    let client_seed = ClientSeed::parse("blocks").unwrap();
    let mut stream = Stream::new(&seed, &client_seed, 3);
    let words: Vec<u32> = (0..17).map(|_| stream.next_word()).collect();
    let distinct: std::collections::BTreeSet<_> = words.iter().collect();
    assert_eq!(distinct.len(), words.len(), "no block must be repeated");
    // A second stream with the same seeds returns the same words.
    let mut repeated = Stream::new(&seed, &client_seed, 3);
    assert!(words.iter().all(|word| *word == repeated.next_word()));
}

#[test]
fn seeds_are_validated_and_never_printed() {
    let check = |text: &str, is_seed: bool| {
        let parsed = ClientSeed::parse(text);
        assert_eq!(parsed.is_ok(), is_seed, "{text}");
        if !is_seed {
            assert_eq!(parsed, Err(ClientSeedError::Client));
        }
    };
    check("a", true);
    check(&"Z_-9".repeat(16), true);
    check(&"x".repeat(65), false);
    for text in ["", "a b", "a:b", "ä", "a\n"] {
        check(text, false);
    }
    let seed = ServerSeed::from_bytes([9; 32]);
    assert!(!format!("{seed:?}").contains("0909"));
    assert!(ServerSeed::from_text(String::new()).is_err());
    assert!(ServerSeed::from_text("x".repeat(129)).is_err());
}
