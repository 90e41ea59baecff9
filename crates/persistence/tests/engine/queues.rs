//! Queues are bounded, and every accepted job runs even if its caller no longer waits for it.

use std::sync::mpsc;

use glasshouse_persistence::{DatabaseError, Scope};
use glasshouse_testing::{Backend, POSTGRES_WRITERS, open_database};
use rstest::rstest;

use crate::play::{dice, play_round};
use crate::support::{
    BALANCE, Failure, Fixture, Gate, JobResult, WAIT_TIMEOUT, hold_writer, queue,
};

/// The maximum number of jobs queued for one writer, or of queries queued for the readers.
const QUEUE_BOUND: usize = 4096;

fn assert_overloaded<T: std::fmt::Debug>(result: &JobResult<T>) {
    assert!(
        matches!(result, Err(Failure::Fault(DatabaseError::Overloaded))),
        "{result:?}"
    );
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn full_queue_rejects_new_jobs_and_runs_all_accepted_ones(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.create_players(1).await[0];
    let gate = hold_writer(&test.database, player).await;
    let job = || {
        queue(&test.database, Scope::player(player), move |transaction| {
            let mut account = transaction.account(player)?;
            account.seeds.next_nonce += 1;
            transaction.save_account(account);
            Ok(())
        })
    };
    let mut jobs: Vec<_> = (0..QUEUE_BOUND).map(|_| job()).collect();
    assert!(jobs.iter_mut().all(|job| !job.is_finished()));
    let mut rejected = job();
    assert!(rejected.is_finished());
    assert_overloaded(&rejected.result().await);
    gate.open().await;
    for job in jobs {
        job.result().await.unwrap();
    }
    let jobs_run = format!("SELECT next_nonce FROM accounts WHERE player_id = {player}");
    assert_eq!(test.number(&jobs_run), i64::try_from(QUEUE_BOUND).unwrap());
    job().result().await.unwrap();
}

/// What the house does in the background, such as continuing the public log, may take long.
#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_players_do_not_wait_for_the_work_of_the_house() {
    let test = Fixture::new(Backend::Postgres);
    let players = test.create_players(POSTGRES_WRITERS).await;
    let house = Gate::queue(&test.database, Scope::nobody());
    let house = house.reached().await;
    // One player of each writer.
    for player in players {
        let bet = queue(&test.database, Scope::player(player), move |transaction| {
            play_round(transaction, player, &dice(100), 300)
        });
        let result = tokio::time::timeout(WAIT_TIMEOUT, bet.result()).await;
        result.expect("the bet waits for the house's work").unwrap();
    }
    house.open().await;
    assert_eq!(test.rounds(), POSTGRES_WRITERS);
    test.assert_consistent().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn queued_jobs_run_after_callers_and_database_are_dropped(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.create_players(1).await[0];
    let database = open_database(&test.url);
    let gate = hold_writer(&database, player).await;
    // Each job owns a sender, which is dropped once the job has been completed.
    let (alive, all_dropped) = mpsc::channel::<()>();
    for _ in 0..100 {
        let alive = alive.clone();
        let queued = queue(&database, Scope::player(player), move |transaction| {
            let _ = &alive;
            play_round(transaction, player, &dice(10), 0)
        });
        drop(queued);
    }
    drop(alive);
    drop(database);
    assert_eq!(test.rounds(), 0);
    gate.open().await;
    all_dropped.recv().unwrap_err();
    assert_eq!(test.rounds(), 100);
    assert_eq!(test.balance(player), BALANCE - 1_000);
    test.assert_consistent().await;
}

/// While one writer is held, other writers and the readers proceed.
#[tokio::test(flavor = "multi_thread")]
async fn busy_writer_blocks_neither_other_writers_nor_readers() {
    let test = Fixture::new(Backend::Postgres);
    let players = test.create_players(2).await;
    let other = players[1];
    let gate = hold_writer(&test.database, players[0]).await;
    let bet = queue(&test.database, Scope::player(other), move |transaction| {
        play_round(transaction, other, &dice(10), 0)
    });
    bet.result().await.unwrap();
    test.assert_consistent().await;
    gate.open().await;
}
