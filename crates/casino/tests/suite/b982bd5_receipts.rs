//! Rounds of a server of commit b982bd5, which issued no receipts: they have none, and they are not in
//! the log. Those that it left in play end with one.

use std::time::Duration;

use glasshouse_casino::play::read_round;
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::public_log::{read_receipts, read_round_proof, read_round_receipt};
use glasshouse_casino::{IdempotencyKey, Refusal};
use glasshouse_domain::{RoundId, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_transparency::entry::{Entry, leaf_hash};
use glasshouse_transparency::receipt::{RoundState, Statement};
use rstest_reuse::apply;

use crate::b982bd5::{OldHouse, both_copies};
use crate::support::games::{draw_cards, place_dice_bet};
use crate::support::public_log::{ServedLog, proven, verifier_keys};
use crate::support::{assert_refused, bet};

async fn assert_unstated(old: &OldHouse, player: UserId, id: RoundId) {
    let receipt = read_round_receipt(&old.test.house, player, id).await;
    assert_refused(receipt.map(drop), &Refusal::NotFound);
    let proof = read_round_proof(&old.test.house, player, id).await;
    assert_refused(proof.map(drop), &Refusal::NotFound);
}

/// Asserts that a round is settled with a receipt, and returns the index of its entry.
async fn assert_stated(old: &OldHouse, log: &ServedLog, player: UserId, id: RoundId) -> u64 {
    let house = &old.test.house;
    let found = read_round(house, player, id).await.unwrap();
    let round = found.round.round();
    let receipt = read_round_receipt(house, player, id).await.unwrap();
    let receipt = proven(Some(&receipt)).verify(&verifier_keys()).unwrap();
    let Statement::Round(stated) = receipt.statement else {
        panic!("{receipt:?}")
    };
    let proof = read_round_proof(house, player, id).await.unwrap();
    let state = RoundState::Settled {
        payout: round.payout.cents(),
        entry: leaf_hash(proof.entry.as_bytes()),
    };
    assert_eq!((stated.round, stated.state), (id.get(), state));
    let lines = log.lines();
    assert_eq!(lines[usize::try_from(proof.index).unwrap()], proof.entry);
    proof.index
}

#[apply(both_copies)]
async fn earlier_rounds_have_no_receipt(#[case] old: &OldHouse) {
    for (name, answered) in old.players() {
        let player = old.player(name);
        for entry in answered["history"].as_array().unwrap() {
            assert_unstated(old, player, RoundId::new(entry["id"].as_i64().unwrap())).await;
        }
        let receipts = read_receipts(&old.test.house, player, None, 10)
            .await
            .unwrap();
        assert!(receipts.entries.is_empty(), "{name}");
    }
    // A repeated request for an earlier round moves nothing and has no receipt.
    let key = IdempotencyKey::parse("dice-0").ok();
    let alice = old.player("alice");
    let chosen = bet(7, 50, BetType::Over);
    let repeated = place_dice_bet(&old.test.house, alice, chosen, key).await;
    assert!(repeated.unwrap().receipt.is_none());
    let log = ServedLog::advanced(&old.test).await;
    assert!(log.round_lines().is_empty());
    log.assert_whole();
}

#[apply(both_copies)]
async fn rounds_left_in_play_end_with_a_receipt(#[case] old: &OldHouse) {
    let house = &old.test.house;
    let mut in_play = Vec::new();
    for name in old.players().keys() {
        let player = old.player(name);
        for open in open_rounds(house, player).await.unwrap() {
            let round = open.round().clone();
            assert_unstated(old, player, round.id).await;
            in_play.push(round);
        }
    }
    assert_eq!(in_play.len(), 7);
    draw_cards(house, old.player("grace"), None, None, None)
        .await
        .unwrap();
    old.test.clock.advance(Duration::from_hours(1));
    let mut settled = Vec::new();
    for round in in_play {
        // Timed rounds are overdue and end when they are read.
        let open = open_rounds(house, round.player).await.unwrap();
        if open.iter().all(|open| open.round().id != round.id) {
            settled.push(round);
        }
    }
    assert_eq!(
        settled.len(),
        5,
        "four timed rounds and one hand of video poker"
    );
    let log = ServedLog::advanced(&old.test).await;
    log.assert_whole();
    let mut indexes = Vec::new();
    for round in &settled {
        indexes.push(assert_stated(old, &log, round.player, round.id).await);
    }
    indexes.sort_unstable();
    indexes.dedup();
    assert_eq!((indexes.len(), log.round_lines().len()), (5, 5));
    // The books count what the log contains, not what was played before it.
    old.test.clock.advance(Duration::from_hours(24));
    let log = ServedLog::advanced(&old.test).await;
    let books = log.entries().into_iter().find_map(|entry| match entry {
        Entry::Books(books) => Some(books),
        _ => None,
    });
    let books = books.expect("the books of the day");
    assert_eq!(books.games.iter().map(|game| game.rounds).sum::<i64>(), 5);
    old.test.assert_clean().await;
}
