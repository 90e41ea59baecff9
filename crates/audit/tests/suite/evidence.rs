//! Evidence of a player against a house: what the house has signed counts, and nothing else.

use glasshouse_audit::audit::Outcome;
use glasshouse_audit::evidence::evaluate;
use glasshouse_games::fairness::ServerSeed;
use glasshouse_transparency::Hash;
use glasshouse_transparency::entry::leaf_hash;
use glasshouse_transparency::keys::SigningKeys;
use glasshouse_transparency::receipt::{
    self, ClientSeed, ClientSeedBy, PairStatement, Receipt, RoundState, RoundStatement, SeedHash,
    SignedReceipt, Statement,
};
use glasshouse_transparency::receipt_tree::ReceiptTree;
use glasshouse_transparency::time::UtcTime;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::forged_house::{ForgedHouse, SignedLog};
use crate::honest::{FIRST_ROUND, Honest, SECOND, options, private_key, signing_keys};
use crate::rounds::{CLIENT_SEED, Played, play_all, seeds};

/// A house with its log, and a player with receipts of its rounds.
pub(crate) struct Case {
    pub(crate) honest: Honest,
    pub(crate) house: ForgedHouse,
    pub(crate) rounds: Vec<Played>,
}

impl Case {
    pub(crate) fn new() -> Self {
        let honest = Honest::new();
        let house = honest.serve(&honest.lines);
        let rounds = play_all(20);
        Self {
            honest,
            house,
            rounds,
        }
    }

    /// The receipt of a settled round that is true.
    pub(crate) fn settled(&self, number: usize) -> RoundStatement {
        let round = &self.rounds[number];
        RoundStatement {
            round: i64::try_from(number).unwrap(),
            state: RoundState::Settled {
                payout: round.payout,
                entry: leaf_hash(round.line.as_bytes()),
            },
            pair: pair_hash(),
            nonce: round.nonce,
            stake: round.stake,
            balance: 1_000,
        }
    }

    pub(crate) fn sign(&self, statements: &[Statement]) -> Vec<Value> {
        sign(&self.honest.keys, statements)
    }

    /// Evaluates evidence with these parts.
    pub(crate) fn evaluate(
        &self,
        receipts: &[Value],
        checkpoints: &[&str],
        failures: &Value,
    ) -> Outcome {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("evidence.json");
        let keys: Vec<&str> = self.honest.keys.verifier_keys().iter().collect();
        let evidence = json!({
            "format": "glasshouse evidence v1",
            "player": 7,
            "savedAt": "2026-11-22T12:00:00.000Z",
            "keys": keys,
            "checkpoints": checkpoints,
            "failures": failures,
            "receipts": receipts,
        });
        std::fs::write(&file, evidence.to_string()).unwrap();
        evaluate(&options(&self.house, None, &[]), &file).unwrap()
    }
}

/// A failure as the browser saves it.
pub(crate) fn failure(kind: &str, evidence: &Value) -> Value {
    json!([{ "kind": kind, "message": "m", "foundAt": "t", "evidence": evidence }])
}

pub(crate) fn pair_hash() -> SeedHash {
    SeedHash::parse(&seeds(0).server_seed.hash()).unwrap()
}

/// Signs receipts as one commit does. They are ten seconds apart.
fn sign(keys: &SigningKeys, statements: &[Statement]) -> Vec<Value> {
    let texts: Vec<String> = (0..)
        .zip(statements)
        .map(|(number, statement)| {
            let receipt = Receipt {
                origin: keys.origin().clone(),
                player: 7,
                statement: statement.clone(),
                time: UtcTime::from_micros((SECOND + 10 * number) * 1_000_000),
            };
            receipt.to_string()
        })
        .collect();
    let tree = ReceiptTree::new(texts.iter().map(|text| receipt::leaf_hash(text)));
    let note = tree.root().unwrap().sign(keys).unwrap();
    (0..)
        .zip(texts)
        .map(|(index, text)| {
            let receipt = SignedReceipt {
                text,
                index,
                path: tree.path(index).unwrap(),
                note: note.clone(),
            };
            serde_json::to_value(receipt).unwrap()
        })
        .collect()
}

pub(crate) fn pair(client_seed: &str, next: u8) -> Statement {
    Statement::Pair(PairStatement {
        server_seed_hash: pair_hash(),
        client_seed: ClientSeed::parse(client_seed).unwrap(),
        client_seed_by: ClientSeedBy::Player,
        next_server_seed_hash: SeedHash::from_bytes([next; 32]),
    })
}

fn revealed(server_seed: &ServerSeed, hash: &str) -> Value {
    json!({ "shownNow": {
        "serverSeed": server_seed.as_str(),
        "serverSeedHash": hash,
        "clientSeed": CLIENT_SEED,
    }})
}

