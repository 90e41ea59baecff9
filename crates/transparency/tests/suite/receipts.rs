//! Receipts: their exact texts, their signatures, and that no other text is one.

use glasshouse_transparency::Hash;
use glasshouse_transparency::receipt::{
    ClientSeed, ClientSeedBy, PairStatement, Payment, PaymentStatement, Receipt, ReceiptError,
    RoundState, RoundStatement, SeedHash, SignedReceipt, SignedReceiptError, Statement, leaf_hash,
};
use glasshouse_transparency::receipt_tree::ReceiptTree;
use glasshouse_transparency::time::UtcTime;
use proptest::prelude::*;

use crate::support::{changed_copies, leaves, origin, signing_keys};

pub(crate) const TIME: UtcTime = UtcTime::from_micros(1_795_290_535_361_837);

fn receipt(statement: Statement) -> Receipt {
    Receipt {
        origin: origin(),
        player: 4711,
        statement,
        time: TIME,
    }
}

fn round(state: RoundState) -> Receipt {
    receipt(Statement::Round(RoundStatement {
        round: 812,
        state,
        pair: SeedHash::from_bytes([0x9a; 32]),
        nonce: 17,
        stake: 1000,
        balance: 50_980,
    }))
}

fn payment(payment: Payment) -> Receipt {
    receipt(Statement::Payment(PaymentStatement {
        payment,
        amount: 2500,
        balance: 3500,
    }))
}

/// A receipt of each kind and state.
pub(crate) fn examples() -> Vec<Receipt> {
    let pair = |client_seed_by| {
        receipt(Statement::Pair(PairStatement {
            server_seed_hash: SeedHash::from_bytes([0x9a; 32]),
            client_seed: ClientSeed::parse("lucky_Seed-7").unwrap(),
            client_seed_by,
            next_server_seed_hash: SeedHash::from_bytes([0x5c; 32]),
        }))
    };
    vec![
        round(RoundState::Open),
        round(RoundState::Settled {
            payout: 1980,
            entry: Hash([0x5f; 32]),
        }),
        pair(ClientSeedBy::Player),
        pair(ClientSeedBy::House),
        payment(Payment::DepositCredited(5)),
        payment(Payment::WithdrawalHeld(6)),
        payment(Payment::WithdrawalReturned(6)),
        payment(Payment::WithdrawalPaid(6)),
    ]
}

#[test]
fn receipts_have_exactly_these_texts() {
    let (nines, fives, entry) = ("9a".repeat(32), "5c".repeat(32), "5f".repeat(32));
    let head = "glasshouse receipt v1\norigin play.example/glasshouse\nplayer 4711\n";
    let time = "time 2026-11-21T19:48:55.361837Z\n";
    let money = "amount 2500\nbalance 3500\n";
    let expected = [
        format!(
            "subject round 812\nstate open\npair {nines} nonce 17\nstake 1000\npayout -\n\
             balance 50980\nentry -\n"
        ),
        format!(
            "subject round 812\nstate settled\npair {nines} nonce 17\nstake 1000\npayout 1980\n\
             balance 50980\nentry {entry}\n"
        ),
        format!(
            "subject pair {nines}\nstate active\nclient lucky_Seed-7 by player\nnext {fives}\n"
        ),
        format!("subject pair {nines}\nstate active\nclient lucky_Seed-7 by house\nnext {fives}\n"),
        format!("subject deposit 5\nstate credited\n{money}"),
        format!("subject withdrawal 6\nstate held\n{money}"),
        format!("subject withdrawal 6\nstate returned\n{money}"),
        format!("subject withdrawal 6\nstate paid\n{money}"),
    ];
    assert_eq!(examples().len(), expected.len());
    for (receipt, body) in examples().iter().zip(expected) {
        let text = format!("{head}{body}{time}");
        assert_eq!(receipt.to_string(), text);
        assert_eq!(Receipt::parse(&text).as_ref(), Ok(receipt));
        assert_eq!(
            receipt.leaf_hash(),
            tlog_tiles::record_hash(text.as_bytes())
        );
    }
}

