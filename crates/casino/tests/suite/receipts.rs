//! Receipts of rounds: each change of a round is stated in a signed receipt, which a repeated request
//! and a later call return again.

use std::time::Duration;

use glasshouse_casino::play::timed::{end_rounds, open_rounds};
use glasshouse_casino::play::{RoundMove, RoundView, make_move, read_round, start};
use glasshouse_casino::public_log::{read_round_proof, read_round_receipt};
use glasshouse_casino::{CasinoError, Refusal};
use glasshouse_domain::{RoundId, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::game_round::GameRound;
use glasshouse_games::{crash, heads_up, stonks, video_poker};
use glasshouse_persistence::rounds::Round;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{Entry, leaf_hash};
use glasshouse_transparency::proof::verify_inclusion;
use glasshouse_transparency::receipt::SignedReceipt;
use rstest_reuse::apply;

use crate::support::games::{
    CashOutCall, HeadsUpPlay, cash_out, deal_heads_up, deal_poker_hand, draw_cards, hold_cards,
    place_dice_bet, play_heads_up, sell, start_crash_round, start_stonks_round,
};
use crate::support::poker::{dollars, heads_up_bet, holds};
use crate::support::predetermined_rounds::{
    balance, crash_bet, crashes_in, prepare, stonks_bet, times,
};
use crate::support::public_log::{
    BEGINNING, ServedLog, proven, time_text, verifier_keys, waiting_batches,
};
use crate::support::seeds::rotate;
use crate::support::{Fixture, assert_refused, bet, both_databases, key};

/// The text of a round's receipt, from the round itself. The round must be the last change of the
/// player's balance.
async fn expected_text(test: &Fixture, round: &Round) -> String {
    let (player, id) = (round.player, round.id);
    let mut parts = ("open", "-".to_owned(), "-".to_owned());
    if round.ended_at.is_some() {
        let entry = entry_hash(test, player, id).await;
        parts = ("settled", round.payout.cents().to_string(), entry);
    }
    let (state, payout, entry) = parts;
    let pair = test.texts(&format!(
        "SELECT server_seed_hash AS value FROM seed_pairs WHERE id = {}",
        round.seed_pair
    ));
    format!(
        "{BEGINNING}player {player}\nsubject round {id}\nstate {state}\npair {} nonce {}\n\
         stake {}\npayout {payout}\nbalance {}\nentry {entry}\ntime {}\n",
        pair[0],
        round.nonce,
        round.stake.cents(),
        balance(test, player).await,
        time_text(round.settled_at()),
    )
}

/// The hash of a settled round's entry, after it was found in the log and verified.
async fn entry_hash(test: &Fixture, player: UserId, id: RoundId) -> String {
    ServedLog::advanced(test).await;
    let proof = read_round_proof(&test.house, player, id).await.unwrap();
    let hash = leaf_hash(proof.entry.as_bytes());
    let end = Checkpoint::open(&proof.checkpoint, &verifier_keys()).unwrap();
    verify_inclusion(&proof.path, proof.index, hash, &end).unwrap();
    let Ok(Entry::Round(entry)) = Entry::parse(&proof.entry) else {
        panic!("{}", proof.entry)
    };
    let found = read_round(&test.house, player, id).await.unwrap();
    let round = found.round.round();
    assert_eq!(
        (entry.game.as_str(), entry.stake, entry.payout),
        (
            round.game.as_str(),
            round.stake.cents(),
            round.payout.cents()
        )
    );
    assert_eq!(entry.second, round.ended_at.unwrap().second());
    assert_eq!(entry.rules, u32::from(round.rules.number()));
    hex::encode(hash.0)
}

async fn read_again(test: &Fixture, player: UserId, id: RoundId) -> SignedReceipt {
    let receipt = read_round_receipt(&test.house, player, id).await.unwrap();
    proven(Some(&receipt))
}

/// Asserts that a response has the round's receipt, and that the receipt can be read again, also on
/// another server.
async fn assert_stated<R: GameRound>(test: &Fixture, shown: &RoundView<R>) -> SignedReceipt {
    let Round { player, id, .. } = shown.round;
    let receipt = proven(shown.receipt.as_ref());
    assert_eq!(receipt.text, expected_text(test, &shown.round).await);
    assert_eq!(read_again(test, player, id).await, receipt);
    let other = test.another_house();
    let elsewhere = read_round_receipt(&other, player, id).await.unwrap();
    assert_eq!(proven(Some(&elsewhere)), receipt);
    receipt
}

/// Asserts that a repeated request has the receipt of the first response.
#[track_caller]
fn assert_repeated<R: GameRound>(
    repeated: Result<RoundView<R>, CasinoError>,
    first: &SignedReceipt,
) {
    assert_eq!(&proven(repeated.unwrap().receipt.as_ref()), first);
}

#[apply(both_databases)]
async fn a_round_that_ends_at_once_has_one_receipt(#[case] test: &Fixture) {
    let player = test.player("alice", 100_000).await;
    for number in 0..5 {
        let chosen = bet(1_000 + number, 50, BetType::Over);
        let place = || place_dice_bet(&test.house, player, chosen, Some(key(&format!("{number}"))));
        let placed = place().await.unwrap();
        let receipt = assert_stated(test, &placed).await;
        assert_repeated(place().await, &receipt);
        test.clock.advance(Duration::from_millis(1_001));
    }
    // Also after the pair is revealed and later rounds have changed the balance.
    let receipt = read_again(test, player, RoundId::new(1)).await;
    rotate(&test.house, player, "other").await.unwrap();
    let chosen = bet(1_000, 50, BetType::Over);
    let replayed = place_dice_bet(&test.house, player, chosen, Some(key("0"))).await;
    assert_repeated(replayed, &receipt);
    assert_eq!(read_again(test, player, RoundId::new(1)).await, receipt);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn start_and_cash_out_are_stated(#[case] test: &Fixture) {
    let player = test.player("alice", 100_000).await;
    let terms = crash_bet(1_000, Some(10_000));
    prepare::<crash::Round>(test, player, terms, crashes_in(200..10_000)).await;
    let begin = || start_crash_round(&test.house, player, terms, Some(key("start")));
    let started = begin().await.unwrap();
    let opened = assert_stated(test, &started).await;
    assert_repeated(begin().await, &opened);
    // The round is in play: it has no entry, and no proof.
    let id = started.round.id;
    let proof = read_round_proof(&test.house, player, id).await;
    assert_refused(proof.map(drop), &Refusal::NotFound);

    test.clock.advance(Duration::from_secs(1));
    let call = || CashOutCall {
        round: Some(id),
        key: Some(key("end")),
    };
    let ended = cash_out(&test.house, player, times(107), call())
        .await
        .unwrap();
    let proof = read_round_proof(&test.house, player, id).await;
    assert_refused(proof.map(drop), &Refusal::NotInLogYet);
    let settled = assert_stated(test, &ended).await;
    let again = cash_out(&test.house, player, times(107), call()).await;
    assert_repeated(again, &settled);
    // A repeated start returns the round's current state, and the receipt of that state.
    assert_repeated(begin().await, &settled);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_end_by_the_timer_is_stated(#[case] test: &Fixture) {
    let player = test.player("alice", 100_000).await;
    let terms = crash_bet(1_000, Some(150));
    let planned = prepare::<crash::Round>(test, player, terms, crashes_in(150..10_000)).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    assert_stated(test, &started).await;
    let id = started.round.id;
    let ender = tokio::spawn(end_rounds(test.house.clone()));
    // The receipt states when the round was due, not when the timer got to it.
    test.clock
        .advance(planned.ending().after.unwrap() + Duration::from_secs(7));
    while read_round(&test.house, player, id).await.is_err() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    ender.abort();
    let found = read_round(&test.house, player, id).await.unwrap();
    let round = found.round.round();
    assert_eq!(round.ended_at, started.round.due_at);
    let receipt = read_again(test, player, id).await;
    assert_eq!(receipt.text, expected_text(test, round).await);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_end_at_the_next_start_is_stated_with_it(#[case] test: &Fixture) {
    let player = test.player("alice", 100_000).await;
    let terms = crash_bet(1_000, Some(110));
    prepare::<crash::Round>(test, player, terms, crashes_in(110..10_000)).await;
    let first = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_mins(10));
    let second = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    let next = proven(second.receipt.as_ref());
    let ended = read_again(test, player, first.round.id).await;
    // Both are of one commit.
    assert_eq!((ended.index, next.index, &ended.note), (0, 1, &next.note));
    assert!(ended.text.contains("state settled\n"), "{}", ended.text);
    assert!(ended.text.contains("payout 1100\n"), "{}", ended.text);
    if second.round.is_open() {
        assert_stated(test, &second).await;
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn ends_that_are_noticed_late_are_stated(#[case] test: &Fixture) {
    let player = test.player("alice", 100_000).await;
    let terms = crash_bet(1_000, None);
    prepare::<crash::Round>(test, player, terms, crashes_in(101..1_000)).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    let id = started.round.id;
    test.clock.advance(Duration::from_mins(10));
    // The cash-out is too late; it settles the round.
    let call = CashOutCall {
        round: Some(id),
        key: Some(key("late")),
    };
    let late = cash_out(&test.house, player, times(5_000), call).await;
    assert!(matches!(
        late,
        Err(CasinoError::Refused(Refusal::LeftTooLate(_)))
    ));
    let found = read_round(&test.house, player, id).await.unwrap();
    let receipt = read_again(test, player, id).await;
    assert_eq!(receipt.text, expected_text(test, found.round.round()).await);

    // So does reading the open rounds.
    prepare::<crash::Round>(test, player, terms, crashes_in(101..1_000)).await;
    let started = start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_mins(10));
    assert!(open_rounds(&test.house, player).await.unwrap().is_empty());
    let found = read_round(&test.house, player, started.round.id)
        .await
        .unwrap();
    let receipt = read_again(test, player, started.round.id).await;
    assert_eq!(receipt.text, expected_text(test, found.round.round()).await);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn sales_are_stated(#[case] test: &Fixture) {
    let player = test.player("alice", 100_000).await;
    let terms = stonks_bet(1_000, None);
    prepare::<stonks::Round>(test, player, terms, |planned| planned.points().len() > 4).await;
    let started = start_stonks_round(&test.house, player, terms, None)
        .await
        .unwrap();
    assert_stated(test, &started).await;
    test.clock.advance(Duration::from_millis(1_100));
    let call = || CashOutCall {
        round: Some(started.round.id),
        key: Some(key("sell")),
    };
    let sold = sell(&test.house, player, call()).await.unwrap();
    let receipt = assert_stated(test, &sold).await;
    assert_repeated(sell(&test.house, player, call()).await, &receipt);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn hands_of_video_poker_are_stated(#[case] test: &Fixture) {
    let player = test.player("alice", 100_000).await;
    let deal = || deal_poker_hand(&test.house, player, dollars(5), Some(key("deal")));
    let dealt = deal().await.unwrap();
    let opened = assert_stated(test, &dealt).await;
    let id = Some(dealt.round.id);
    // Holding cards moves no money: the receipt stays that of the start.
    let held = hold_cards(&test.house, player, holds(&[0, 2]), id)
        .await
        .unwrap();
    assert!(held.receipt.is_none());
    assert_eq!(read_again(test, player, dealt.round.id).await, opened);
    assert_repeated(deal().await, &opened);
    let draw = || draw_cards(&test.house, player, None, id, Some(key("draw")));
    let drawn = draw().await.unwrap();
    let receipt = assert_stated(test, &drawn).await;
    assert_repeated(draw().await, &receipt);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_raise_is_stated_with_the_whole_stake(#[case] test: &Fixture) {
    let player = test.player("alice", 1_000_000).await;
    let terms = heads_up_bet(25);
    let dealt = deal_heads_up(&test.house, player, terms, None)
        .await
        .unwrap();
    let opened = assert_stated(test, &dealt).await;
    assert!(opened.text.contains("stake 2500\n"), "{}", opened.text);
    for (number, action) in [
        heads_up::Action::Raise,
        heads_up::Action::Fold,
        heads_up::Action::Call,
    ]
    .into_iter()
    .enumerate()
    {
        // From the second hand on, the request that plays it also starts it.
        let play = || HeadsUpPlay {
            bet: terms,
            action,
            round: (number == 0).then_some(dealt.round.id),
            key: Some(key(&format!("play-{number}"))),
        };
        let played = play_heads_up(&test.house, player, play()).await.unwrap();
        let receipt = assert_stated(test, &played).await;
        let again = play_heads_up(&test.house, player, play()).await;
        assert_repeated(again, &receipt);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn refused_requests_leave_no_receipt(#[case] test: &Fixture) {
    let player = test.player("alice", 1_000).await;
    let batches = "SELECT CAST(COUNT(*) AS TEXT) AS value FROM log_batches";
    let before = test.texts(batches);
    let dear = place_dice_bet(&test.house, player, bet(1_001, 50, BetType::Over), None).await;
    assert_refused(dear, &Refusal::InsufficientBalance);
    let hand = video_poker::Bet::new(glasshouse_domain::Money::from_cents(500)).unwrap();
    let dealt = start::<video_poker::Round>(&test.house, player, hand, None)
        .await
        .unwrap();
    let opened = proven(dealt.receipt.as_ref());
    let second = start::<video_poker::Round>(&test.house, player, hand, None).await;
    assert_refused(second, &Refusal::RoundOpen { id: dealt.round.id });
    let call = RoundMove::new(video_poker::Move::Draw(None)).in_round(Some(RoundId::new(99)));
    let moved = make_move::<video_poker::Round>(&test.house, player, call).await;
    assert_refused(moved, &Refusal::NotFound);
    assert_eq!(
        test.texts(batches)[0].parse::<i64>().unwrap(),
        before[0].parse::<i64>().unwrap() + 1
    );
    assert_eq!(waiting_batches(test), 0);
    assert_eq!(read_again(test, player, dealt.round.id).await, opened);
}

#[apply(both_databases)]
async fn receipts_of_others_and_unknown_rounds_are_not_found(#[case] test: &Fixture) {
    let (alice, bob) = (
        test.player("alice", 1_000).await,
        test.player("bob", 1_000).await,
    );
    let placed = place_dice_bet(&test.house, alice, bet(100, 50, BetType::Over), None)
        .await
        .unwrap();
    ServedLog::advanced(test).await;
    for (player, id) in [(bob, placed.round.id), (alice, RoundId::new(99))] {
        let receipt = read_round_receipt(&test.house, player, id).await;
        assert_refused(receipt.map(drop), &Refusal::NotFound);
        let proof = read_round_proof(&test.house, player, id).await;
        assert_refused(proof.map(drop), &Refusal::NotFound);
    }
}
