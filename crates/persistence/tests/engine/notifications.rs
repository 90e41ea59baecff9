//! Other servers are told of what was committed, once, and of nothing else.

use glasshouse_domain::{Game, UserId};
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Change, ChangedRound, Database, Scope};
use glasshouse_testing::Backend;
use rstest::rstest;
use tokio::sync::mpsc;

use crate::play::{Bet, begin, dice, end, play_what_cannot_be_stored};
use crate::support::{Failure, Fixture, Outcome, PATIENCE, Queued, Refusal, hold, queue};

const BET: Bet = dice(10).on(Game::Crash).announced();

/// What a server hears, from the moment on at which it listens.
async fn listen(database: &Database) -> mpsc::UnboundedReceiver<Change> {
    let (tell, mut heard) = mpsc::unbounded_channel();
    database
        .listen(move |change| {
            let _ = tell.send(change);
        })
        .unwrap();
    if database.is_shared() {
        assert_eq!(next(&mut heard).await, Some(Change::Missed));
    }
    heard
}

async fn next(heard: &mut mpsc::UnboundedReceiver<Change>) -> Option<Change> {
    let next = tokio::time::timeout(PATIENCE, heard.recv()).await;
    next.unwrap_or_else(|_| panic!("nothing is heard"))
}

fn queue_round(database: &Database, player: UserId, is_refused: bool) -> Queued<Round> {
    queue(database, Scope::player(player), move |transaction| {
        let round = begin(transaction, player, &BET)?;
        // Behind a savepoint, NOTIFY has been said already when the job is refused.
        transaction.user(player)?;
        if is_refused {
            return Err(Failure::Refused(Refusal::OnPurpose));
        }
        Ok(round)
    })
}

fn changed(round: &Outcome<Round>) -> Change {
    let round = round.as_ref().unwrap();
    Change::Round(ChangedRound {
        player: round.player,
        id: round.id,
    })
}

#[rstest]
#[case::in_one_batch(false)]
#[case::singly(true)]
#[tokio::test(flavor = "multi_thread")]
async fn other_servers_hear_of_what_was_committed(#[case] is_given_up: bool) {
    let test = Fixture::new(Backend::Postgres);
    let players = test.players_of_one_writer(5).await;
    let other = test.another_database();
    let mut heard = listen(&other).await;
    let mut own = listen(&test.database).await;

    let gate = hold(&test.database, players[0]).await;
    let first = queue_round(&test.database, players[0], false);
    let refused = queue_round(&test.database, players[1], true);
    let second = queue(&test.database, Scope::player(players[2]), {
        let player = players[2];
        move |transaction| begin(transaction, player, &BET)
    });
    let unannounced = queue(&test.database, Scope::player(players[3]), {
        let player = players[3];
        move |transaction| begin(transaction, player, &dice(10))
    });
    let guilty = players[4];
    let rejected = is_given_up.then(|| {
        queue(&test.database, Scope::player(guilty), move |transaction| {
            begin(transaction, guilty, &BET)?;
            play_what_cannot_be_stored(transaction, guilty)
        })
    });
    gate.open().await;
    let (first, second) = (first.answer().await, second.answer().await);
    refused.answer().await.unwrap_err();
    unannounced.answer().await.unwrap();
    if let Some(rejected) = rejected {
        rejected.answer().await.unwrap_err();
    }
    // An end is told of as well: after it, all that came before has been heard.
    let player = players[0];
    let ended = queue(&test.database, Scope::player(player), move |transaction| {
        end(transaction, player, Game::Crash, 0, None)
    });
    let ended = ended.answer().await;
    for expected in [&first, &second, &ended] {
        assert_eq!(next(&mut heard).await, Some(changed(expected)));
    }
    // A server does not hear of its own rounds. Of sessions it does, and after that of nothing else.
    let signed_out = queue(&test.database, Scope::nobody(), move |transaction| {
        Ok(transaction.refuse_sessions_of(player)?)
    });
    signed_out.answer().await.unwrap();
    let last = Some(Change::SessionsEnded(player));
    assert_eq!(next(&mut own).await, last);
    assert_eq!(next(&mut heard).await, last);
}

/// Nobody else uses the file, so there is nothing to hear and nothing that waits for it.
#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_there_is_nobody_to_hear() {
    let test = Fixture::new(Backend::Sqlite);
    let player = test.players(1).await[0];
    let mut heard = listen(&test.database).await;
    let begun = queue_round(&test.database, player, false);
    begun.answer().await.unwrap();
    assert_eq!(next(&mut heard).await, None);
}
