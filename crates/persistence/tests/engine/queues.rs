//! Queues are bounded, and what was taken into one is done, whoever has gone meanwhile.

use std::sync::mpsc;

use glasshouse_persistence::{DatabaseError, Scope};
use glasshouse_testing::{Backend, open_database};
use rstest::rstest;

use crate::play::{dice, play};
use crate::support::{BALANCE, Failure, Fixture, Outcome, hold, queue};

/// How many jobs wait for one writer, or questions for the readers.
const QUEUE_BOUND: usize = 4096;

fn assert_overloaded<T: std::fmt::Debug>(outcome: &Outcome<T>) {
    assert!(
        matches!(outcome, Err(Failure::Fault(DatabaseError::Overloaded))),
        "{outcome:?}"
    );
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses_and_loses_nothing_that_it_took(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.players(1).await[0];
    let gate = hold(&test.database, player).await;
    let job = || {
        queue(&test.database, Scope::player(player), move |transaction| {
            let mut account = transaction.account(player)?;
            account.seeds.next_nonce += 1;
            transaction.save_account(account);
            Ok(())
        })
    };
    let mut jobs: Vec<_> = (0..QUEUE_BOUND).map(|_| job()).collect();
    assert!(jobs.iter_mut().all(|job| !job.is_answered()));
    let mut refused = job();
    assert!(refused.is_answered());
    assert_overloaded(&refused.answer().await);
    gate.open().await;
    for job in jobs {
        job.answer().await.unwrap();
    }
    let done = format!("SELECT next_nonce FROM accounts WHERE player_id = {player}");
    assert_eq!(test.number(&done), i64::try_from(QUEUE_BOUND).unwrap());
    job().answer().await.unwrap();
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn work_is_done_although_nobody_waits_and_the_database_is_dropped(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.players(1).await[0];
    let database = open_database(&test.url);
    let gate = hold(&database, player).await;
    // The job owns a sender, which is dropped when the job has been answered.
    let (alive, ended) = mpsc::channel::<()>();
    for _ in 0..100 {
        let alive = alive.clone();
        let waiting = queue(&database, Scope::player(player), move |transaction| {
            let _ = &alive;
            play(transaction, player, &dice(10), 0)
        });
        drop(waiting);
    }
    drop(alive);
    drop(database);
    assert_eq!(test.rounds(), 0);
    gate.open().await;
    ended.recv().unwrap_err();
    assert_eq!(test.rounds(), 100);
    assert_eq!(test.balance(player), BALANCE - 1_000);
    test.assert_books().await;
}

/// One writer that is held keeps no other one waiting, nor who only reads.
#[tokio::test(flavor = "multi_thread")]
async fn a_writer_that_is_busy_keeps_no_other_waiting() {
    let test = Fixture::new(Backend::Postgres);
    let players = test.players(2).await;
    let other = players[1];
    let gate = hold(&test.database, players[0]).await;
    let bet = queue(&test.database, Scope::player(other), move |transaction| {
        play(transaction, other, &dice(10), 0)
    });
    bet.answer().await.unwrap();
    test.assert_books().await;
    gate.open().await;
}
