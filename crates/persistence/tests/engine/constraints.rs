//! If a job violates a constraint only when its batch is written, that job alone fails and all
//! others are applied exactly once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glasshouse_domain::UserId;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{DatabaseError, Scope};
use glasshouse_testing::Backend;
use rstest::rstest;

use crate::play::{dice, play_invalid_round, play_round};
use crate::support::{BALANCE, Failure, Fixture, JobResult, Queued, hold_writer, queue};

fn assert_rejected(result: &JobResult<Round>) {
    assert!(
        matches!(result, Err(Failure::Fault(DatabaseError::Rejected(_)))),
        "{result:?}"
    );
}

fn queue_invalid_round(test: &Fixture, player: UserId) -> Queued<Round> {
    queue(&test.database, Scope::player(player), move |transaction| {
        play_invalid_round(transaction, player)
    })
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn only_the_job_that_violates_a_constraint_fails(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(3).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let bet = |player: UserId, stake: i64| {
        let run_counter = Arc::clone(&runs);
        queue(&test.database, Scope::player(player), move |transaction| {
            run_counter.fetch_add(1, Ordering::SeqCst);
            play_round(transaction, player, &dice(stake), 2 * stake)
        })
    };
    let gate = hold_writer(&test.database, players[0]).await;
    let before = bet(players[0], 10);
    let violating = queue_invalid_round(&test, players[1]);
    let same_player = bet(players[1], 20);
    let after = bet(players[2], 30);
    gate.open().await;
    assert_rejected(&violating.result().await);
    for (job, stake) in [(before, 10), (same_player, 20), (after, 30)] {
        let round = job.result().await.unwrap();
        // No other job sees what the violating job staged before it failed.
        assert_eq!((round.stake.cents(), round.nonce), (stake, 0));
    }
    // Each of the three jobs runs once in the batch and once by itself.
    assert_eq!(runs.load(Ordering::SeqCst), 6);
    assert_eq!(test.rounds(), 3);
    for (player, won) in players.into_iter().zip([10, 20, 30]) {
        assert_eq!(test.balance(player), BALANCE + won);
    }
    test.assert_consistent().await;
}

/// Staged writes are flushed before the first statement of a later job. A violation during that
/// flush must not be attributed to the later job.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn later_job_with_a_statement_survives_an_earlier_violation(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(2).await;
    let (offender, other) = (players[0], players[1]);
    let gate = hold_writer(&test.database, offender).await;
    let rejected = queue_invalid_round(&test, offender);
    let banned = queue(&test.database, Scope::player(other), move |transaction| {
        Ok(transaction.set_ban_reason(other, Some("a reason"))?)
    });
    gate.open().await;
    assert_rejected(&rejected.result().await);
    banned.result().await.unwrap();
    let count = "SELECT COUNT(*) FROM users WHERE ban_reason = 'a reason'";
    assert_eq!(test.number(count), 1);
    test.assert_consistent().await;
}

/// The totals are written last, so a violation there happens after all other writes of the batch.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn violation_in_the_last_write_rolls_back_the_earlier_writes(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.create_players(1).await[0];
    let bet = || {
        queue(&test.database, Scope::player(player), move |transaction| {
            play_round(transaction, player, &dice(10).with_key("key"), 0)
        })
    };
    test.sql("CREATE UNIQUE INDEX one_row_of_totals ON house_totals ((1))");
    bet().result().await.unwrap();
    let gate = hold_writer(&test.database, player).await;
    let valid = queue(&test.database, Scope::player(player), move |transaction| {
        play_round(transaction, player, &dice(20), 0)
    });
    let violating = queue(&test.database, Scope::player(player), move |transaction| {
        let crash = dice(30).on(glasshouse_domain::Game::Crash);
        play_round(transaction, player, &crash, 0)
    });
    gate.open().await;
    valid.result().await.unwrap();
    assert_rejected(&violating.result().await);
    assert_eq!(bet().result().await.unwrap().stake.cents(), 10);
    assert_eq!(test.rounds(), 2);
    assert_eq!(test.balance(player), BALANCE - 30);
    test.assert_consistent().await;
}
