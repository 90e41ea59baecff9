//! The worked example in `docs/transparency.md#a-worked-example`: what it quotes is verified with our
//! own code, and its commands print what it says.

use std::borrow::Cow;

use glasshouse_domain::{Game, Money, RoundResult, RulesVersion};
use glasshouse_games::fairness::{ClientSeed, RoundSeeds, ServerSeed};
use glasshouse_games::published::{PublishedRound, verify};
use glasshouse_testing::{Commands, documented_commands, have_programs, run_commands};
use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{Entry, Round, leaf_hash};
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::proof::verify_inclusion;
use glasshouse_transparency::receipt::{Receipt, RoundState, SignedReceipt, Statement};
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../../docs/transparency.md");
const HEADING: &str = "\n## A worked example\n";
/// The programs that the commands need.
const PROGRAMS: [&str; 10] = [
    "base64",
    "cut",
    "grep",
    "head",
    "od",
    "openssl",
    "sed",
    "sha256sum",
    "tail",
    "tr",
];
/// The files that the player got.
const FILES: [(&str, &str); 4] = [
    (
        "receipt.json",
        include_str!("../worked_example/receipt.json"),
    ),
    ("proof.json", include_str!("../worked_example/proof.json")),
    ("pairs.json", include_str!("../worked_example/pairs.json")),
    ("key", include_str!("../worked_example/key")),
];

fn file(name: &str) -> &'static str {
    FILES.iter().find(|(other, _)| *other == name).unwrap().1
}

fn keys() -> VerifierKeys {
    VerifierKeys::parse(file("key")).unwrap()
}

/// Whether the document shows it, and not only as a part of a file.
#[track_caller]
fn assert_shown(value: &str) {
    let shown = blocks().into_iter().filter_map(|block| block.output);
    let lines: Vec<String> = shown
        .flat_map(|output| output.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(lines.iter().any(|line| line == value), "{value}");
}

fn blocks() -> Vec<Commands> {
    documented_commands(DOCUMENT, HEADING)
}

fn hash(text: &Value) -> Hash {
    Hash::parse_hash(text.as_str().unwrap()).unwrap()
}

/// The receipt, verified against the key.
fn receipt() -> Receipt {
    let signed: SignedReceipt = serde_json::from_str(file("receipt.json")).unwrap();
    assert_eq!((signed.index, signed.path.len()), (1, 2));
    let receipt = signed.verify(&keys()).unwrap();
    assert_shown(&hex::encode(receipt.leaf_hash().0));
    for line in receipt.to_string().lines() {
        assert_shown(line);
    }
    receipt
}

/// The entry, verified against the checkpoint.
fn entry() -> (Round, Hash) {
    let proof: Value = serde_json::from_str(file("proof.json")).unwrap();
    let checkpoint = Checkpoint::open(proof["checkpoint"].as_str().unwrap(), &keys()).unwrap();
    assert_eq!((&proof["index"], checkpoint.size), (&3.into(), 5));
    let path: Vec<Hash> = proof["path"].as_array().unwrap().iter().map(hash).collect();
    let line = proof["entry"].as_str().unwrap();
    let leaf = leaf_hash(line.as_bytes());
    verify_inclusion(&path, 3, leaf, &checkpoint).unwrap();
    assert_shown(line);
    assert_shown(&hex::encode(leaf.0));
    assert_shown(&hex::encode(checkpoint.root.0));
    let Entry::Round(round) = Entry::parse(line).unwrap() else {
        panic!("{line} is not a round");
    };
    (round, leaf)
}

#[test]
fn the_document_quotes_the_files() {
    for (name, content) in FILES {
        let quoted = format!("cat >{name} <<'END'\n{content}END\n");
        assert!(DOCUMENT.contains(&quoted), "{quoted}");
    }
}

#[test]
fn the_files_prove_the_round() {
    let Statement::Round(stated) = receipt().statement else {
        panic!("the receipt is about something else");
    };
    let (round, leaf) = entry();
    let settled = RoundState::Settled {
        payout: round.payout,
        entry: leaf,
    };
    assert_eq!((stated.state, stated.stake), (settled, round.stake));

    let pairs: Value = serde_json::from_str(file("pairs.json")).unwrap();
    let text = |name: &str| pairs[0][name].as_str().unwrap().to_owned();
    let server_seed = ServerSeed::from_text(text("serverSeed")).unwrap();
    assert_eq!(server_seed.hash(), stated.pair.to_string());
    assert_shown(&server_seed.hash());
    let seeds = RoundSeeds {
        server_seed,
        client_seed: ClientSeed::parse(&text("clientSeed")).unwrap(),
        nonce: stated.nonce,
    };
    let mut stream = seeds.stream();
    let roll = stream.below(100) + 1;
    let cent = stream.cent_word();
    assert_eq!(stream.blocks(), round.words);
    for block in stream.blocks() {
        assert_shown(&hex::encode(block));
    }

    let replay = verify(&PublishedRound {
        game: Game::parse(&round.game).unwrap(),
        rules: RulesVersion::of_number(round.rules.into()).unwrap(),
        stake: Money::from_cents(round.stake),
        payout: Money::from_cents(round.payout),
        terms: Cow::Borrowed(round.terms.as_str()),
        blocks: Cow::Borrowed(&round.words),
    });
    assert_eq!(replay.unwrap().result, RoundResult::Win);
    let (stake, payout) = (round.stake, round.payout);
    assert_shown(&format!(
        "The roll is {roll}, and the payout {payout} cents."
    ));
    // What the text says about the last cent.
    let exact = stake * 99 * 100 / 60;
    let exact = format!(
        "{stake} × 99 / 60 are {}.{:02} cents",
        exact / 100,
        exact % 100
    );
    let word = format!("first word `{cent:08x}` times 60 is not below 3 × 2³²");
    for text in [exact, word] {
        let document = DOCUMENT.replace('\n', " ");
        assert!(document.contains(&text), "{text}");
    }
    assert_eq!((stake * 99 % 60, cent < u32::MAX / 20), (3, false));
}

#[test]
fn the_commands_print_what_the_document_says() {
    if !have_programs(&PROGRAMS) {
        return;
    }
    // The others load the files of another round.
    let blocks = blocks()
        .into_iter()
        .filter(|block| !block.script.contains("curl"));
    let blocks: Vec<Commands> = blocks.collect();
    let folder = tempfile::tempdir().unwrap();
    let scripts = blocks.iter().map(|block| block.script.as_str());
    let printed = run_commands(scripts, folder.path());
    assert_eq!(printed.len(), blocks.len());
    for (block, printed) in blocks.iter().zip(&printed) {
        assert_eq!(printed, block.output.as_deref().unwrap_or_default());
    }
}
