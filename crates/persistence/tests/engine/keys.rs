//! A key that is sent again is answered by the round that it made the first time, also within one
//! batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glasshouse_domain::Game;
use glasshouse_persistence::Scope;
use glasshouse_testing::Backend;
use rstest::rstest;

use crate::play::{Bet, begin, dice, end, play};
use crate::support::{BALANCE, Fixture, hold, queue};

const BET: Bet = dice(100).with_key("key");

/// Where the first job writes its round by itself, the second must ask the database for it.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn one_key_in_one_batch_is_one_round(
    #[case] backend: Backend,
    #[values(true, false)] is_named: bool,
    #[values(true, false)] is_written: bool,
) {
    let test = Fixture::new(backend);
    let player = test.players(1).await[0];
    let runs = Arc::new(AtomicUsize::new(0));
    let bet = |is_written: bool| {
        let counted = Arc::clone(&runs);
        let scope = if is_named {
            BET.scope(player)
        } else {
            Scope::player(player)
        };
        queue(&test.database, scope, move |transaction| {
            counted.fetch_add(1, Ordering::SeqCst);
            let round = play(transaction, player, &BET, 300)?;
            if is_written {
                transaction.user(player)?;
            }
            Ok(round)
        })
    };
    let gate = hold(&test.database, player).await;
    let bets = [bet(is_written), bet(false), bet(is_written), bet(false)];
    gate.open().await;
    let mut ids = Vec::new();
    for bet in bets {
        ids.push(bet.answer().await.unwrap().id);
    }
    assert_eq!(ids, [ids[0]; 4]);
    // No job took the key for a new one, so that the batch would have had to be run again.
    assert_eq!(runs.load(Ordering::SeqCst), 4);
    // A later batch finds it, too.
    assert_eq!(bet(false).answer().await.unwrap().id, ids[0]);
    assert_eq!(test.rounds(), 1);
    assert_eq!(test.balance(player), BALANCE + 200);
    test.assert_books().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_its_players_own(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.players_of_one_writer(2).await;
    let gate = hold(&test.database, players[0]).await;
    let bets: Vec<_> = players
        .iter()
        .map(|&player| {
            queue(&test.database, BET.scope(player), move |transaction| {
                play(transaction, player, &BET, 0)
            })
        })
        .collect();
    gate.open().await;
    for (bet, player) in bets.into_iter().zip(players) {
        assert_eq!(bet.answer().await.unwrap().player, player);
    }
    assert_eq!(test.rounds(), 2);
}

/// The key of a call that begins a round may be that of a call that ends one.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn a_round_that_was_written_as_open_is_ended_by_one_call(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.players(1).await[0];
    let started = queue(&test.database, BET.scope(player), move |transaction| {
        begin(transaction, player, &BET)
    });
    let started = started.answer().await.unwrap();
    let leave = |payout: i64| {
        let scope = Scope::player(player)
            .with_game(Game::Dice)
            .with_settlement_key(Some("key".to_owned()));
        queue(&test.database, scope, move |transaction| match transaction
            .round_by_settlement_key(player, "key")?
        {
            Some(round) => Ok(round),
            None => end(transaction, player, Game::Dice, payout, Some("key")),
        })
    };
    let gate = hold(&test.database, player).await;
    let calls = [leave(150), leave(900), leave(900)];
    gate.open().await;
    for call in calls {
        let round = call.answer().await.unwrap();
        assert_eq!((round.id, round.payout.cents()), (started.id, 150));
    }
    assert_eq!(leave(900).answer().await.unwrap().payout.cents(), 150);
    assert_eq!(test.balance(player), BALANCE + 50);
    test.assert_books().await;
}
