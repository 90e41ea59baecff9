//! Connections that are lost: before the COMMIT nothing stands and the work is run again; at the COMMIT
//! nobody knows, and who sends a key again finds out.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glasshouse_domain::UserId;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Database, DatabaseError, Scope};
use glasshouse_testing::{Backend, open_database, sql};
use rstest::rstest;

use crate::play::{Bet, dice, play};
use crate::proxy::{Cut, Proxy};
use crate::support::{BALANCE, Failure, Fixture, Outcome, Queued, hold, queue};

/// How often a batch is run before its work is answered with a fault.
const ATTEMPTS: usize = 4;

const BET: Bet = dice(13).with_key("key");

fn queue_bet(database: &Database, player: UserId) -> Queued<Round> {
    queue(database, BET.scope(player), move |transaction| {
        play(transaction, player, &BET, 0)
    })
}

fn assert_unknown(outcome: &Outcome<Round>) {
    assert!(
        matches!(
            outcome,
            Err(Failure::Fault(DatabaseError::OutcomeUnknown(_)))
        ),
        "{outcome:?}"
    );
}

/// Ends the connection of the one writer that is in a transaction.
const CUT: &str = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction'";

/// PostgreSQL only, as the next: SQLite has no connection to lose.
#[rstest]
#[case::once(1)]
#[case::as_often_as_it_is_tried(ATTEMPTS)]
#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_committed_is_run_again_or_never_happened(#[case] cuts: usize) {
    let test = Fixture::new(Backend::Postgres);
    let players = test.players_of_one_writer(2).await;
    let (player, other) = (players[0], players[1]);
    let gate = hold(&test.database, player).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let (url, counted) = (test.url.clone(), Arc::clone(&runs));
    let cut = queue(&test.database, BET.scope(player), move |transaction| {
        let round = play(transaction, player, &BET, 0)?;
        // Written already, if not committed.
        transaction.user(player)?;
        if counted.fetch_add(1, Ordering::SeqCst) < cuts {
            sql(&url, CUT).unwrap();
        }
        Ok(round)
    });
    let beside = queue_bet(&test.database, other);
    gate.open().await;
    let answers = [cut.answer().await, beside.answer().await];
    if cuts < ATTEMPTS {
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
        assert_eq!(runs.load(Ordering::SeqCst), cuts + 1);
    } else {
        for answer in &answers {
            assert!(
                matches!(answer, Err(Failure::Fault(DatabaseError::Unavailable(_)))),
                "{answer:?}"
            );
        }
        assert_eq!((test.rounds(), runs.load(Ordering::SeqCst)), (0, ATTEMPTS));
        queue_bet(&test.database, player).answer().await.unwrap();
        queue_bet(&test.database, other).answer().await.unwrap();
    }
    assert_eq!(test.rounds(), 2);
    assert_eq!(test.balance(player), BALANCE - 13);
    test.assert_books().await;
}

#[rstest]
#[case::commit_lost(Cut::BeforeCommit, 0)]
#[case::answer_lost(Cut::AfterCommit, 2)]
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_lost_at_the_commit_leaves_the_outcome_unknown(
    #[case] cut: Cut,
    #[case] committed: i64,
) {
    let test = Fixture::new(Backend::Postgres);
    let players = test.players_of_one_writer(2).await;
    let proxy = Proxy::to(&test.url);
    let database = open_database(&proxy.url);
    let gate = hold(&database, players[0]).await;
    let (first, way) = (players[0], proxy.clone());
    let bet = queue(&database, BET.scope(first), move |transaction| {
        way.cut_next_commit(cut);
        play(transaction, first, &BET, 0)
    });
    let bets = [bet, queue_bet(&database, players[1])];
    gate.open().await;
    for bet in bets {
        assert_unknown(&bet.answer().await);
    }
    assert_eq!(test.rounds(), committed);
    let known = test.number("SELECT COALESCE(MAX(id), 0) FROM rounds");
    for player in &players {
        let round = queue_bet(&database, *player).answer().await.unwrap();
        assert_eq!(round.id.get() <= known, committed > 0);
        assert_eq!(test.balance(*player), BALANCE - 13);
    }
    assert_eq!(test.rounds(), 2);
    test.assert_books().await;
}

/// Makes the COMMIT of a transaction with a round of 13 cents fail.
const BREAK_COMMIT: &str = "
    CREATE TABLE allowed (id BIGINT PRIMARY KEY);
    CREATE TABLE broken (id BIGINT REFERENCES allowed (id) DEFERRABLE INITIALLY DEFERRED);";
const BREAK_ON_SQLITE: &str = "
    CREATE TRIGGER break_commit AFTER INSERT ON rounds WHEN NEW.stake_cents = 13
    BEGIN INSERT INTO broken VALUES (1); END";
const BREAK_ON_POSTGRES: &str = "
    CREATE FUNCTION break_commit() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO broken VALUES (1); RETURN NULL; END $$;
    CREATE TRIGGER break_commit AFTER INSERT ON rounds FOR EACH ROW
    WHEN (NEW.stake_cents = 13) EXECUTE FUNCTION break_commit()";

/// Nobody is told that a commit failed for certain if that is not certain.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_fails_is_unknown_to_all_of_its_batch(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.players_of_one_writer(2).await;
    let (player, other) = (players[0], players[1]);
    test.sql(BREAK_COMMIT);
    let (make, unmake) = if test.is_postgres() {
        (BREAK_ON_POSTGRES, "DROP TRIGGER break_commit ON rounds")
    } else {
        (BREAK_ON_SQLITE, "DROP TRIGGER break_commit")
    };
    test.sql(make);
    let gate = hold(&test.database, player).await;
    let breaking = queue_bet(&test.database, player);
    let beside = queue(&test.database, Scope::player(other), move |transaction| {
        play(transaction, other, &dice(10), 0)
    });
    gate.open().await;
    assert_unknown(&breaking.answer().await);
    assert_unknown(&beside.answer().await);
    assert_eq!(test.rounds(), 0);

    test.sql(unmake);
    let again = queue_bet(&test.database, player).answer().await.unwrap();
    assert_eq!(again.nonce, 0);
    assert_eq!((test.rounds(), test.balance(player)), (1, BALANCE - 13));
    assert_eq!(test.balance(other), BALANCE);
    test.assert_books().await;
}