#[test]
fn what_is_accepted_after_a_change_is_another_receipt_in_its_usual_form() {
    for receipt in examples() {
        for changed in changed_copies(&receipt.to_string()) {
            if let Ok(other) = Receipt::parse(&changed) {
                assert_ne!(other, receipt);
                assert_eq!(other.to_string(), changed);
            }
        }
    }
}

#[test]
fn deviations_are_refused_with_the_line() {
    use ReceiptError::{Invalid, Missing, NotCanonical, TooLong};

    let text = examples()[1].to_string();
    let check = |from: &str, to: &str, expected| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        assert_eq!(Receipt::parse(&changed), Err(expected), "{from} → {to}");
    };
    check(" v1", " v2", Missing("glasshouse receipt v1"));
    check("player 4711\n", "", Missing("player"));
    check("player 4711", "player  4711", Invalid("player"));
    check("player 4711", "player -4711", Invalid("player"));
    check("player 4711", "player 04711", NotCanonical);
    check("player 4711", "player +4711", NotCanonical);
    check(
        "player 4711",
        "player 9223372036854775808",
        Invalid("player"),
    );
    check("player 4711", "Player 4711", Missing("player"));
    check("player 4711\n", "player 4711\r\n", Invalid("player"));
    check("origin play", "origin pl+ay", Invalid("origin"));
    check("round 812", "bet 812", Invalid("subject"));
    check("round 812", "round 812 ", Invalid("subject"));
    check("state settled", "state over", Invalid("state"));
    check("state settled", "state open", Invalid("payout"));
    check("pair 9a", "pair 9A", Invalid("pair"));
    check("pair 9a", "pair ", Invalid("pair"));
    check("nonce 17", "nonce -17", Invalid("pair"));
    check("nonce 17", "nonce 017", NotCanonical);
    check("payout 1980", "payout -", Invalid("payout"));
    check("payout 1980", "payout 19.80", Invalid("payout"));
    check(
        "stake 1000\npayout 1980",
        "payout 1980\nstake 1000",
        Missing("stake"),
    );
    check("entry 5f5f", "entry 5f", Invalid("entry"));
    check(".361837Z", ".361837+00:00", Invalid("time"));
    check("361837Z\n", "361837Z", Missing("time"));
    check("361837Z\n", "361837Z\n\n", TooLong);
    check("361837Z\n", "361837Z\nnote x\n", TooLong);
    let open = examples()[0].to_string();
    let with_entry = open.replace("entry -", &format!("entry {}", "5f".repeat(32)));
    assert_eq!(Receipt::parse(&with_entry), Err(Invalid("entry")));
}

#[test]
fn states_of_other_subjects_are_refused() {
    let check = |example: usize, from: &str, to: &str, line| {
        let changed = examples()[example].to_string().replace(from, to);
        assert_eq!(Receipt::parse(&changed), Err(ReceiptError::Invalid(line)));
    };
    check(4, "credited", "held", "state");
    check(5, "held", "credited", "state");
    check(2, "active", "open", "state");
    check(2, "by player", "by nobody", "client");
    check(2, "lucky_Seed-7", "lucky seed", "client");
    check(2, "lucky_Seed-7", &"a".repeat(65), "client");
}

/// All examples, signed as the receipts of one commit.
pub(crate) fn signed() -> Vec<SignedReceipt> {
    let texts: Vec<String> = examples().iter().map(ToString::to_string).collect();
    let tree = ReceiptTree::new(texts.iter().map(|text| leaf_hash(text)));
    let note = tree.root().unwrap().sign(&signing_keys(&[1])).unwrap();
    let sign = |(index, text): (u64, String)| SignedReceipt {
        text,
        index,
        path: tree.path(index).unwrap(),
        note: note.clone(),
    };
    (0..).zip(texts).map(sign).collect()
}

#[test]
fn every_receipt_of_a_commit_is_verified_by_one_signature() {
    let keys = signing_keys(&[1]);
    for (signed, receipt) in signed().iter().zip(examples()) {
        assert_eq!(signed.verify(keys.verifier_keys()), Ok(receipt));
    }
}