#[track_caller]
pub(crate) fn assert_proof(outcome: &Outcome, texts: &[&str]) {
    assert!(outcome.is_contradiction, "{}", outcome.report);
    let (_, proof) = outcome.report.split_once("CONTRADICTION (").unwrap();
    for text in texts {
        assert!(proof.contains(text), "no {text} in {proof}");
    }
}

#[track_caller]
pub(crate) fn assert_no_proof(outcome: &Outcome, texts: &[&str]) {
    assert!(!outcome.is_contradiction, "{}", outcome.report);
    for text in texts
        .iter()
        .chain(&["The evidence proves no contradiction."])
    {
        assert!(outcome.report.contains(text), "{}", outcome.report);
    }
}

#[test]
fn nothing_is_proved_against_an_honest_house() {
    let case = Case::new();
    let mut statements = vec![pair("first", 9), pair(CLIENT_SEED, 9)];
    for number in [0, 1, 2] {
        let settled = case.settled(number);
        statements.push(Statement::Round(RoundStatement {
            state: RoundState::Open,
            ..settled.clone()
        }));
        statements.push(Statement::Round(settled));
    }
    let receipts = case.sign(&statements);
    let earlier = SignedLog::new(&case.honest.lines[..50], &case.honest.keys);
    let seed = seeds(0).server_seed;
    let shown = revealed(&seed, &seed.hash());
    let outcome = case.evaluate(
        &receipts,
        &[&earlier.note],
        &failure("seed_mismatch", &shown),
    );
    assert_no_proof(
        &outcome,
        &[
            "8 receipts and 1 checkpoints. 3 entries",
            "failure 1 (seed_mismatch: m) proves no contradiction",
            "WARNING: The key comes from the house itself.",
        ],
    );
}

#[test]
fn two_receipts_that_disagree_are_a_proof() {
    let case = Case::new();
    let right = case.settled(0);
    let mut wrong = right.clone();
    wrong.balance += 1;
    let receipts = case.sign(&[Statement::Round(right), Statement::Round(wrong)]);
    let both = json!({ "before": receipts[0], "now": receipts[1] });
    let outcome = case.evaluate(&receipts[..1], &[], &failure("receipt_contradicted", &both));
    assert_proof(
        &outcome,
        &["one round is stated to have ended in two ways", "failure 1"],
    );
    assert!(
        outcome
            .report
            .contains("failure 1 (receipt_contradicted: m) proves a contradiction"),
        "{}",
        outcome.report
    );
    let outcome = case.evaluate(&receipts, &[], &json!([]));
    assert_proof(&outcome, &["receipt 1, receipt 2): round 0: one round"]);
    let replaced = case.sign(&[pair("a", 8), pair("a", 9)]);
    let outcome = case.evaluate(&replaced, &[], &json!([]));
    assert_proof(&outcome, &["the seed that follows a pair was replaced"]);
}

#[test]
fn receipts_that_the_house_has_not_signed_prove_nothing() {
    let case = Case::new();
    let right = case.settled(0);
    let mut wrong = right.clone();
    wrong.balance += 1;
    let mut receipts = case.sign(&[Statement::Round(right)]);
    let other = signing_keys(&[private_key(2)]);
    receipts.extend(sign(&other, &[Statement::Round(wrong)]));
    let outcome = case.evaluate(&receipts, &[], &json!([]));
    let reason = "it is not signed by a trusted key";
    assert_no_proof(
        &outcome,
        &["receipt 2 contains a receipt that proves nothing", reason],
    );
    // A signed one that was changed.
    let text = receipts[0]["text"].as_str().unwrap().to_owned();
    receipts[1] = receipts[0].clone();
    receipts[1]["text"] = text.replace("balance 1000", "balance 1001").into();
    let outcome = case.evaluate(&receipts, &[], &json!([]));
    assert_no_proof(&outcome, &["the path does not lead from the receipt"]);
}

#[test]
fn the_entry_of_a_receipt_must_be_in_the_log() {
    let case = Case::new();
    let mut settled = case.settled(0);
    settled.state = RoundState::Settled {
        payout: 5,
        entry: Hash([5; 32]),
    };
    let receipts = case.sign(&[Statement::Round(settled.clone())]);
    let hash = "05".repeat(32);
    let missing = json!({ "entry": hash, "answer": "not found", "status": 404 });
    let outcome = case.evaluate(&receipts, &[], &failure("entry_missing", &missing));
    assert_proof(
        &outcome,
        &[&format!(
            "round 0: the entry {hash} of a settled round is not in the log"
        )],
    );
    // And it must say the same.
    let entry = leaf_hash(case.rounds[0].line.as_bytes());
    let payout = case.rounds[0].payout + 1;
    settled.state = RoundState::Settled { payout, entry };
    let receipts = case.sign(&[Statement::Round(settled)]);
    let outcome = case.evaluate(&receipts, &[], &json!([]));
    assert_proof(
        &outcome,
        &[&format!(
            "round 0: entry {FIRST_ROUND} of the log does not have the stake and payout of its receipt"
        )],
    );
}

