//! Lost connections. Before the COMMIT nothing is stored, and the batch is run again. At the COMMIT
//! the outcome is unknown, and callers find it out by repeating the call with the same key.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glasshouse_domain::UserId;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Database, DatabaseError, Scope};
use glasshouse_testing::{Backend, open_database, sql};
use rstest::rstest;

use crate::play::{Bet, dice, play_round};
use crate::proxy::{Cut, Proxy};
use crate::support::{BALANCE, Failure, Fixture, JobResult, Queued, hold_writer, queue};

/// How often a batch is run before its jobs fail.
const ATTEMPTS: usize = 4;

const BET: Bet = dice(13).with_key("key");

fn queue_bet(database: &Database, player: UserId) -> Queued<Round> {
    queue(database, BET.scope(player), move |transaction| {
        play_round(transaction, player, &BET, 0)
    })
}

fn assert_unknown(result: &JobResult<Round>) {
    assert!(
        matches!(
            result,
            Err(Failure::Fault(DatabaseError::OutcomeUnknown(_)))
        ),
        "{result:?}"
    );
}

/// Terminates the connection of the only writer that is in a transaction.
const TERMINATE_WRITER: &str = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction'";

/// PostgreSQL only, like the next test: SQLite has no network connection.
#[rstest]
#[case::first_attempt(1)]
#[case::every_attempt(ATTEMPTS)]
#[tokio::test(flavor = "multi_thread")]
async fn uncommitted_batch_is_retried_or_fails_without_effect(#[case] lost_connections: usize) {
    let test = Fixture::new(Backend::Postgres);
    let players = test.create_players_of_one_writer(2).await;
    let (player, other) = (players[0], players[1]);
    let gate = hold_writer(&test.database, player).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let (url, run_counter) = (test.url.clone(), Arc::clone(&runs));
    let interrupted = queue(&test.database, BET.scope(player), move |transaction| {
        let round = play_round(transaction, player, &BET, 0)?;
        // This statement flushes the round, so it is written but not committed.
        transaction.user(player)?;
        if run_counter.fetch_add(1, Ordering::SeqCst) < lost_connections {
            sql(&url, TERMINATE_WRITER).unwrap();
        }
        Ok(round)
    });
    let other_job = queue_bet(&test.database, other);
    gate.open().await;
    let results = [interrupted.result().await, other_job.result().await];
    if lost_connections < ATTEMPTS {
        assert!(results.iter().all(Result::is_ok), "{results:?}");
        assert_eq!(runs.load(Ordering::SeqCst), lost_connections + 1);
    } else {
        for result in &results {
            assert!(
                matches!(result, Err(Failure::Fault(DatabaseError::Unavailable(_)))),
                "{result:?}"
            );
        }
        assert_eq!((test.rounds(), runs.load(Ordering::SeqCst)), (0, ATTEMPTS));
        queue_bet(&test.database, player).result().await.unwrap();
        queue_bet(&test.database, other).result().await.unwrap();
    }
    assert_eq!(test.rounds(), 2);
    assert_eq!(test.balance(player), BALANCE - 13);
    test.assert_consistent().await;
}

#[rstest]
#[case::commit_lost(Cut::BeforeCommit, 0)]
#[case::response_lost(Cut::AfterCommit, 2)]
#[tokio::test(flavor = "multi_thread")]
async fn connection_lost_at_commit_leaves_the_outcome_unknown(
    #[case] cut: Cut,
    #[case] committed: i64,
) {
    let test = Fixture::new(Backend::Postgres);
    let players = test.create_players_of_one_writer(2).await;
    let proxy = Proxy::to(&test.url);
    let database = open_database(&proxy.url);
    let gate = hold_writer(&database, players[0]).await;
    let (first, job_proxy) = (players[0], proxy.clone());
    let bet = queue(&database, BET.scope(first), move |transaction| {
        job_proxy.cut_next_commit(cut);
        play_round(transaction, first, &BET, 0)
    });
    let bets = [bet, queue_bet(&database, players[1])];
    gate.open().await;
    for bet in bets {
        assert_unknown(&bet.result().await);
    }
    assert_eq!(test.rounds(), committed);
    let max_round_id = test.number("SELECT COALESCE(MAX(id), 0) FROM rounds");
    for player in &players {
        let round = queue_bet(&database, *player).result().await.unwrap();
        assert_eq!(round.id.get() <= max_round_id, committed > 0);
        assert_eq!(test.balance(*player), BALANCE - 13);
    }
    assert_eq!(test.rounds(), 2);
    test.assert_consistent().await;
}

/// Makes the COMMIT of any transaction fail that inserts a round with a stake of 13 cents.
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

/// A commit must not be reported as definitely failed when its outcome is uncertain.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn failed_commit_has_an_unknown_outcome_for_the_whole_batch(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(2).await;
    let (player, other) = (players[0], players[1]);
    test.sql(BREAK_COMMIT);
    let (create_trigger, drop_trigger) = if test.is_postgres() {
        (BREAK_ON_POSTGRES, "DROP TRIGGER break_commit ON rounds")
    } else {
        (BREAK_ON_SQLITE, "DROP TRIGGER break_commit")
    };
    test.sql(create_trigger);
    let gate = hold_writer(&test.database, player).await;
    let failing = queue_bet(&test.database, player);
    let other_job = queue(&test.database, Scope::player(other), move |transaction| {
        play_round(transaction, other, &dice(10), 0)
    });
    gate.open().await;
    assert_unknown(&failing.result().await);
    assert_unknown(&other_job.result().await);
    assert_eq!(test.rounds(), 0);

    test.sql(drop_trigger);
    let repeated = queue_bet(&test.database, player).result().await.unwrap();
    assert_eq!(repeated.nonce, 0);
    assert_eq!((test.rounds(), test.balance(player)), (1, BALANCE - 13));
    assert_eq!(test.balance(other), BALANCE);
    test.assert_consistent().await;
}