#[test]
fn a_signed_receipt_with_any_change_is_refused() {
    let keys = signing_keys(&[1]);
    let original = &signed()[1];
    let refused = |change: &dyn Fn(&mut SignedReceipt)| {
        let mut changed = original.clone();
        change(&mut changed);
        assert!(changed.verify(keys.verifier_keys()).is_err(), "{changed:?}");
    };
    for text in changed_copies(&original.text) {
        refused(&|signed| signed.text.clone_from(&text));
    }
    for note in changed_copies(&original.note) {
        refused(&|signed| signed.note.clone_from(&note));
    }
    for index in [0, 2, 3, 7, 8, u64::MAX] {
        refused(&|signed| signed.index = index);
    }
    for level in 0..original.path.len() {
        refused(&|signed| {
            signed.path.remove(level);
        });
        refused(&|signed| signed.path.insert(level, Hash([7; 32])));
        for byte in 0..32 {
            for bit in 0..8 {
                refused(&|signed| signed.path[level].0[byte] ^= 1 << bit);
            }
        }
    }
    refused(&|signed| signed.path.push(Hash([7; 32])));
}

#[test]
fn a_receipt_of_another_house_is_refused() {
    let mut other = examples()[0].clone();
    other.origin = glasshouse_transparency::origin::Origin::parse("other.example/g").unwrap();
    let tree = ReceiptTree::new([other.leaf_hash()]);
    let keys = signing_keys(&[1]);
    let signed = SignedReceipt {
        text: other.to_string(),
        index: 0,
        path: Vec::new(),
        note: tree.root().unwrap().sign(&keys).unwrap(),
    };
    let verified = signed.verify(keys.verifier_keys());
    assert_eq!(verified, Err(SignedReceiptError::OtherOrigin));
}

#[test]
fn a_signed_receipt_is_the_same_after_json() {
    let signed = &signed()[1];
    let json = serde_json::to_string(signed).unwrap();
    assert_eq!(
        serde_json::from_str::<SignedReceipt>(&json).unwrap(),
        *signed
    );
    assert!(json.contains(&format!("\"path\":[\"{}\",", signed.path[0])));
    let extended = json.replacen('{', "{\"more\":1,", 1);
    assert!(serde_json::from_str::<SignedReceipt>(&extended).is_err());
}

#[test]
fn trees_of_all_small_sizes_prove_their_leaves() {
    assert_eq!(ReceiptTree::new([]).root(), None);
    assert_eq!(ReceiptTree::default().path(0), None);
    for size in 1..=65 {
        let leaves = leaves(size);
        let tree = ReceiptTree::new(leaves.iter().copied());
        let root = tree.root().unwrap();
        for (index, leaf) in (0..).zip(leaves) {
            let path = tree.path(index).unwrap();
            let verify = |index, leaf| {
                glasshouse_transparency::receipt_tree::verify_path(&path, index, leaf, &root)
            };
            assert_eq!(verify(index, leaf), Ok(()));
            assert!(verify(index + 1, leaf).is_err());
            assert!(verify(index, Hash([7; 32])).is_err());
        }
        assert_eq!(tree.path(root.size), None);
    }
}

proptest! {
    #[test]
    fn rounds_are_parsed_as_written(
        player in 0..=i64::MAX,
        id in 0..=i64::MAX,
        nonce in 0..=i64::MAX.cast_unsigned(),
        stake in 0..=i64::MAX,
        payout in proptest::option::of(0..=i64::MAX),
        hash in any::<[u8; 32]>(),
        micros in 0..=253_402_300_799_999_999_i64,
    ) {
        let receipt = Receipt {
            origin: origin(),
            player,
            statement: Statement::Round(RoundStatement {
                round: id,
                state: payout.map_or(RoundState::Open, |payout| RoundState::Settled {
                    payout,
                    entry: Hash(hash),
                }),
                pair: SeedHash::from_bytes(hash),
                nonce,
                stake,
                balance: stake,
            }),
            time: UtcTime::from_micros(micros),
        };
        prop_assert_eq!(Receipt::parse(&receipt.to_string()), Ok(receipt));
    }

    #[test]
    fn arbitrary_text_never_panics(text in "(glasshouse receipt v1\n)?([a-z]{4,7} [-0-9a-z ]{0,9}\n){0,9}") {
        if let Ok(receipt) = Receipt::parse(&text) {
            prop_assert_eq!(receipt.to_string(), text);
        }
    }
}