#[test]
fn checkpoints_that_the_log_does_not_continue_are_a_proof() {
    let case = Case::new();
    let lines = &case.honest.lines;
    let mut other = lines.clone();
    other.swap(3, 4);
    let note = |lines: &[String]| SignedLog::new(lines, &case.honest.keys).note;
    let evaluate = |notes: &[&str], kind: &Value| case.evaluate(&[], notes, kind);
    let no_failures = json!([]);
    let outcome = evaluate(&[&note(&other[..50])], &no_failures);
    assert_proof(
        &outcome,
        &["checkpoint 1): the log was forked: its first 50 entries"],
    );
    let longer = [lines.as_slice(), &lines[..1]].concat();
    let outcome = evaluate(&[&note(&longer)], &no_failures);
    assert_proof(&outcome, &["the log was truncated"]);
    let outcome = evaluate(&[&note(&lines[..50]), &note(&other[..50])], &no_failures);
    assert_proof(
        &outcome,
        &["two logs of the same size with different roots"],
    );
    let found = json!({ "checkpointBefore": note(&other), "checkpointNow": note(lines) });
    let outcome = evaluate(&[], &failure("log_forked", &found));
    assert_proof(&outcome, &["failure 1): "]);
    // Anybody can sign with another key.
    let forged = SignedLog::new(&other, &signing_keys(&[private_key(2)])).note;
    assert_no_proof(&evaluate(&[&forged], &no_failures), &["0 checkpoints"]);
}

/// The house does not sign the seeds that it reveals, but it signs the words that follow from them.
#[test]
fn a_seed_is_judged_by_the_words_of_the_rounds() {
    let case = Case::new();
    let used = seeds(0).server_seed;
    let unused = ServerSeed::from_bytes([8; 32]);
    let committed = SeedHash::parse(&unused.hash()).unwrap();
    // The house has committed to one seed and has played with another one.
    let round = RoundStatement {
        pair: committed,
        ..case.settled(0)
    };
    let receipts = case.sign(&[Statement::Round(round.clone())]);
    let shown = failure("seed_mismatch", &revealed(&used, &unused.hash()));
    let outcome = case.evaluate(&receipts, &[], &shown);
    assert_proof(
        &outcome,
        &["failure 1, receipt 1): round 0: it was played with the seed 0707"],
    );

    // It reveals the committed seed, which does not give the words. The player could have left out the
    // receipt of another client seed, unless that was stated after the round.
    let shown = failure("round_mismatch", &revealed(&unused, &unused.hash()));
    let outcome = case.evaluate(&receipts, &[], &shown);
    assert_no_proof(
        &outcome,
        &["failure 1 (round_mismatch: m) claims a contradiction"],
    );
    let pair = Statement::Pair(PairStatement {
        server_seed_hash: committed,
        client_seed: ClientSeed::parse(CLIENT_SEED).unwrap(),
        client_seed_by: ClientSeedBy::Player,
        next_server_seed_hash: SeedHash::from_bytes([9; 32]),
    });
    let before = case.sign(&[pair.clone(), Statement::Round(round.clone())]);
    let outcome = case.evaluate(&before, &[], &shown);
    assert_no_proof(&outcome, &["CLAIM (failure 1, receipt 2)"]);
    let after = case.sign(&[Statement::Round(round), pair]);
    let outcome = case.evaluate(&after, &[], &shown);
    assert_proof(
        &outcome,
        &["the words in the log are not those of the committed seed"],
    );

    // A seed that gives no words of the log could be made up.
    let other = ServerSeed::from_bytes([6; 32]);
    let shown = failure("seed_mismatch", &revealed(&other, &unused.hash()));
    let outcome = case.evaluate(&[], &[], &shown);
    assert_no_proof(
        &outcome,
        &[
            "CLAIM (failure 1): the seed 0606",
            "does not sign the seeds",
        ],
    );
}

#[test]
fn a_wrong_log_is_reported_with_the_evidence() {
    let case = Case::new();
    let receipts = case.sign(&[Statement::Round(case.settled(0))]);
    case.house
        .put("/log/checkpoint", Some(b"nonsense".to_vec()));
    let outcome = case.evaluate(&receipts, &[], &json!([]));
    assert_proof(
        &outcome,
        &["in the log itself): round 0: the checkpoint is refused"],
    );
}
