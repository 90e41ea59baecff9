//! Other servers are notified of each committed change exactly once, and of nothing else.

use glasshouse_domain::{Game, UserId};
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Change, ChangedRound, Database, Scope};
use glasshouse_testing::Backend;
use rstest::rstest;
use tokio::sync::mpsc;

use crate::play::{Bet, dice, play_invalid_round, settle_round, start_round};
use crate::support::{
    Failure, Fixture, JobResult, Queued, Refusal, WAIT_TIMEOUT, hold_writer, queue,
};

const BET: Bet = dice(10).on(Game::Crash).announced();

/// Subscribes to the changes that a server is notified of from now on.
async fn listen(database: &Database) -> mpsc::UnboundedReceiver<Change> {
    let (sender, mut changes) = mpsc::unbounded_channel();
    database
        .listen(move |change| {
            let _ = sender.send(change);
        })
        .unwrap();
    if database.is_shared() {
        assert_eq!(next_change(&mut changes).await, Some(Change::Missed));
    }
    changes
}

async fn next_change(changes: &mut mpsc::UnboundedReceiver<Change>) -> Option<Change> {
    let change = tokio::time::timeout(WAIT_TIMEOUT, changes.recv()).await;
    change.unwrap_or_else(|_| panic!("timed out waiting for a change"))
}

fn queue_round(database: &Database, player: UserId, is_refused: bool) -> Queued<Round> {
    queue(database, Scope::player(player), move |transaction| {
        let round = start_round(transaction, player, &BET)?;
        // This statement flushes the round behind a savepoint, so NOTIFY has already been executed
        // when the job is refused.
        transaction.user(player)?;
        if is_refused {
            return Err(Failure::Refused(Refusal::Deliberate));
        }
        Ok(round)
    })
}

fn change_of(round: &JobResult<Round>) -> Change {
    let round = round.as_ref().unwrap();
    Change::Round(ChangedRound {
        player: round.player,
        id: round.id,
    })
}

#[rstest]
#[case::committed_as_one_batch(false)]
#[case::committed_job_by_job(true)]
#[tokio::test(flavor = "multi_thread")]
async fn other_servers_are_notified_of_committed_changes_only(#[case] has_rejected_job: bool) {
    let test = Fixture::new(Backend::Postgres);
    let players = test.create_players_of_one_writer(5).await;
    let other = test.open_second_server();
    let mut other_changes = listen(&other).await;
    let mut own_changes = listen(&test.database).await;

    let gate = hold_writer(&test.database, players[0]).await;
    let first = queue_round(&test.database, players[0], false);
    let refused = queue_round(&test.database, players[1], true);
    let second = queue(&test.database, Scope::player(players[2]), {
        let player = players[2];
        move |transaction| start_round(transaction, player, &BET)
    });
    let unannounced = queue(&test.database, Scope::player(players[3]), {
        let player = players[3];
        move |transaction| start_round(transaction, player, &dice(10))
    });
    let offender = players[4];
    let rejected = has_rejected_job.then(|| {
        queue(
            &test.database,
            Scope::player(offender),
            move |transaction| {
                start_round(transaction, offender, &BET)?;
                play_invalid_round(transaction, offender)
            },
        )
    });
    gate.open().await;
    let (first, second) = (first.result().await, second.result().await);
    refused.result().await.unwrap_err();
    unannounced.result().await.unwrap();
    if let Some(rejected) = rejected {
        rejected.result().await.unwrap_err();
    }
    // Settling a round sends a notification, too. Once it arrives, all earlier ones have arrived.
    let player = players[0];
    let settled = queue(&test.database, Scope::player(player), move |transaction| {
        settle_round(transaction, player, Game::Crash, 0, None)
    });
    let settled = settled.result().await;
    for expected in [&first, &second, &settled] {
        assert_eq!(
            next_change(&mut other_changes).await,
            Some(change_of(expected))
        );
    }
    // A server is not notified of its own rounds, but it is notified of ended sessions. That this
    // is the next change shows that nothing else was sent.
    let signed_out = queue(&test.database, Scope::nobody(), move |transaction| {
        Ok(transaction.refuse_sessions_of(player)?)
    });
    signed_out.result().await.unwrap();
    let last = Some(Change::SessionsEnded(player));
    assert_eq!(next_change(&mut own_changes).await, last);
    assert_eq!(next_change(&mut other_changes).await, last);
}

/// No other server uses the file, so no notifications are sent and no listener is kept.
#[tokio::test(flavor = "multi_thread")]
async fn sqlite_sends_no_notifications() {
    let test = Fixture::new(Backend::Sqlite);
    let player = test.create_players(1).await[0];
    let mut changes = listen(&test.database).await;
    let started = queue_round(&test.database, player, false);
    started.result().await.unwrap();
    assert_eq!(next_change(&mut changes).await, None);
}
