//! Evidence of what the house has served late or not as signed, or answered without a signature.

use glasshouse_transparency::Hash;
use glasshouse_transparency::receipt::{Receipt, RoundState, SeedHash, SignedReceipt, Statement};
use glasshouse_transparency::receipt_tree::ReceiptTree;
use glasshouse_transparency::tile::TilePath;
use glasshouse_transparency::time::UtcTime;
use serde_json::{Value, json};

use crate::evidence::{Case, assert_no_proof, assert_proof, failure, pair, pair_hash};
use crate::forged_house::SignedLog;
use crate::honest::FIRST_ROUND;
use crate::rounds::CLIENT_SEED;

#[test]
fn an_entry_that_is_served_otherwise_than_signed_is_a_proof() {
    let case = Case::new();
    let receipts = case.sign(&[Statement::Round(case.settled(0))]);
    let mut lines = case.honest.lines.clone();
    lines.swap(FIRST_ROUND, FIRST_ROUND + 1);
    let forged = SignedLog::new(&lines, &case.honest.keys);
    for (path, data) in forged.files {
        if matches!(path, TilePath::Entries(_)) {
            case.house.put(&format!("/log/{path}"), Some(data));
        }
    }
    let outcome = case.evaluate(&receipts, &[], &json!([]));
    let text = format!("receipt 1): round 0: entry {FIRST_ROUND}: its hash is");
    assert_proof(&outcome, &[&text, "but the signed tree has"]);
}

#[test]
fn an_entry_may_be_a_few_minutes_late() {
    let case = Case::new();
    let mut settled = case.settled(0);
    settled.state = RoundState::Settled {
        payout: 5,
        entry: Hash([5; 32]),
    };
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let receipt = Receipt {
        origin: case.honest.keys.origin().clone(),
        player: 7,
        statement: Statement::Round(settled),
        time: UtcTime::from_micros(i64::try_from(now.as_micros()).unwrap()),
    };
    let tree = ReceiptTree::new([receipt.leaf_hash()]);
    let signed = SignedReceipt {
        text: receipt.to_string(),
        index: 0,
        path: tree.path(0).unwrap(),
        note: tree.root().unwrap().sign(&case.honest.keys).unwrap(),
    };
    let signed = serde_json::to_value(signed).unwrap();
    let outcome = case.evaluate(std::slice::from_ref(&signed), &[], &json!([]));
    assert_no_proof(
        &outcome,
        &[
            "1 receipts and 0 checkpoints. 0 entries",
            "CLAIM (receipt 1): round 0: the entry 0505",
            "It must be there after ten minutes",
        ],
    );
    // The house itself has signed that it is later now.
    let later = Receipt {
        statement: pair("a", 9),
        time: UtcTime::from_micros(receipt.time.as_micros() + 11 * 60_000_000),
        ..receipt
    };
    let tree = ReceiptTree::new([later.leaf_hash()]);
    let later = SignedReceipt {
        text: later.to_string(),
        index: 0,
        path: tree.path(0).unwrap(),
        note: tree.root().unwrap().sign(&case.honest.keys).unwrap(),
    };
    let later = serde_json::to_value(later).unwrap();
    let outcome = case.evaluate(&[signed, later], &[], &json!([]));
    assert_proof(&outcome, &["receipt 1): round 0: the entry 0505"]);
}

/// What the house answers is not signed.
#[test]
fn answers_that_only_the_player_has_seen_are_claims_that_name_the_round() {
    let case = Case::new();
    let receipts = case.sign(&[Statement::Round(case.settled(0))]);
    let evaluate = |path: &str, status: u16, body: Value| {
        let seen = json!({ "answers": [{ "path": path, "status": status, "body": body }] });
        case.evaluate(&receipts, &[], &failure("round_mismatch", &seen))
    };
    let stake = case.rounds[0].stake;
    let amount = format!("{}.{:02}", stake / 100, stake % 100);
    let outcome = evaluate(
        "/api/game-history",
        200,
        json!({ "id": 0, "betAmount": "9.99" }),
    );
    assert_no_proof(
        &outcome,
        &[
            "failure 1 (round_mismatch: m) claims a contradiction",
            "CLAIM (failure 1, receipt 1): round 0: the house is said to have answered",
            &format!("the stake 9.99 instead of {amount}"),
            "does not sign such answers",
        ],
    );
    let outcome = evaluate("/api/rounds/0", 404, Value::Null);
    assert_no_proof(
        &outcome,
        &["round 0: the house is said to have answered /api/rounds/0 with status 404, although"],
    );
    let outcome = evaluate("/api/rounds/5/receipt", 404, Value::Null);
    assert_no_proof(&outcome, &["CLAIM (failure 1): round 5: "]);
    // It says what was signed.
    let outcome = evaluate(
        "/api/rounds/0",
        200,
        json!({ "betAmount": amount, "nonce": 0 }),
    );
    assert_no_proof(
        &outcome,
        &["failure 1 (round_mismatch: m) proves no contradiction"],
    );
}

#[test]
fn seeds_that_are_shown_in_another_way_are_claims_that_name_the_rounds() {
    let case = Case::new();
    let signed = [0, 1].map(|number| Statement::Round(case.settled(number)));
    let receipts = case.sign(&[&signed[..], &[pair(CLIENT_SEED, 9)]].concat());
    let hash = pair_hash().to_string();
    let next = SeedHash::from_bytes([9; 32]).to_string();
    let before = json!({
        "serverSeedHash": hash, "nextServerSeedHash": next, "clientSeed": CLIENT_SEED,
    });
    let evaluate = |now: Value| {
        let shown = json!({ "shownBefore": before, "shownNow": now });
        case.evaluate(&receipts, &[], &failure("next_hash_changed", &shown))
    };
    let other = "7".repeat(64);
    let now = |client: &str, next: &str| json!({ "serverSeedHash": hash, "nextServerSeedHash": next, "clientSeed": client });
    let claimed = "rounds 0 and 1: the house is said to have shown the";
    for (shown, what) in [
        (now(CLIENT_SEED, &other), "next server seed 7777"),
        (now("other", &next), "client seed other"),
        (json!({ "former": [], "active": other }), "seed pair 7777"),
        (
            json!({ "former": [{ "serverSeedHash": other }, { "serverSeedHash": hash }], "active": next }),
            "seed pair 7777",
        ),
    ] {
        assert_no_proof(&evaluate(shown), &[&format!("{claimed} {what}")]);
    }
    for shown in [
        now(CLIENT_SEED, &next),
        json!({ "former": [{ "serverSeedHash": next }, { "serverSeedHash": hash }], "active": other }),
    ] {
        assert_no_proof(&evaluate(shown), &["proves no contradiction"]);
    }
}
