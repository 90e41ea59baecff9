//! What a constraint refuses only when the batch is written fails alone; the rest is done once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glasshouse_domain::UserId;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{DatabaseError, Scope};
use glasshouse_testing::Backend;
use rstest::rstest;

use crate::play::{dice, play, play_what_cannot_be_stored};
use crate::support::{BALANCE, Failure, Fixture, Outcome, Queued, hold, queue};

fn assert_rejected(outcome: &Outcome<Round>) {
    assert!(
        matches!(outcome, Err(Failure::Fault(DatabaseError::Rejected(_)))),
        "{outcome:?}"
    );
}

fn queue_guilty(test: &Fixture, player: UserId) -> Queued<Round> {
    queue(&test.database, Scope::player(player), move |transaction| {
        play_what_cannot_be_stored(transaction, player)
    })
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn only_the_work_that_breaks_a_constraint_fails(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.players_of_one_writer(3).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let bet = |player: UserId, stake: i64| {
        let counted = Arc::clone(&runs);
        queue(&test.database, Scope::player(player), move |transaction| {
            counted.fetch_add(1, Ordering::SeqCst);
            play(transaction, player, &dice(stake), 2 * stake)
        })
    };
    let gate = hold(&test.database, players[0]).await;
    let before = bet(players[0], 10);
    let guilty = queue_guilty(&test, players[1]);
    let same_player = bet(players[1], 20);
    let after = bet(players[2], 30);
    gate.open().await;
    assert_rejected(&guilty.answer().await);
    for (job, stake) in [(before, 10), (same_player, 20), (after, 30)] {
        let round = job.answer().await.unwrap();
        // What the guilty job staged before it failed is not built on.
        assert_eq!((round.stake.cents(), round.nonce), (stake, 0));
    }
    // Once in the batch, and once each by itself.
    assert_eq!(runs.load(Ordering::SeqCst), 6);
    assert_eq!(test.rounds(), 3);
    for (player, won) in players.into_iter().zip([10, 20, 30]) {
        assert_eq!(test.balance(player), BALANCE + won);
    }
    test.assert_books().await;
}

/// What was staged is written before the first statement of a later job, which is not to blame.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn a_job_with_statements_is_not_blamed_for_what_was_staged_before(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.players_of_one_writer(2).await;
    let (guilty, innocent) = (players[0], players[1]);
    let gate = hold(&test.database, guilty).await;
    let rejected = queue_guilty(&test, guilty);
    let banned = queue(
        &test.database,
        Scope::player(innocent),
        move |transaction| Ok(transaction.set_ban_reason(innocent, Some("a reason"))?),
    );
    gate.open().await;
    assert_rejected(&rejected.answer().await);
    banned.answer().await.unwrap();
    let count = "SELECT COUNT(*) FROM users WHERE ban_reason = 'a reason'";
    assert_eq!(test.number(count), 1);
    test.assert_books().await;
}

/// The totals are the last that is written: when a constraint of theirs breaks, all the rest has been.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_with_the_last_write_takes_back_the_first(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.players(1).await[0];
    let bet = || {
        queue(&test.database, Scope::player(player), move |transaction| {
            play(transaction, player, &dice(10).with_key("key"), 0)
        })
    };
    test.sql("CREATE UNIQUE INDEX one_row_of_totals ON house_totals ((1))");
    bet().answer().await.unwrap();
    let gate = hold(&test.database, player).await;
    let fine = queue(&test.database, Scope::player(player), move |transaction| {
        play(transaction, player, &dice(20), 0)
    });
    let guilty = queue(&test.database, Scope::player(player), move |transaction| {
        let crash = dice(30).on(glasshouse_domain::Game::Crash);
        play(transaction, player, &crash, 0)
    });
    gate.open().await;
    fine.answer().await.unwrap();
    assert_rejected(&guilty.answer().await);
    assert_eq!(bet().answer().await.unwrap().stake.cents(), 10);
    assert_eq!(test.rounds(), 2);
    assert_eq!(test.balance(player), BALANCE - 30);
    test.assert_books().await;
}
