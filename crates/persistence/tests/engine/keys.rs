//! Repeating an idempotency key returns the round that it created the first time, even within one
//! batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glasshouse_domain::Game;
use glasshouse_persistence::Scope;
use glasshouse_testing::Backend;
use rstest::rstest;

use crate::play::{Bet, dice, play_round, settle_round, start_round};
use crate::support::{BALANCE, Fixture, hold_writer, queue};

const BET: Bet = dice(100).with_key("key");

/// If the first job's round has already been flushed, the second job must find it in the database.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn repeated_key_within_a_batch_creates_one_round(
    #[case] backend: Backend,
    #[values(true, false)] is_named_in_scope: bool,
    #[values(true, false)] is_flushed: bool,
) {
    let test = Fixture::new(backend);
    let player = test.create_players(1).await[0];
    let runs = Arc::new(AtomicUsize::new(0));
    let bet = |is_flushed: bool| {
        let run_counter = Arc::clone(&runs);
        let scope = if is_named_in_scope {
            BET.scope(player)
        } else {
            Scope::player(player)
        };
        queue(&test.database, scope, move |transaction| {
            run_counter.fetch_add(1, Ordering::SeqCst);
            let round = play_round(transaction, player, &BET, 300)?;
            if is_flushed {
                transaction.user(player)?;
            }
            Ok(round)
        })
    };
    let gate = hold_writer(&test.database, player).await;
    let bets = [bet(is_flushed), bet(false), bet(is_flushed), bet(false)];
    gate.open().await;
    let mut ids = Vec::new();
    for bet in bets {
        ids.push(bet.result().await.unwrap().id);
    }
    assert_eq!(ids, [ids[0]; 4]);
    // No job treated the key as new; otherwise the batch would have failed and run again.
    assert_eq!(runs.load(Ordering::SeqCst), 4);
    // A later batch finds the round, too.
    assert_eq!(bet(false).result().await.unwrap().id, ids[0]);
    assert_eq!(test.rounds(), 1);
    assert_eq!(test.balance(player), BALANCE + 200);
    test.assert_consistent().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn keys_are_scoped_to_the_player(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(2).await;
    let gate = hold_writer(&test.database, players[0]).await;
    let bets: Vec<_> = players
        .iter()
        .map(|&player| {
            queue(&test.database, BET.scope(player), move |transaction| {
                play_round(transaction, player, &BET, 0)
            })
        })
        .collect();
    gate.open().await;
    for (bet, player) in bets.into_iter().zip(players) {
        assert_eq!(bet.result().await.unwrap().player, player);
    }
    assert_eq!(test.rounds(), 2);
}

/// A call that starts a round and a call that settles one may use the same key.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn stored_open_round_is_settled_by_the_first_of_repeated_calls(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.create_players(1).await[0];
    let started = queue(&test.database, BET.scope(player), move |transaction| {
        start_round(transaction, player, &BET)
    });
    let started = started.result().await.unwrap();
    let settle = |payout: i64| {
        let scope = Scope::player(player)
            .with_game(Game::Dice)
            .with_settlement_key(Some("key".to_owned()));
        queue(&test.database, scope, move |transaction| match transaction
            .round_by_settlement_key(player, "key")?
        {
            Some(round) => Ok(round),
            None => settle_round(transaction, player, Game::Dice, payout, Some("key")),
        })
    };
    let gate = hold_writer(&test.database, player).await;
    let calls = [settle(150), settle(900), settle(900)];
    gate.open().await;
    for call in calls {
        let round = call.result().await.unwrap();
        assert_eq!((round.id, round.payout.cents()), (started.id, 150));
    }
    assert_eq!(settle(900).result().await.unwrap().payout.cents(), 150);
    assert_eq!(test.balance(player), BALANCE + 50);
    test.assert_consistent().await;
}
