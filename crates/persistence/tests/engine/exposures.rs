//! What the rounds in play of a game can win is added up exactly, and never exceeds its limit: not with several writers,
//! several servers, or jobs that fail.

use glasshouse_domain::{Game, Money, UserId};
use glasshouse_persistence::rounds::Exposure;
use glasshouse_persistence::{Database, DatabaseError, Scope};
use glasshouse_testing::Backend;
use rstest::rstest;

use crate::play::{Bet, dice, play_invalid_round, settle_round, start_exposed_round};
use crate::support::{Failure, Fixture, Gate, JobResult, Queued, hold_writer, queue};

const CRASH: Bet = dice(10).on(Game::Crash);

const fn exposure(cents: i64, limit: Option<i64>) -> Exposure {
    Exposure {
        maximum_profit: Money::from_cents(cents),
        limit: match limit {
            Some(limit) => Some(Money::from_cents(limit)),
            None => None,
        },
    }
}

/// Queues the start of a round, without judging it first.
fn queue_start(database: &Database, player: UserId, added: Exposure) -> Queued<i64> {
    queue(database, CRASH.scope(player), move |transaction| {
        start_exposed_round(transaction, player, &CRASH, added)?;
        Ok(transaction.exposure(Game::Crash)?.cents())
    })
}

fn queue_end(database: &Database, player: UserId) -> Queued<i64> {
    queue(database, CRASH.scope(player), move |transaction| {
        settle_round(transaction, player, Game::Crash, 0, None)?;
        Ok(transaction.exposure(Game::Crash)?.cents())
    })
}

fn stored(test: &Fixture) -> i64 {
    test.number("SELECT CAST(COALESCE(SUM(exposure_cents), 0) AS BIGINT) AS value FROM exposures")
}

fn assert_reached<T: std::fmt::Debug>(result: &JobResult<T>) {
    assert!(
        matches!(result, Err(Failure::Fault(DatabaseError::ExposureReached))),
        "{result:?}"
    );
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn jobs_see_the_rounds_of_earlier_jobs_and_not_those_that_failed(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(5).await;
    let database = &test.database;
    let first = queue_start(database, players[0], exposure(500, None));
    assert_eq!(first.result().await.unwrap(), 500);
    let gate = hold_writer(database, players[0]).await;
    let second = queue_start(database, players[1], exposure(30, None));
    let failing = queue(database, CRASH.scope(players[2]), {
        let player = players[2];
        move |transaction| {
            start_exposed_round(transaction, player, &CRASH, exposure(7_000, None))?;
            Err::<i64, _>(Failure::Refused(crate::support::Refusal::NoOpenRound))
        }
    });
    let ending = queue_end(database, players[0]);
    let third = queue_start(database, players[3], exposure(4, None));
    gate.open().await;
    assert_eq!(second.result().await.unwrap(), 530);
    failing.result().await.unwrap_err();
    assert_eq!(ending.result().await.unwrap(), 30);
    assert_eq!(third.result().await.unwrap(), 34);
    assert_eq!(stored(&test), 34);
    // A round that starts and ends in the same batch leaves nothing.
    let gate = hold_writer(database, players[0]).await;
    let started = queue_start(database, players[4], exposure(90, None));
    let ended = queue_end(database, players[4]);
    gate.open().await;
    assert_eq!(started.result().await.unwrap(), 124);
    assert_eq!(ended.result().await.unwrap(), 34);
    assert_eq!(stored(&test), 34);
    test.assert_consistent().await;
}

/// A use case would have refused the last of these rounds before. The batch is run again, one job after the other.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_above_the_limit_is_refused_in_part(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(4).await;
    let gate = hold_writer(&test.database, players[0]).await;
    let mut starts = Vec::new();
    for player in &players {
        starts.push(queue_start(
            &test.database,
            *player,
            exposure(40, Some(100)),
        ));
    }
    let invalid = queue(&test.database, Scope::player(players[0]), {
        let player = players[0];
        move |transaction| play_invalid_round(transaction, player)
    });
    gate.open().await;
    let mut results = Vec::new();
    for start in starts {
        results.push(start.result().await);
    }
    assert!(results[0].is_ok() && results[1].is_ok(), "{results:?}");
    assert_reached(&results[2]);
    assert_reached(&results[3]);
    invalid.result().await.unwrap_err();
    assert_eq!(stored(&test), 80);
    assert_eq!(test.rounds(), 2);
    // The limit is not an obstacle to ending rounds, and what has ended makes room.
    queue_end(&test.database, players[0])
        .result()
        .await
        .unwrap();
    let again = queue_start(&test.database, players[3], exposure(60, Some(100)));
    assert_eq!(again.result().await.unwrap(), 100);
    test.assert_consistent().await;
}

/// Each of two servers has judged its round when neither is committed. The second to commit is refused.
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_cannot_use_up_the_same_rest() {
    let test = Fixture::new(Backend::Postgres);
    let other = test.open_second_server();
    let players = test.create_players_of_one_writer(3).await;
    let (here, there) = (players[0], players[1]);
    let gate = Gate::queue_with(&test.database, CRASH.scope(here), move |transaction| {
        assert_eq!(transaction.exposure(Game::Crash)?.cents(), 0);
        start_exposed_round(transaction, here, &CRASH, exposure(60, Some(100))).map(drop)
    });
    let gate = gate.reached().await;
    let elsewhere = queue(&other, CRASH.scope(there), move |transaction| {
        let before = transaction.exposure(Game::Crash)?.cents();
        start_exposed_round(transaction, there, &CRASH, exposure(60, Some(100)))?;
        Ok(before)
    });
    assert_eq!(elsewhere.result().await.unwrap(), 0);
    assert_reached(&gate.open_and_wait().await);
    let rest = queue_start(&test.database, players[2], exposure(40, Some(100)));
    assert_eq!(rest.result().await.unwrap(), 100);
    assert_eq!(stored(&test), 100);
    assert_eq!(test.rounds(), 2);
    assert_eq!(test.deadlocks(), 0);
    test.assert_consistent().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_starts_on_two_servers_never_exceed_the_limit() {
    let test = Fixture::new(Backend::Postgres);
    let other = test.open_second_server();
    let players = test.create_players(40).await;
    let mut starts = Vec::new();
    for (index, player) in players.iter().enumerate() {
        let database = if index % 2 == 0 {
            &test.database
        } else {
            &other
        };
        starts.push(queue_start(database, *player, exposure(30, Some(400))));
    }
    let mut started = 0;
    for start in starts {
        match start.result().await {
            Ok(_) => started += 1,
            refused => assert_reached(&refused),
        }
    }
    assert_eq!(started, 13);
    assert_eq!(stored(&test), 390);
    assert_eq!(test.deadlocks(), 0);
    test.assert_consistent().await;
}
