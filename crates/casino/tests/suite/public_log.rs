//! The public log: every settled round is in it exactly once, and what is served of it fits together.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use glasshouse_casino::House;
use glasshouse_casino::play::timed::{end_rounds, open_rounds};
use glasshouse_casino::public_log::{
    LogSigner, Receipt, advance_public_log, read_checkpoint, read_round_proof, read_round_receipt,
    rules_text,
};
use glasshouse_domain::{RoundId, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::heads_up::Action;
use glasshouse_testing::{LOG_ORIGIN, log_signer_of};
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::Entry;
use rstest_reuse::apply;

use crate::support::games::{
    CashOutCall, HeadsUpPlay, draw_cards, place_dice_bet, play_dice, play_heads_up, sell,
    start_crash_round, start_stonks_round,
};
use crate::support::poker::{deal, heads_up_bet};
use crate::support::predetermined_rounds::{crash_bet, stonks_bet};
use crate::support::public_log::{
    ServedLog, advance, proven, stored_checkpoint, verifier_keys, waiting_batches,
};
use crate::support::{Backend, Fixture, bet, both_databases};

/// The settled rounds in the database, with their players.
fn settled_rounds(test: &Fixture) -> Vec<(UserId, RoundId)> {
    let rounds = test.texts(
        "SELECT player_id || ' ' || id AS value FROM rounds WHERE state = 'settled' ORDER BY id",
    );
    let parse = |text: &String| {
        let (player, id) = text.split_once(' ').unwrap();
        (
            UserId::new(player.parse().unwrap()),
            RoundId::new(id.parse().unwrap()),
        )
    };
    rounds.iter().map(parse).collect()
}

/// Asserts that every settled round is in the log exactly once, as its player's proof says, and that
/// the log contains no other rounds. The rounds of one commit follow each other.
async fn assert_complete(test: &Fixture) {
    let log = ServedLog::advanced(test).await;
    log.assert_whole();
    let lines = log.lines();
    let rounds = settled_rounds(test);
    let mut indexes = BTreeSet::new();
    for (player, id) in &rounds {
        let proof = read_round_proof(&test.house, *player, *id).await.unwrap();
        assert_eq!(
            lines[usize::try_from(proof.index).unwrap()],
            proof.entry,
            "round {id}"
        );
        assert!(indexes.insert(proof.index), "two rounds at {}", proof.index);
    }
    assert_eq!(log.round_lines().len(), rounds.len());
    let places = test.texts(
        "SELECT first_index || ' ' || entry_count AS value FROM log_batches_and_places
         WHERE first_index IS NOT NULL ORDER BY first_index",
    );
    let mut next = 0;
    for place in places {
        let (first, count) = place.split_once(' ').unwrap();
        assert_eq!(first.parse::<u64>().unwrap(), next);
        next += count.parse::<u64>().unwrap();
    }
    assert_eq!(next, log.end.size);
}

/// Plays rounds of every kind.
async fn play_all_games(house: &House, player: UserId) {
    for number in 0..4 {
        let dice = bet(100 + number, 50, BetType::Over);
        place_dice_bet(house, player, dice, None).await.unwrap();
        deal(house, player).await;
        draw_cards(house, player, None, None, None).await.unwrap();
        let play = HeadsUpPlay {
            bet: heads_up_bet(5),
            action: if number % 2 == 0 {
                Action::Call
            } else {
                Action::Fold
            },
            round: None,
            key: None,
        };
        play_heads_up(house, player, play).await.unwrap();
    }
    // Timed rounds are ended by the timer, or by a sale.
    start_crash_round(house, player, crash_bet(100, Some(150)), None)
        .await
        .unwrap();
    start_stonks_round(house, player, stonks_bet(100, None), None)
        .await
        .unwrap();
    drop(sell(house, player, CashOutCall::default()).await);
}

/// Lets many players play on all of these servers while each of them keeps the log going.
async fn play_under_load(test: &Fixture, houses: &[House]) {
    let mut ending = Vec::new();
    let mut logging = Vec::new();
    let is_over = Arc::new(AtomicBool::new(false));
    for house in houses {
        ending.push(tokio::spawn(end_rounds(house.clone())));
        let (house, clock) = (house.clone(), test.clock.clone());
        let is_over = Arc::clone(&is_over);
        logging.push(tokio::spawn(async move {
            while !is_over.load(Ordering::SeqCst) {
                clock.advance(Duration::from_millis(400));
                advance_public_log(&house).await;
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
        }));
    }
    let mut players = Vec::new();
    for number in 0..12 {
        players.push(test.player(&format!("player{number}"), 1_000_000).await);
    }
    let mut playing = Vec::new();
    for (number, player) in players.iter().enumerate() {
        let (house, player) = (houses[number % houses.len()].clone(), *player);
        playing.push(tokio::spawn(
            async move { play_all_games(&house, player).await },
        ));
    }
    for player in playing {
        player.await.unwrap();
    }
    test.clock.advance(Duration::from_mins(10));
    for player in players {
        assert!(open_rounds(&test.house, player).await.unwrap().is_empty());
    }
    // Not aborted: the database would go on with a write that has begun, and meanwhile no other
    // server could continue the log.
    is_over.store(true, Ordering::SeqCst);
    for task in logging {
        task.await.unwrap();
    }
    for task in ending {
        task.abort();
        drop(task.await);
    }
}

#[apply(both_databases)]
async fn every_settled_round_is_in_the_log_once(#[case] test: &Fixture) {
    play_under_load(test, std::slice::from_ref(&test.house)).await;
    assert_complete(test).await;
    test.assert_clean().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_write_one_log() {
    let test = &Fixture::on(Backend::Postgres);
    let houses = [test.house.clone(), test.another_house()];
    play_under_load(test, &houses).await;
    assert_complete(test).await;
    test.assert_clean().await;
}

/// A server that dies after the commit of a round, before its entry has a place in the log.
#[apply(both_databases)]
async fn another_server_takes_over_from_a_dead_one(#[case] test: &Fixture) {
    let player = test.player("alice", 1_000_000).await;
    let before = ServedLog::advanced(test).await;
    for turn in 0..3 {
        let dying = test.another_house();
        for number in 0..3 {
            let chosen = bet(100 + number, 50, BetType::Over);
            place_dice_bet(&dying, player, chosen, None).await.unwrap();
        }
        if turn == 1 {
            // This one dies right after it has signed a checkpoint.
            advance(test, &dying).await;
        }
        drop(dying);
    }
    assert_eq!(waiting_batches(test), 3);
    assert_complete(test).await;
    ServedLog::read(&test.another_house())
        .await
        .assert_continues(&before);
    test.assert_clean().await;
}

/// More batches than are read at once, whose entries get their places in one go.
#[apply(both_databases)]
async fn all_that_waits_gets_its_place_at_once(#[case] test: &Fixture) {
    let player = test.player("alice", 1_000_000).await;
    let before = ServedLog::advanced(test).await;
    play_dice(test, player, 45).await;
    assert_eq!(waiting_batches(test), 45);
    ServedLog::advanced(test).await.assert_continues(&before);
    assert_complete(test).await;
    test.assert_clean().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_continues_after_the_database_was_unreachable() {
    let test = &Fixture::on(Backend::Postgres);
    let player = test.player("alice", 1_000_000).await;
    play_dice(test, player, 3).await;
    let before = ServedLog::advanced(test).await;
    play_dice(test, player, 3).await;
    for _ in 0..2 {
        test.start_outage();
        test.clock.advance(Duration::from_secs(1));
        advance_public_log(&test.house).await;
        assert!(read_checkpoint(&test.house).await.is_err());
        test.end_outage();
    }
    // The entries of before the outage are taken up after it.
    play_dice(test, player, 3).await;
    assert_complete(test).await;
    ServedLog::read(&test.house).await.assert_continues(&before);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_checkpoint_is_signed_once_a_second_and_only_for_new_entries(#[case] test: &Fixture) {
    let other = test.another_house();
    let player = test.player("alice", 1_000_000).await;
    play_dice(test, player, 1).await;
    let first = ServedLog::advanced(test).await;
    // Nothing waits: no checkpoint, at any time.
    advance(test, &test.house).await;
    advance(test, &other).await;
    assert_eq!(stored_checkpoint(test), first.signed);

    play_dice(test, player, 1).await;
    let second = ServedLog::advanced(test).await;
    assert_eq!(second.end.size, first.end.size + 1);
    // Entries wait, but the last checkpoint is less than a second old, whichever server signed it.
    play_dice(test, player, 1).await;
    for millis in [0, 500, 499] {
        test.clock.advance(Duration::from_millis(millis));
        for house in [&test.house, &other] {
            advance_public_log(house).await;
            assert_eq!(stored_checkpoint(test), second.signed);
        }
    }
    test.clock.advance(Duration::from_millis(1));
    advance_public_log(&other).await;
    let third = ServedLog::read(&test.house).await;
    assert_eq!(third.end.size, second.end.size + 1);
    third.assert_continues(&second);
    third.assert_whole();
}

#[apply(both_databases)]
async fn the_log_names_its_keys_and_rules_once(#[case] test: &Fixture) {
    let log = ServedLog::advanced(test).await;
    let entries = log.entries();
    let [Entry::Key(key), Entry::Rules(rules)] = entries.as_slice() else {
        panic!("{entries:?}")
    };
    assert_eq!(format!("{}\n", key.vkey), verifier_keys().to_string());
    let published = rules_text().unwrap();
    assert_eq!(rules.sha256, sha256(&published));
    // Other servers, and the same one after a restart, add nothing.
    for _ in 0..2 {
        advance(test, &test.another_house()).await;
    }
    assert_eq!(ServedLog::advanced(test).await.signed, log.signed);
}

fn sha256(text: &str) -> [u8; 32] {
    use sha2::Digest as _;
    sha2::Sha256::digest(text.as_bytes()).into()
}

#[apply(both_databases)]
async fn two_keys_sign_while_one_replaces_the_other(#[case] test: &Fixture) {
    let player = test.player("alice", 1_000_000).await;
    play_dice(test, player, 1).await;
    let first = ServedLog::advanced(test).await;
    let [old, new, both] = [&[7_u8][..], &[8], &[7, 8]].map(|keys| log_signer_of(LOG_ORIGIN, keys));
    let verifies = |signed: &str, keys: &LogSigner| {
        Checkpoint::open(signed, keys.keys().verifier_keys()).is_ok()
    };

    let house = test.house_signing_with(both);
    let chosen = bet(100, 50, BetType::Over);
    let placed = place_dice_bet(&house, player, chosen, None).await.unwrap();
    let receipt = placed.receipt.unwrap().proven().unwrap();
    for keys in [&old, &new] {
        receipt.verify(keys.keys().verifier_keys()).unwrap();
    }
    advance(test, &house).await;
    let second = ServedLog::read(&house).await;
    assert!(verifies(&second.signed, &old) && verifies(&second.signed, &new));
    let named: Vec<String> = second
        .entries()
        .into_iter()
        .filter_map(|entry| match entry {
            Entry::Key(key) => Some(key.vkey),
            _ => None,
        })
        .collect();
    let vkeys = |keys: &LogSigner| {
        keys.keys()
            .verifier_keys()
            .iter()
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(named, [vkeys(&old), vkeys(&new)]);

    // The old key is removed from the file: the new one alone continues the log.
    let house = test.house_signing_with(new.clone());
    let placed = place_dice_bet(&house, player, chosen, None).await.unwrap();
    assert!(proven_by(placed.receipt.as_ref(), &new) && !proven_by(placed.receipt.as_ref(), &old));
    advance(test, &house).await;
    let third = ServedLog::read(&house).await;
    assert!(!verifies(&third.signed, &old));
    assert_eq!(third.end.size, second.end.size + 1);
    third.assert_continues(&second);
    second.assert_continues(&first);
    third.assert_whole();
    let again = ServedLog::read(&test.house_signing_with(log_signer_of(LOG_ORIGIN, &[7, 8]))).await;
    assert_eq!(again.signed, third.signed);
    // Receipts of before keep the signature that they had.
    let receipt = read_round_receipt(&house, player, RoundId::new(1)).await;
    proven(receipt.ok().as_ref());
}

fn proven_by(receipt: Option<&Receipt>, keys: &LogSigner) -> bool {
    let proven = receipt.unwrap().proven().unwrap();
    proven.verify(keys.keys().verifier_keys()).is_ok()
}
