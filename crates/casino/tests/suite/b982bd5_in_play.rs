//! Rounds in play when a server of commit b982bd5 was killed end in the current version exactly as
//! that server ended them on its own copy of the database.

use std::time::Duration;

use glasshouse_casino::play::read_round;
use glasshouse_casino::play::timed::{end_rounds, open_rounds};
use glasshouse_casino::{Refusal, Round};
use glasshouse_domain::{Money, RoundId, RulesVersion, Timestamp, UserId};
use glasshouse_games::heads_up::{Action, Bet};
use glasshouse_games::registry::info;
use rstest_reuse::apply;
use serde_json::{Value, json};

use crate::b982bd5::{OldHouse, both_copies};
use crate::support::assert_refused;
use crate::support::games::{HeadsUpPlay, PokerHand, draw_cards, play_heads_up};

/// A timed round in play.
struct Timed {
    due_at: Timestamp,
    player: UserId,
    id: RoundId,
}

/// The timed rounds that the older server left, in the order in which they end.
fn timed_rounds(old: &OldHouse) -> Vec<Timed> {
    let mut timed = Vec::new();
    for (name, answered) in old.players() {
        for (game, due_at) in answered["dues"].as_object().unwrap() {
            timed.push(Timed {
                due_at: Timestamp::from_micros(due_at.as_i64().unwrap()),
                player: old.player(name),
                id: RoundId::new(answered["open"][game]["roundId"].as_i64().unwrap()),
            });
        }
    }
    timed.sort_by_key(|round| round.due_at);
    assert_eq!(timed.len(), 4);
    timed
}

async fn settled(old: &OldHouse, round: &Timed) -> Round {
    for _ in 0..20_000 {
        if let Ok(found) = read_round(&old.test.house, round.player, round.id).await {
            return found.round.round().clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("round {} was not settled", round.id);
}

async fn play(old: &OldHouse, name: &str, action: Action) -> Round {
    let play = HeadsUpPlay {
        bet: Bet::new(Money::from_cents(500)).unwrap(),
        action,
        round: None,
        key: None,
    };
    let hand = play_heads_up(&old.test.house, old.player(name), play).await;
    hand.unwrap().round
}

/// Draws with the stored holds, calls and raises, as was done on the older server's copy.
async fn play_hands(old: &OldHouse) -> Vec<RoundId> {
    let drawn = draw_cards(&old.test.house, old.player("grace"), None, None, None).await;
    let drawn = drawn.unwrap();
    assert_eq!(drawn.view.holds.positions(), [0, 2, 4]);
    let called = play(old, "grace", Action::Call).await;
    let raised = play(old, "heidi", Action::Raise).await;
    assert_eq!((called.stake.cents(), raised.stake.cents()), (5_000, 1_500));
    vec![drawn.round.id, called.id, raised.id]
}

/// Removes the end times of the rounds that were ended by a player and not by the clock.
fn without_end_times(history: &Value, rounds: &[RoundId]) -> Value {
    let mut history = history.clone();
    for entry in history.as_array_mut().unwrap() {
        if rounds.iter().any(|id| entry["id"] == id.get()) {
            entry["createdAt"] = Value::Null;
        }
    }
    history
}

#[apply(both_copies)]
async fn rounds_in_play_are_still_in_play(#[case] old: &OldHouse) {
    let mut found = Vec::new();
    for (name, answered) in old.players() {
        for open in open_rounds(&old.test.house, old.player(name))
            .await
            .unwrap()
        {
            let round = open.round();
            let game = info(round.game).wire_name;
            let answered = &answered["open"][game];
            assert_eq!(answered["roundId"], round.id.get());
            assert_eq!(answered["nonce"], round.nonce);
            assert_eq!(round.stake.to_string(), answered["betAmount"]);
            assert_eq!(round.rules, RulesVersion::RoundedDown);
            if let Some(PokerHand { view: hand, .. }) = open.as_round_of() {
                assert_eq!(json!(hand.holds.positions()), answered["heldIndexes"]);
                let values: Vec<_> = hand.hand.iter().map(|card| json!(card.value())).collect();
                let answered = answered["hand"].as_array().unwrap().iter();
                assert_eq!(
                    values,
                    answered
                        .map(|card| card["value"].clone())
                        .collect::<Vec<_>>()
                );
            }
            found.push(format!("{name} {game}"));
        }
    }
    found.sort_unstable();
    let expected = [
        "carol crash",
        "dave stonks",
        "erin crash",
        "frank stonks",
        "grace headsUp",
        "grace poker",
        "heidi headsUp",
    ];
    assert_eq!(found, expected);
}

#[apply(both_copies)]
async fn rounds_in_play_end_as_the_older_server_ended_them(#[case] old: &OldHouse) {
    let hands = play_hands(old).await;
    let timed = timed_rounds(old);
    for round in &timed {
        old.test
            .clock
            .set(round.due_at.saturating_sub(Duration::from_millis(1)));
        let open = open_rounds(&old.test.house, round.player).await.unwrap();
        assert!(
            open.iter().any(|open| open.round().id == round.id),
            "a round ended early"
        );
        let early = read_round(&old.test.house, round.player, round.id).await;
        assert_refused(early, &Refusal::NotFound);
    }
    let chore = tokio::spawn(end_rounds(old.test.house.clone()));
    old.test.clock.set(timed.last().unwrap().due_at);
    for round in &timed {
        let ended = settled(old, round).await;
        assert_eq!(
            (ended.ended_at, ended.rules),
            (Some(round.due_at), RulesVersion::RoundedDown)
        );
    }
    chore.abort();

    for (name, answered) in old.players() {
        // Players without a round in play have no `finished` answers: nothing has changed.
        let answered = answered.get("finished").unwrap_or(answered);
        let player = old.player(name);
        let history = json!(old.history(player).await);
        let told_history = without_end_times(&answered["history"], &hands);
        assert_eq!(without_end_times(&history, &hands), told_history, "{name}");
        old.assert_money(player, answered).await;
        assert!(
            open_rounds(&old.test.house, player)
                .await
                .unwrap()
                .is_empty(),
            "{name}"
        );
    }
    old.test.assert_clean().await;
}
